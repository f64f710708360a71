/** Finds new releases that lack provenance although the releases before them have it. */
import { countDays, toDay } from '../core/day.ts';
import type { Release } from '../core/schema/published.ts';

/**
 * After the first release without provenance, further such releases are reported for this many days. Somebody who took over an account may
 * publish several releases in this time.
 */
const reportedDays = 30;

/**
 * Finds the last release with provenance before a new release that lacks it. Searches the line of the new release, and then the older
 * lines. Undefined if the new release is not reported. Example:
 *
 * | version | provenance | day     | result                                        |
 * | ------- | ---------- | ------- | --------------------------------------------- |
 * | 1.1.0   | yes        | 1 May   |                                               |
 * | 1.1.1   | no         | 1 June  | 1.1.0                                         |
 * | 2.0.0   | no         | 30 June | 1.1.0                                         |
 * | 2.0.1   | no         | 2 July  | undefined, because 1.1.1 came 31 days earlier |
 *
 * `releases`: in version order, including the other releases of the same run. So the result does not depend on which run fetched them.
 */
export function findLastProven(
  release: Release,
  releases: readonly Release[],
  isInitial: (version: string) => boolean,
): Release | undefined {
  const before = releases.slice(0, releases.indexOf(release)).filter(isUsual);
  const isOfLine = ({ line }: Release) => line === release.line;
  const nearest = [
    ...before.filter(isOfLine).reverse(),
    ...before.filter((each) => !isOfLine(each)).reverse(),
  ];
  const isLacking = ({ version, hasProvenance }: Release) =>
    hasProvenance === false && !isInitial(version);
  const position = nearest.findIndex((each) => !isLacking(each));
  const last = nearest[position];
  // The search ended at a release whose provenance is unknown, or at a release that existed when the component was added. Then nothing is
  // reported.
  if (!last?.hasProvenance) {
    return undefined;
  }

  const first = nearest[position - 1];
  if (first === undefined) {
    return last;
  }
  // `first` is the first release without provenance, and it was reported. Later releases are reported only within `reportedDays` after it.
  // A prerelease is reported only if it directly follows a release with provenance.
  return !release.isPrerelease && countLater(first, release) <= reportedDays ? last : undefined;
}

/** Tells whether a release is stable, and nothing advises against it. The end of support of its line does not matter here. */
function isUsual({ isPrerelease, reasons }: Release): boolean {
  return !isPrerelease && reasons.every(({ rule }) => rule === 'support policy');
}

/** Counts the days between two releases. NaN if one of the releases has no date. */
function countLater(...releases: [Release, Release]): number {
  const [from, to] = releases.map(({ releaseTimestamp, firstSeen = '' }) => {
    return toDay(releaseTimestamp ?? firstSeen);
  });
  return countDays(from!, to!);
}
