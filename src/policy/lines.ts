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
  const byName = Map.groupBy(releases, (release) => release.line);
  const lines = Array.from(byName, ([name, of]): ReleaseLine => ({ name, releases: of }));
  let bound: Day | undefined;
  for (const line of lines.toReversed()) {
    const first = firstRelease(line.releases);
    const isBounded = !first || (first.isObserved && bound !== undefined && bound < first.day);
    if (!isBounded) line.firstReleaseDay = first.day;
    else if (bound !== undefined) line.firstReleaseNotAfter = bound;
    // The day on which a run of ours noticed a version says nothing about older lines.
    const began =
      isBounded || !first.isNoticed ? (line.firstReleaseDay ?? line.firstReleaseNotAfter) : undefined;
    if (began !== undefined && (bound === undefined || began < bound)) bound = began;
  }
  return lines;
}

interface FirstRelease {
  day: Day;
  /** Upstream states no day: the line may have begun before. */
  isObserved: boolean;
  /** The day is that of the run that recorded it. */
  isNoticed: boolean;
}

/** A prerelease begins a line only if the line has nothing else. */
function firstRelease(releases: readonly Release[]): FirstRelease | undefined {
  const dated = releases.flatMap(({ releaseDay: day, timestampKind, isPrerelease, recorded }) => {
    if (day === undefined) return [];
    const isObserved = timestampKind === 'observed';
    return [{ day, isObserved, isNoticed: isObserved && recorded.firstSeen === day, isPrerelease }];
  });
  const stable = dated.filter((release) => !release.isPrerelease);
  const candidates = stable.length > 0 ? stable : dated;
  const earliest = candidates.map(({ day }) => day).sort()[0];
  return candidates.find(({ day }) => day === earliest);
}
