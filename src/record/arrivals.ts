/** Holds back new versions that are outliers, or very many new versions, until a person accepts them. */
import type { Hold } from '../core/schema/recorded.ts';
import { formatCount } from '../core/text.ts';
import { readVersion } from '../core/version.ts';
import { createHold, type Admitted } from './holds.ts';

/** If more new versions than this appear at once, they are held. */
const mostArrivals = 1000;

/**
 * Holds each new version that is far above the recorded versions. If there are very many new versions, holds all. A hold keeps its id when
 * further versions join it.
 */
export function holdArrivals(input: Admitted): Hold[] {
  const { before, after, firstAnswers, held, accepted } = input;
  const effective = new Set(before.releases.map(({ version }) => version));
  // If a person accepted a new version scheme (2026.1 after 1.9), further versions of this scheme are not outliers.
  const usual = [...effective, ...accepted];
  const isOutlier = createOutlierTest(usual);
  const added = after.releases.filter(
    ({ version, sources }) =>
      !effective.has(version) &&
      !accepted.has(version) &&
      // A source's first answer may list thousands of versions. So only outliers in it are held.
      (isOutlier(version) || !sources.some((id) => firstAnswers.has(id))),
  );

  const holds: Hold[] = [];
  let rest = added.map(({ version }) => version);
  for (const hold of held.filter(({ kind }) => kind !== 'loss')) {
    const waiting = new Set(hold.versions);
    // Further versions of a held version scheme join its hold.
    const isOther = createOutlierTest([...usual, ...waiting]);
    const [joining, others] = partition(
      rest,
      (version) => waiting.has(version) || (isOutlier(version) && !isOther(version)),
    );
    if (joining.length > 0) {
      holds.push({ ...hold, versions: joining });
    }
    rest = others;
  }

  const [outliers, others] = partition(rest, isOutlier);
  if (outliers.length > 0) {
    const reason = `${outliers[0]} is far above the recorded versions`;
    holds.push(createHold(input, 'outlier', { versions: outliers, reason }));
  }
  if (others.length > 0 && rest.length > mostArrivals) {
    const reason = `${formatCount(rest.length, 'new version')} at once`;
    holds.push(createHold(input, 'flood', { versions: others, reason }));
  }
  return holds;
}

function partition<T>(values: readonly T[], test: (value: T) => boolean): [T[], T[]] {
  return [values.filter(test), values.filter((value) => !test(value))];
}

/** A number of an outlier is at least 10 times the greatest recorded number at the same place, and at least 10 more. */
const measure = 10;
/** Only the first three numbers of a version are compared, because later numbers may be build numbers. */
const comparedNumbers = 3;

/** Returns a function that tells whether a version has a number far above the numbers of `versions`, such as a date or a build number. */
function createOutlierTest(versions: readonly string[]): (version: string) => boolean {
  /**
   * The greatest number of `versions` at each place and after each beginning of a version:
   * - place, counted from 0: `1` → the greatest second number
   * - beginning: `2025.1` → the greatest third number after 2025.1
   */
  const greatest = new Map<number | string, number>();
  for (const { value, place, line } of versions.flatMap(listNumbers)) {
    [place, line].forEach((key) => greatest.set(key, Math.max(value, greatest.get(key) ?? 0)));
  }

  return (version) =>
    listNumbers(version).some(({ value, place, line }) => {
      const ofAll = greatest.get(place) ?? Infinity;
      // Build numbers start again in each release line. So 300 in 2025.1.300 is compared only with versions that begin with 2025.1, if
      // there are any.
      const bound = greatest.get(line) ?? ofAll;
      return value > ofAll && value >= bound * measure && value >= bound + measure;
    });
}

/** Lists the first numbers of a version, each with its place. `line`: the numbers before this number, joined with dots. */
function listNumbers(version: string) {
  const { groups } = readVersion(version);
  return groups.slice(0, comparedNumbers).map((group, place) => ({
    value: Number(group),
    place,
    line: groups.slice(0, place).join('.'),
  }));
}
