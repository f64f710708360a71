import type { Day } from '../dates.ts';
import type { Release } from './release.ts';

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
  const lines: ReleaseLine[] = [];
  let current: ReleaseLine | undefined;
  releases.forEach((release) => {
    if (release.line !== current?.name) lines.push((current = { name: release.line, releases: [] }));
    current.releases.push(release);
  });
  let bound: Day | undefined;
  for (const line of lines.toReversed()) {
    const first = firstRelease(line.releases);
    const isBounded = !first || (first.isObserved && bound !== undefined && bound < first.day);
    if (!isBounded) line.firstReleaseDay = first.day;
    else if (bound !== undefined) line.firstReleaseNotAfter = bound;
    const began = line.firstReleaseDay ?? line.firstReleaseNotAfter;
    if (began !== undefined && (bound === undefined || began < bound)) bound = began;
  }
  return lines;
}

interface FirstRelease {
  day: Day;
  /** Upstream states no day: the line may have begun before. */
  isObserved: boolean;
}

/** A prerelease does not open a line, unless the line has nothing else. */
function firstRelease(releases: readonly Release[]): FirstRelease | undefined {
  const first = earliest(releases, false) ?? earliest(releases, true);
  return first && { day: first.releaseDay!, isObserved: first.timestampKind === 'observed' };
}

function earliest(releases: readonly Release[], withPrereleases: boolean): Release | undefined {
  let first: Release | undefined;
  releases.forEach((release) => {
    if (release.releaseDay === undefined || (release.isPrerelease && !withPrereleases)) return;
    if (!first || release.releaseDay < first.releaseDay!) first = release;
  });
  return first;
}
