/** New versions that are held: outliers, and very many at once. */
import type { Hold } from '../core/schema/recorded.ts';
import { formatCount } from '../core/text.ts';
import { readVersion } from '../core/version.ts';
import { createHold, type Admitted } from './holds.ts';

/** More new versions at once are held. */
const mostArrivals = 1000;

/** Holds new versions: each that is far above the others, or all of very many. A hold keeps its id when more versions join it. */
export function holdArrivals(input: Admitted): Hold[] {
  const { before, after, firstAnswers, held, accepted } = input;
  const effective = new Set(before.releases.map(({ version }) => version));
  // If a scheme of versions was accepted, more versions of it are usual.
  const usual = [...effective, ...accepted];
  const isOutlier = createOutlierTest(usual);
  const added = after.releases.filter(
    ({ version, sources }) =>
      !effective.has(version) &&
      !accepted.has(version) &&
      // A first answer may list thousands.
      (isOutlier(version) || !sources.some((id) => firstAnswers.has(id))),
  );

  const holds: Hold[] = [];
  let rest = added.map(({ version }) => version);
  for (const hold of held.filter(({ kind }) => kind !== 'loss')) {
    const waiting = new Set(hold.versions);
    // More versions of a held scheme join its hold.
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

/** An outlier is at least so many times the greatest number so far, and at least so much above it. */
const measure = 10;
/** Numbers after these may be numbers of builds. */
const comparedNumbers = 3;

/** Returns a test whether a version has a number far above the recorded ones, such as a day or a build number among versions. */
function createOutlierTest(versions: readonly string[]): (version: string) => boolean {
  /** The greatest numbers by place, and by line. */
  const greatest = new Map<number | string, number>();
  for (const { value, place, line } of versions.flatMap(listNumbers)) {
    [place, line].forEach((key) => greatest.set(key, Math.max(value, greatest.get(key) ?? 0)));
  }

  return (version) =>
    listNumbers(version).some(({ value, place, line }) => {
      const ofAll = greatest.get(place) ?? Infinity;
      // Build numbers start again in each line, and are high in each.
      const bound = greatest.get(line) ?? ofAll;
      return value > ofAll && value >= bound * measure && value >= bound + measure;
    });
}

/** Lists the first numbers of a version, each with its place, and with the numbers before it as its line. */
function listNumbers(version: string) {
  const { groups } = readVersion(version);
  return groups.slice(0, comparedNumbers).map((group, place) => ({
    value: Number(group),
    place,
    line: groups.slice(0, place).join('.'),
  }));
}
