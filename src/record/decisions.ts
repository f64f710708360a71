import { UsageError } from '../core/errors.ts';
import { sha256 } from '../core/files.ts';
import type { Decision, Hold } from '../core/schema/recorded.ts';
import type { DataFiles } from './files.ts';
import { passGate, type GateInput } from './gate.ts';

/** Lets through what waits under these ids. Throws a `UsageError` for an id that nobody was shown. */
export function accept(data: DataFiles, ids: readonly string[], by: string): Decision[] {
  const held = data.readHeld();
  const at = new Date().toISOString();
  const decisions = ids.map((id): Decision => {
    const hold = held.find((each) => each.id === id);
    // Of a publication, the digits between its name and its check.
    if (!hold && id !== createPublicationId(id.slice('publication-'.length, -3))) {
      const waiting = held.map((each) => each.id).join(', ') || 'nothing';
      throw new UsageError(`${id} was shown to nobody. What waits: ${waiting}`);
    }
    const { component, kind, versions } = hold ?? {};
    return { id, at, by, component, kind, versions };
  });

  decisions.forEach(data.appendDecision);
  return decisions;
}

/** The publication of the site is judged, too. Its last digits are made of the others, so that a mistyped id is seen. */
export function createPublicationId(digits: string): string {
  return `publication-${digits}${sha256(digits).slice(0, 3)}`;
}

/** Passes the gate. While a source is silent, what it may state again waits on, and a decision that let nothing through is kept for it. */
export function decide(input: GateInput, isPartial: boolean) {
  const passed = passGate(input);
  if (!isPartial) {
    return passed;
  }

  // A decision was used if it let through what would wait without it.
  const undecided = passGate({ ...input, decisions: [] }).held;
  const accepted = input.decisions.filter((each) => isHeld(each, undecided)).map(({ id }) => id);
  // What waited, and waits in no hold of today, may be of the silent source.
  const silent = input.held.filter(
    (each) => !accepted.includes(each.id) && !isHeld(each, passed.held),
  );
  return { recorded: passed.recorded, held: [...passed.held, ...silent], accepted };
}

/** Whether one hold has all its versions; an old decision without versions is about any hold. */
function isHeld({ versions = [] }: Pick<Decision, 'versions'>, holds: readonly Hold[]): boolean {
  return holds.some((hold) => versions.every((version) => hold.versions.includes(version)));
}
