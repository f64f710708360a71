import type { Day } from '../core/dates.ts';
import type { Definition } from '../core/schemas/definition.ts';
import type { RecordedData, StatedLine } from '../core/schemas/recorded.ts';
import { supportSourceId } from '../core/schemas/source.ts';
import type { DayRange } from '../core/words.ts';
import type { Release } from './releases.ts';

/** The releases that are supported together, oldest first, and the facts that a support policy looks at. */
export interface ReleaseLine {
  readonly name: string;
  readonly releases: readonly Release[];
  /** Whether it has a release that is no prerelease and is not withdrawn. Another line pushes no other out of support. */
  readonly isOpen: boolean;
  /** When it began: exact without `atMost`, else between bounds. Empty where nothing is known. */
  readonly began: DayRange;
}

/** Release lines in version order, as known on a day. `releases` must be in version order. `stated`: when lines began, as a source states it. */
export function groupByLine(
  releases: readonly Release[],
  day: Day,
  stated: readonly StatedLine[] = [],
): ReleaseLine[] {
  const firstDays = new Map(stated.map(({ line, firstReleaseDate }) => [line, firstReleaseDate]));
  const lines = [...Map.groupBy(releases, (release) => release.line)].map(([name, ofLine]) => {
    const isOpen = ofLine.some(
      ({ isPrerelease, recorded: { withdrawnSince = '9999' } }) => !isPrerelease && withdrawnSince > day,
    );
    // A prerelease begins a line only if the line has nothing else.
    const stable = ofLine.filter(({ isPrerelease }) => !isPrerelease);
    const own = firstDay(stable.length > 0 ? stable : ofLine);
    const statedDay = firstDays.get(name);
    const isStated = statedDay !== undefined && statedDay <= (own.atMost ?? own.from ?? day);
    return { name, releases: ofLine, isOpen, own: isStated ? { from: statedDay } : own };
  });
  const latest = latestStarts(lines.map(({ own }) => own));
  return lines.map(({ name, releases: ofLine, isOpen, own }, index) => {
    const before = lines.slice(0, index).findLast((line) => isExact(line.own));
    return { name, releases: ofLine, isOpen, began: narrow(own, before?.own.from, latest[index]) };
  });
}

function isExact({ from, atMost }: DayRange): boolean {
  return from !== undefined && atMost === undefined;
}

/** A source that answered without a release shows that it came no earlier; a release that was seen had come. */
function releaseDayOf({ releaseDay, timestampKind, recorded }: Release): DayRange {
  if (releaseDay !== undefined && timestampKind !== 'observed') return { from: releaseDay };
  const atMost = releaseDay ?? recorded.firstSeen;
  return atMost === undefined ? {} : { from: recorded.notListedOn, atMost };
}

/** When the first of some releases came out. `releases`: in version order, in which their days are supposed to grow. */
function firstDay(releases: readonly Release[]): DayRange {
  const days = releases.map(releaseDayOf);
  const [earliest] = days.flatMap(({ from, atMost }) => atMost ?? from ?? []).sort();
  if (earliest === undefined) return {};
  const place = days.findIndex((range) => isExact(range) && range.from === earliest);
  if (place !== -1 && days.slice(0, place).every(isExact)) return { from: earliest };
  const { from } = days[0]!;
  return from === undefined || from > earliest ? { atMost: earliest } : { from, atMost: earliest };
}

/** For each line, the earliest day by which any newer one had begun: in a scheme whose numbers grow, it began no later. */
function latestStarts(starts: readonly DayRange[]): (Day | undefined)[] {
  let bound: Day | undefined;
  return starts
    .toReversed()
    .map(({ from, atMost = from }) => {
      const known = bound;
      if (atMost !== undefined && (bound === undefined || atMost < bound)) bound = atMost;
      return known;
    })
    .reverse();
}

/** A day between bounds of its own, `earliest` and `latest`; an exact day stays. */
function narrow({ from, atMost }: DayRange, earliest: Day | undefined, latest: Day | undefined): DayRange {
  if (from !== undefined && atMost === undefined) return { from };
  const end = atMost === undefined || (latest !== undefined && latest < atMost) ? latest : atMost;
  if (end === undefined) return {};
  const start = from === undefined || (earliest !== undefined && earliest > from) ? earliest : from;
  // Bounds that contradict each other prove nothing below.
  return start === undefined || start > end ? { atMost: end } : { from: start, atMost: end };
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
