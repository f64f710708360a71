import { newestFirst, type Day } from '../core/dates.ts';
import type { Definition } from '../core/schemas/definition.ts';
import type { RecordedData, StatedLine, TimestampKind } from '../core/schemas/recorded.ts';
import { supportSourceId } from '../core/schemas/source.ts';
import type { Release } from './releases.ts';

/** The releases that are supported together, oldest first, and what a support policy looks at. */
export interface ReleaseLine {
  readonly name: string;
  readonly releases: readonly Release[];
  /** Whether it has a release that is no prerelease and is not withdrawn. Another line pushes no other out of support. */
  readonly isOpen: boolean;
  /** Day of the earliest release whose day is known. */
  readonly firstReleaseDay?: Day;
  /** Whether upstream states that day; an observed one is an upper bound. */
  readonly firstReleaseKind?: TimestampKind;
  /**
   * The earliest first day among the newer lines, where nobody states when this line began and that is the tighter bound.
   * The line cannot have begun later than that, in a scheme whose numbers grow.
   */
  readonly firstReleaseNotAfter?: Day;
}

/** Release lines in version order, as of a day. `releases` must be in version order. `stated`: when lines began, as a source states it. */
export function groupByLine(
  releases: readonly Release[],
  day: Day,
  stated: readonly StatedLine[] = [],
): ReleaseLine[] {
  const firstDays = new Map(stated.map(({ line, firstReleaseDate }) => [line, firstReleaseDate]));
  const lines = [...Map.groupBy(releases, (release) => release.line)];
  let bound: Day | undefined;
  // From the newest to the oldest: by when a line had begun bounds the older ones.
  return lines
    .toReversed()
    .map(([name, of]): ReleaseLine => {
      const isOpen = of.some(
        ({ isPrerelease, recorded: { withdrawnSince = '9999' } }) => !isPrerelease && withdrawnSince > day,
      );
      // A prerelease begins a line only if the line has nothing else.
      const first = earliest(of.filter(({ isPrerelease }) => !isPrerelease)) ?? earliest(of);
      const isObserved = first?.timestampKind === 'observed';
      const statedDay = firstDays.get(name);
      if (statedDay !== undefined && !(statedDay > (first?.releaseDay ?? day))) {
        if (bound === undefined || statedDay < bound) bound = statedDay;
        return { name, releases: of, isOpen, firstReleaseDay: statedDay, firstReleaseKind: 'published' };
      }
      if (!first || (isObserved && bound !== undefined && bound < first.releaseDay!))
        return { name, releases: of, isOpen, ...(bound !== undefined && { firstReleaseNotAfter: bound }) };
      const firstReleaseDay = first.releaseDay!;
      // The day on which a run of ours noticed a version says nothing about older lines.
      const isNoticed = isObserved && first.recorded.firstSeen === firstReleaseDay;
      if (!isNoticed && (bound === undefined || firstReleaseDay < bound)) bound = firstReleaseDay;
      const firstReleaseKind = isObserved ? 'observed' : 'published';
      return { name, releases: of, isOpen, firstReleaseDay, firstReleaseKind };
    })
    .reverse();
}

/** The earliest of those whose day is known; of one day, one whose day is stated. */
function earliest(releases: readonly Release[]): Release | undefined {
  const dated = releases.filter(({ releaseDay }) => releaseDay !== undefined);
  const doubt = ({ timestampKind }: Release) => Number(timestampKind === 'observed');
  return dated.sort((a, b) => newestFirst(b.releaseDay!, a.releaseDay!) || doubt(a) - doubt(b))[0];
}

/** The recorded release lines that the source of a definition states. */
export function statedLinesIn(
  { lines = [] }: Pick<RecordedData, 'lines'>,
  { support }: Pick<Definition, 'support'>,
): StatedLine[] {
  const id = supportSourceId(support);
  return lines.filter(({ source, withdrawnSince }) => source === id && withdrawnSince === undefined);
}

/** The newest release of a line; a prerelease only where it has nothing else. */
export function newestRelease<R extends { isPrerelease: boolean }>(releases: readonly R[]): R {
  return releases.findLast((release) => !release.isPrerelease) ?? releases.at(-1)!;
}
