import type { Day } from '../core/model/dates.ts';
import { onlyPhase } from '../core/model/phases.ts';
import { compareVersions, parseVersion } from '../core/model/version.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { OwnEnd } from '../core/schemas/definition/phase.ts';
import { createSupportSourceId } from '../core/schemas/definition/source-ids.ts';
import type { SupportPolicy, SupportPolicyOf } from '../core/schemas/definition/support-policy.ts';
import type { RecordedData, StatedLine } from '../core/schemas/recorded/recorded.ts';

/**
 * The lines whose ends are stated, in version order: those of a dated policy, or the recorded lines of the source that the policy
 * names.
 */
export function listStatedLines(
  { lines = [] }: Pick<RecordedData, 'lines'>,
  { support }: Pick<Definition, 'support'>,
): StatedLine[] {
  if (support?.policy === 'dated') {
    return listDatedLines(support);
  }

  const id = createSupportSourceId(support);
  return sortByName(lines.filter(({ source }) => source === id));
}

/** The lines of a dated policy, as a source would state them, in version order. */
export function listDatedLines({ lines, paid = [] }: SupportPolicyOf<'dated'>): StatedLine[] {
  const statedLines = Object.entries(lines).map(([line, ends]) => {
    const days = typeof ends === 'string' ? { [onlyPhase]: ends } : ends;
    const phases = Object.entries(days).map(([name, until]) => ({
      name,
      until,
      paid: paid.includes(name) || undefined,
    }));
    return { line, phases };
  });
  return sortByName(statedLines);
}

/** The lines to which a policy gives an end of their own, in version order. A dated policy has only such ends: `listDatedLines`. */
export function listOwnEnds(policy: SupportPolicy): (OwnEnd & { readonly line: string })[] {
  if (policy.policy === 'dated') {
    return [];
  }

  const ends = Object.entries(policy.lines ?? {}).map(([line, end]) =>
    typeof end === 'string' ? { line, until: end } : { line, ...end },
  );
  return sortByName(ends);
}

/** The stated first days of lines, by their names. A dated policy may state them also of lines without an end. */
export function readFirstDays(
  policy: SupportPolicy,
  statedLines: readonly StatedLine[],
): ReadonlyMap<string, Day> {
  if (policy.policy === 'dated') {
    return new Map(Object.entries(policy.firstReleaseDates ?? {}));
  }

  const firstDays = new Map<string, Day>();
  for (const { line, firstReleaseDate } of statedLines) {
    if (firstReleaseDate !== undefined) {
      firstDays.set(line, firstReleaseDate);
    }
  }

  return firstDays;
}

function sortByName<Line extends { readonly line: string }>(lines: readonly Line[]): Line[] {
  return lines.toSorted((a, b) => compareLineNames(a.line, b.line));
}

/** Compares the names of two lines. Each can be read as a version: the schema requires it. */
export function compareLineNames(a: string, b: string): number {
  return compareVersions(parseVersion(a)!, parseVersion(b)!);
}
