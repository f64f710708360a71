import type { Day } from '../core/dates.ts';
import type { Release } from './release.ts';

/** The releases that are supported together, oldest first, and what a support policy looks at. */
export interface ReleaseLine {
  readonly name: string;
  readonly releases: readonly Release[];
  /** Whether it has a release that is no prerelease and is not withdrawn. Another line pushes no other out of support. */
  readonly isOpen: boolean;
  /** Day of the earliest release whose day is known. */
  firstReleaseDay: Day | undefined;
  /**
   * Where nobody states when the line began: the earliest first day among the newer lines, if that is the tighter bound.
   * The line cannot have begun later than that, in a scheme whose numbers grow.
   */
  firstReleaseNotAfter: Day | undefined;
}

/** What the releases of a line say of its beginning. */
export interface LineStart {
  readonly isOpen: boolean;
  readonly stable?: FirstRelease;
  /** Begins a line only if the line has nothing else. */
  readonly prerelease?: FirstRelease;
}

interface FirstRelease {
  readonly day: Day;
  /** Upstream states no day: the line may have begun before. */
  readonly isObserved: boolean;
  /** The day is that of the run that recorded it. */
  readonly isNoticed: boolean;
}

export const noStart: LineStart = { isOpen: false };

/** Release lines in version order, as of a day. `releases` must be in version order. */
export function groupByLine(releases: readonly Release[], day: Day): ReleaseLine[] {
  const lines = Array.from(
    Map.groupBy(releases, (release) => release.line),
    ([name, of]) => {
      const start = of.reduce((known, release) => extendStart(known, release, day), noStart);
      const { isOpen } = start;
      return {
        name,
        releases: of,
        isOpen,
        start,
        firstReleaseDay: undefined,
        firstReleaseNotAfter: undefined,
        bound: undefined,
      };
    },
  );
  boundLines(lines);
  return lines;
}

/** The start of a line that has one more release; the same object where that release changes nothing. */
export function extendStart(start: LineStart, release: Release, day: Day): LineStart {
  const { isPrerelease, releaseDay, timestampKind, recorded } = release;
  const { withdrawnSince } = recorded;
  const isOpen = start.isOpen || (!isPrerelease && (withdrawnSince === undefined || withdrawnSince > day));
  const kind = isPrerelease ? 'prerelease' : 'stable';
  if (releaseDay !== undefined) {
    const isObserved = timestampKind === 'observed';
    const isNoticed = isObserved && recorded.firstSeen === releaseDay;
    const first: FirstRelease = { day: releaseDay, isObserved, isNoticed };
    if (isEarlier(first, start[kind])) return { ...start, isOpen, [kind]: first };
  }
  return isOpen === start.isOpen ? start : { ...start, isOpen };
}

/** Of two releases of one day, the one whose day is known better counts. */
function isEarlier(release: FirstRelease, known: FirstRelease | undefined): boolean {
  if (!known || release.day < known.day) return true;
  const doubts = ({ isObserved, isNoticed }: FirstRelease) => Number(isObserved) + Number(isNoticed);
  return release.day === known.day && doubts(release) < doubts(known);
}

/** A line while it is asked when it began. */
export interface LineBeginning extends Pick<ReleaseLine, 'firstReleaseDay' | 'firstReleaseNotAfter'> {
  readonly start: LineStart;
  /** By when every older line had begun. */
  bound: Day | undefined;
}

/**
 * Sets for each line, all in version order, when it began or by when at the latest. Returns those of which that is another
 * day than before. `moved`: the lines whose own start is another than when this was last asked.
 */
export function boundLines<Line extends LineBeginning>(
  lines: readonly Line[],
  moved: ReadonlySet<Line> = new Set(lines),
): Line[] {
  const changed: Line[] = [];
  let bound: Day | undefined;
  let left = moved.size;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index]!;
    const first = line.start.stable ?? line.start.prerelease;
    const isBounded: boolean = !first || (first.isObserved && bound !== undefined && bound < first.day);
    const day = isBounded ? undefined : first!.day;
    const notAfter = isBounded ? bound : undefined;
    if (line.firstReleaseDay !== day || line.firstReleaseNotAfter !== notAfter) changed.push(line);
    line.firstReleaseDay = day;
    line.firstReleaseNotAfter = notAfter;
    // The day on which a run of ours noticed a version says nothing about older lines.
    const began = !isBounded && first!.isNoticed ? undefined : (day ?? notAfter);
    if (began !== undefined && (bound === undefined || began < bound)) bound = began;
    if (moved.has(line)) left -= 1;
    // The older lines are bounded as they were.
    else if (left === 0 && line.bound === bound) break;
    line.bound = bound;
  }
  return changed;
}
