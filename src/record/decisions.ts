import { UsageError } from '../core/errors.ts';
import { sha256 } from '../core/files.ts';
import type { Run, Decision } from '../core/schema/recorded.ts';
import type { DataFiles } from './files.ts';

/** Lets through what waits under these ids. Throws a `UsageError` for an id that nobody was shown. */
export function accept(
  data: DataFiles,
  ids: readonly string[],
  { by, reason }: Pick<Decision, 'by' | 'reason'>,
): Decision[] {
  const held = data.readHeld();
  const runs = data.readRuns();
  const at = new Date().toISOString();
  const decisions = ids.map((id): Decision => {
    const hold = held.find((each) => each.id === id);
    if (!hold && !isPublicationId(id)) {
      const hasWaited = runs.some(({ waits }) => waits?.some((each) => each.id === id));
      const fate = hasWaited ? 'waits no more: its sources took it back' : 'was shown to nobody';
      const waiting = held.map((each) => each.id).join(', ') || 'nothing';
      throw new UsageError(`${id} ${fate}. What waits: ${waiting}`);
    }
    const { component, kind, versions } = hold ?? {};
    return { id, at, by, component, kind, versions, reason };
  });

  decisions.forEach(data.appendDecision);
  return decisions;
}

/** The decisions that no run has used yet. */
export function listUnused(decisions: readonly Decision[], runs: readonly Run[]): Decision[] {
  return decisions.filter(
    ({ id, at }) => !runs.some((run) => run.at >= at && run.accepted?.includes(id)),
  );
}

/** The publication of the site is judged, too. Its last digits are made of the others, so that a mistyped id is seen. */
export function createPublicationId(digits: string): string {
  return `publication-${digits}${sha256(digits).slice(0, 3)}`;
}

function isPublicationId(id: string): boolean {
  const [, digits] = /^publication-(\w+)\w{3}$/.exec(id) ?? [];
  return digits !== undefined && id === createPublicationId(digits);
}
