import { dayOf, type Day } from '../dates.ts';
import type { Release } from '../model/release.ts';

/** The releases that are supported together, oldest first. */
export interface ReleaseLine {
  name: string;
  releases: Release[];
  /** Day of the earliest release whose day is known. */
  firstReleaseDay?: Day;
  /**
   * Where no day of the line is known: the first day of the next newer line that has one. The line cannot have
   * begun later than that, in a scheme whose numbers grow.
   */
  firstReleaseNotAfter?: Day;
}

/** Release lines in version order. `releases` must be in version order. */
export function groupByLine(releases: readonly Release[]): ReleaseLine[] {
  const lines = new Map<string, ReleaseLine>();
  for (const release of releases) {
    let line = lines.get(release.line);
    if (!line) lines.set(release.line, (line = { name: release.line, releases: [] }));
    line.releases.push(release);
  }
  const ordered = [...lines.values()];
  let bound: Day | undefined;
  for (const line of ordered.toReversed()) {
    const first = firstDay(line.releases);
    if (first !== undefined) line.firstReleaseDay = bound = first;
    else if (bound !== undefined) line.firstReleaseNotAfter = bound;
  }
  return ordered;
}

/** A prerelease does not open a line, unless the line has nothing else. */
function firstDay(releases: readonly Release[]): Day | undefined {
  return earliest(releases.filter((release) => !release.isPrerelease)) ?? earliest(releases);
}

function earliest(releases: readonly Release[]): Day | undefined {
  let first: Day | undefined;
  for (const { releaseTimestamp } of releases) {
    if (releaseTimestamp === undefined) continue;
    const day = dayOf(releaseTimestamp);
    if (first === undefined || day < first) first = day;
  }
  return first;
}
