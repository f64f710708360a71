/** Bars on an axis of whole years, in per cent of its width. Templates draw them: `scale.hbs`, `track.hbs`. */
import { countDays, type Day } from '../../core/day.ts';
import type { Line, Release } from '../../core/schema/published.ts';
import { formatDay } from '../../core/words.ts';
import { describeLegend } from './legend.ts';

interface Row {
  line: Line;
  releases: readonly Release[];
}
/** Where a day is; of none, the right edge. */
type Place = (day: Day | undefined) => number;

/** With more years than these, quarters have no lines, and not every year has a name. */
const maxYearsInQuarters = 5;
const maxNames = 8;

/** From the first beginning to the last end, at most so many `years` before and after today. */
export function layOutPicture<R extends Row>(rows: readonly R[], today: Day, years = 40) {
  const days = rows.flatMap(({ line }) => [
    line.sinceAtMost ?? line.since,
    line.supportedUntilAtMost ?? line.supportedUntil,
    ...line.phases.map(({ until }) => until),
  ]);
  const year = readYear(today);
  const shown = [year, ...days.flatMap((day) => (day ? readYear(day) : []))];
  const first = Math.max(Math.min(...shown), year - years);
  const last = Math.min(Math.max(...shown), year + years);

  const start = `${first}-01-01`;
  const width = countDays(start, `${last + 1}-01-01`);
  const place: Place = (day) => {
    const share = day === undefined ? 1 : countDays(start, day) / width;
    return round(Math.min(Math.max(share, 0), 1) * 100);
  };
  const at = place(today);
  const drawn = rows.map((row) => ({ ...row, track: layOutTrack(row, place, today) }));
  return {
    ticks: listTicks(first, last, place),
    today: { at, name: `today, ${formatDay(today)}`, anchor: chooseAnchor(at) },
    rows: drawn,
    legend: describeLegend(drawn),
  };
}

function readYear(day: Day): number {
  return Number(day.slice(0, 4));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** At an edge, the name of today stays within the picture. */
function chooseAnchor(at: number): string {
  if (at < 15) {
    return 'start';
  }

  return at > 85 ? 'end' : 'middle';
}

/** A line for each quarter or year, with the names of years. */
function listTicks(first: number, last: number, place: Place) {
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const yearsPerName = Math.ceil(years.length / maxNames);
  const parts = years.length > maxYearsInQuarters ? [] : ['04', '07', '10'];
  return years.flatMap((year) => [
    {
      x: place(`${year}-01-01`),
      kind: 'year',
      name: (year - first) % yearsPerName === 0 ? String(year) : '',
    },
    ...parts.map((month) => ({ x: place(`${year}-${month}-01`), kind: 'part', name: '' })),
  ]);
}

function layOutTrack({ line, releases }: Row, place: Place, today: Day) {
  const days = releases
    .flatMap(({ releaseTimestamp }) => releaseTimestamp?.slice(0, 10) ?? [])
    .sort();
  const bars = listBars(line, days.at(-1), place, today)
    .map(({ kind, from, to }) => ({ kind, x: from, width: round(to - from) }))
    .filter(({ width }) => width > 0);
  const marks = [...new Set(days.map(place))].filter((x) => x > 0 && x < 100);
  return { bars, marks: marks.map((x) => `M${x} .3v.4`).join('') };
}

/** A part of a bar, between two places. */
interface Part {
  kind: string;
  from: number;
  to: number;
}

/**
 * A fade before a beginning that is not exact, a bar for each phase while support is certain, a tail while it is possible.
 * `newest`: the day of the newest release.
 */
function listBars(line: Line, newest: Day | undefined, place: Place, today: Day): Part[] {
  const { phases, since, sinceAtMost, supportedUntil, supportedUntilAtMost, state } = line;
  const isOver = state === 'ended';
  const lastDay = isOver ? (supportedUntilAtMost ?? newest) : undefined;
  const end = supportedUntil ?? lastDay;
  const atMost = isOver ? undefined : supportedUntilAtMost;
  const barEnd = place(end ?? atMost);
  const certainStart = sinceAtMost ?? since;
  const start = Math.min(place(certainStart ?? today), barEnd);

  const parts: Part[] = [];
  if (sinceAtMost !== undefined || certainStart === undefined) {
    parts.push({ kind: 'bar fade-in', from: since === undefined ? 0 : place(since), to: start });
  }
  if (end !== undefined) {
    parts.push(...listPhases(phases, { start, end: barEnd }, place));
  }
  if (end === undefined || atMost !== undefined) {
    const kind = atMost === undefined ? 'tail no-end' : 'tail';
    parts.push({ kind, from: end === undefined ? start : barEnd, to: place(atMost) });
  }
  return parts;
}

/** Paid phases may be behind the end of the bar. */
function listPhases(
  phases: Line['phases'],
  bar: { start: number; end: number },
  place: Place,
): Part[] {
  const ends = phases.map(({ until, paid }) => {
    const open = paid ? place(undefined) : bar.end;
    return until === undefined ? open : place(until);
  });
  return phases.map(({ paid }, index) => {
    const kind = index === 0 ? 'bar' : 'bar later-phase';
    return {
      kind: paid ? 'bar paid-phase' : kind,
      from: Math.max(bar.start, ...ends.slice(0, index)),
      to: ends[index]!,
    };
  });
}
