import { dayNumber, type Day } from '../../../core/dates.ts';
import { isLineOpen, type JudgedLine, type JudgedRelease } from '../../../decide/judge.ts';
import { isSoon } from './staircase.ts';
import { timeAxis, type TimeAxis } from './time-axis.ts';

/** The picture in the row of a release line: paths, a unit wide for a day since 1970, and one unit high. */
interface LinePicture {
  /** Undefined where nobody knows when the line began. */
  readonly bar?: { readonly kind: string; readonly path: string } | undefined;
  /** Empty where no day is known. */
  readonly dots: string;
}

const middle = 0.5;
/** How many dots can be told apart. */
const maxDots = 200;

/**
 * From the first release to the last end. Where something goes on without a known end, up to the end of the year of the
 * `day`, so that the page moves with a new year and on no day between.
 */
export function lineAxis(lines: readonly JudgedLine[], day: Day): TimeAxis | undefined {
  const days = lines.flatMap(daysOf).sort();
  if (days.length === 0) return undefined;
  const ahead = lines.some(isLineOpen) ? [`${day.slice(0, 4)}-12-31`] : [];
  return timeAxis(days[0]!, [days.at(-1)!, ...ahead].sort().at(-1)!);
}

export function linePicture(line: JudgedLine, axis: TimeAxis, day: Day): LinePicture {
  const { firstReleaseDay, releases } = line;
  // Lines of no length with round ends.
  const spread = Math.ceil(axis.days / maxDots);
  const places = releaseDays(releases).map((each) => Math.floor(dayNumber(each) / spread) * spread);
  return {
    bar: firstReleaseDay === undefined ? undefined : barOf(line, firstReleaseDay, axis, day),
    dots: Array.from(new Set(places), (place) => `M${place} ${middle}h0`).join(''),
  };
}

export function endsSoon({ isSupported, eolFrom }: JudgedLine, day: Day): boolean {
  return isSupported === true && eolFrom !== undefined && isSoon(day, eolFrom);
}

/** From the first release to the end; where that is not known, to the end of the picture or to the last release. */
function barOf(line: JudgedLine, from: Day, axis: TimeAxis, day: Day): LinePicture['bar'] {
  const { eolFrom, isSupported } = line;
  const to = (last: Day) => `M${dayNumber(from)} ${middle}H${dayNumber(last)}`;
  if (eolFrom === undefined) {
    if (!isLineOpen(line)) return { kind: 'over', path: to(daysOf(line).at(-1)!) };
    return { kind: isSupported ? 'open promised' : 'open', path: to(axis.end) };
  }
  const running = endsSoon(line, day) ? 'bar soon' : 'bar';
  return { kind: isSupported ? running : 'over', path: to(eolFrom) };
}

function daysOf({ releases, eolFrom }: JudgedLine): Day[] {
  return [...releaseDays(releases), ...(eolFrom === undefined ? [] : [eolFrom])].sort();
}

function releaseDays(releases: readonly JudgedRelease[]): Day[] {
  return releases.flatMap(({ releaseDay }) => releaseDay ?? []);
}
