import type { Day } from '../core/model/dates.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { onlyPhase } from '../core/model/phases.ts';
import { compareVersions, parseVersion } from '../core/model/version.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { OwnEnd } from '../core/schemas/definition/phase.ts';
import { createSupportSourceId } from '../core/schemas/definition/source.ts';
import type { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import type { RecordedData, StatedLine } from '../core/schemas/recorded/recorded.ts';

export type Policy<Name extends SupportPolicy['policy']> = Extract<SupportPolicy, { policy: Name }>;

/** The release lines that the definition names, or its source of support, in version order. */
export function listStatedLines(
  { lines = [] }: Pick<RecordedData, 'lines'>,
  { support }: Pick<Definition, 'support'>,
): StatedLine[] {
  if (support?.policy === 'dated') {
    return listDatedLines(support);
  }

  const id = createSupportSourceId(support);
  return lines.filter(({ source }) => source === id);
}

/** The lines that a policy names, in version order. */
export function listDatedLines({
  lines,
  firstReleaseDates,
  paid = [],
}: Policy<'dated'>): StatedLine[] {
  const statedLines = Object.entries(lines).map(([line, ends]) => {
    const days = typeof ends === 'string' ? { [onlyPhase]: ends } : ends;
    const phases = Object.entries(days).map(([name, until]) => ({
      name,
      until,
      paid: paid.includes(name) || undefined,
    }));
    return dropUndefined({ line, firstReleaseDate: firstReleaseDates?.[line], phases });
  });
  return statedLines.sort((a, b) => compareLineNames(a.line, b.line));
}

/** The ends that a policy gives to single lines, in version order. */
export function listOwnEnds(policy: SupportPolicy): (OwnEnd & { readonly line: string })[] {
  const { lines = {} } = policy.policy === 'dated' ? {} : policy;
  const ends = Object.entries(lines).map(([line, end]) =>
    typeof end === 'string' ? { line, until: end } : { line, ...end },
  );
  return ends.sort((a, b) => compareLineNames(a.line, b.line));
}

/** The first day of each line whose first day a policy or its source states. */
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

/** The name of each line is a version. */
export function compareLineNames(a: string, b: string): number {
  return compareVersions(parseVersion(a)!, parseVersion(b)!);
}
