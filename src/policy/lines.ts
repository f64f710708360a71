import { dayOf, type Day } from '../dates.ts';
import type { Release } from '../model/release.ts';

/** The releases that are supported together, oldest first. */
export interface ReleaseLine {
  name: string;
  releases: Release[];
  /** Day of the earliest release whose day is known. */
  firstReleaseDay?: Day;
  /**
   * Where nobody states when the line began: the earliest first day among the newer lines, if that is the tighter bound.
   * The line cannot have begun later than that, in a scheme whose numbers grow.
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
    const first = firstRelease(line.releases);
    const isBounded = !first || (first.isObserved && bound !== undefined && bound < first.day);
    if (!isBounded) line.firstReleaseDay = first.day;
    else if (bound !== undefined) line.firstReleaseNotAfter = bound;
    const began = line.firstReleaseDay ?? line.firstReleaseNotAfter;
    if (began !== undefined && (bound === undefined || began < bound)) bound = began;
  }
  return ordered;
}

interface FirstRelease {
  day: Day;
  /** Upstream states no day: the line may have begun before. */
  isObserved: boolean;
}

/** A prerelease does not open a line, unless the line has nothing else. */
function firstRelease(releases: readonly Release[]): FirstRelease | undefined {
  return earliest(releases.filter((release) => !release.isPrerelease)) ?? earliest(releases);
}

function earliest(releases: readonly Release[]): FirstRelease | undefined {
  let first: FirstRelease | undefined;
  for (const { releaseTimestamp, timestampKind } of releases) {
    if (releaseTimestamp === undefined) continue;
    const day = dayOf(releaseTimestamp);
    if (!first || day < first.day) first = { day, isObserved: timestampKind === 'observed' };
  }
  return first;
}
