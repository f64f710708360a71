/** Bars on an axis of time, in per cent of its width. Templates draw them: `scale.hbs`, `track.hbs`. */
import { countDays, type Day } from '../../core/day.ts';
import type { Line } from '../../core/schema/published.ts';
import { formatDay, stateTones } from '../../core/words.ts';

export interface Row {
  line: Line;
  releaseDays: readonly Day[];
}
interface Years {
  back: number;
  ahead: number;
}
/** Whole years. */
interface Axis {
  first: number;
  last: number;
  start: Day;
  days: number;
}

/** With more years than these, quarters have no lines, and not every year has a name. */
const maxYearsInQuarters = 5;
const maxNames = 8;

/** From the first beginning to the last end, at most so many `years` before and after today. */
export function layOutPicture(
  rows: readonly Row[],
  today: Day,
  years: Years = { back: 40, ahead: 40 },
) {
  const axis = chooseAxis(rows, today, years);
  const tracks = rows.map((row) => layOutTrack(row, axis, today));
  const at = place(axis, today);
  return {
    ticks: listTicks(axis),
    today: { at, name: `today, ${formatDay(today)}`, anchor: chooseAnchor(at) },
    tracks,
    legend: describeLegend(rows, tracks),
  };
}

/** At an edge, the name of today stays within the picture. */
function chooseAnchor(at: number): string {
  if (at < 15) {
    return 'start';
  }

  return at > 85 ? 'end' : 'middle';
}

function chooseAxis(rows: readonly Row[], today: Day, { back, ahead }: Years): Axis {
  const known = rows.flatMap(({ line, releaseDays }) => [
    line.sinceAtMost ?? line.since,
    ...releaseDays,
    line.supportedUntilAtMost ?? line.supportedUntil,
    ...line.phases.map(({ until }) => until),
  ]);
  const days = [...known, today].filter((day) => day !== undefined).sort();
  const year = readYear(today);
  const first = Math.max(readYear(days[0]!), year - back);
  const last = Math.min(readYear(days.at(-1)!), year + ahead);
  const start = `${first}-01-01`;
  return { first, last, start, days: countDays(start, `${last + 1}-01-01`) };
}

function readYear(day: Day): number {
  return Number(day.slice(0, 4));
}

function place({ start, days }: Axis, day: Day): number {
  return round(Math.min(Math.max(countDays(start, day) / days, 0), 1) * 100);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A line for each quarter or year, with the names of years. */
function listTicks(axis: Axis) {
  const { first, last } = axis;
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const yearsPerName = Math.ceil(years.length / maxNames);
  const quarters = years.length > maxYearsInQuarters ? ['01'] : ['01', '04', '07', '10'];
  return years.flatMap((year) =>
    quarters.map((month) => {
      const isYear = month === '01';
      const isNamed = isYear && (year - first) % yearsPerName === 0;
      return {
        x: place(axis, `${year}-${month}-01`),
        kind: isYear ? 'year' : 'part',
        name: isNamed ? String(year) : '',
      };
    }),
  );
}

function layOutTrack(row: Row, axis: Axis, today: Day) {
  const bars = [...listBars(row, axis, today)]
    .map(({ kind, from, to }) => ({ kind, x: from, width: round(to - from) }))
    .filter(({ width }) => width > 0);
  const marks = new Set(row.releaseDays.map((day) => countDays(axis.start, day)));
  const shown = [...marks].filter((mark) => mark >= 0 && mark < axis.days);
  return {
    bars,
    marks: shown.map((mark) => `M${mark} .3v.4`).join(''),
    viewBox: `0 0 ${axis.days} 1`,
  };
}

/** A fade before a beginning that is not exact, a bar for each phase while support is certain, a tail while it is possible. */
function* listBars({ line, releaseDays }: Row, axis: Axis, today: Day) {
  const { phases, since, sinceAtMost, supportedUntil, supportedUntilAtMost, state } = line;
  const at = (day: Day = '9999-12-31') => place(axis, day);
  const isOver = state === 'ended';
  const end = supportedUntil ?? (isOver ? (supportedUntilAtMost ?? releaseDays.at(-1)) : undefined);
  const atMost = isOver ? undefined : supportedUntilAtMost;
  const barEnd = at(end ?? atMost);
  const certainStart = sinceAtMost ?? since;
  const start = Math.min(at(certainStart ?? today), barEnd);

  if (sinceAtMost !== undefined || certainStart === undefined) {
    yield { kind: 'bar fade-in', from: since === undefined ? 0 : at(since), to: start };
  }
  let from = start;
  for (const [index, { until, paid }] of end === undefined ? [] : phases.entries()) {
    // Paid phases may be behind the bar.
    const open = paid ? 100 : barEnd;
    const to = until === undefined ? open : at(until);
    const free = index === 0 ? 'bar' : 'bar later-phase';
    yield { kind: paid ? 'bar paid-phase' : free, from, to };
    from = Math.max(from, to);
  }
  if (end === undefined || atMost !== undefined) {
    const kind = atMost === undefined ? 'tail no-end' : 'tail';
    yield { kind, from: end === undefined ? start : barEnd, to: at(atMost) };
  }
}

const meanings: { tone?: string; kind: string; text: string }[] = [
  { tone: 'ok', kind: 'bar', text: 'supported' },
  { tone: 'soon', kind: 'bar', text: 'ends soon, or may have ended' },
  { tone: 'over', kind: 'bar', text: 'ended' },
  { tone: 'none', kind: 'bar', text: 'no end stated' },
  { kind: 'bar later-phase', text: 'a later phase' },
  { kind: 'bar paid-phase', text: 'a paid phase, not for everyone' },
  { kind: 'tail', text: 'solid: certain, dashed: possible' },
  { kind: 'tail no-end', text: 'dashed: until an unknown day' },
  { kind: 'bar fade-in', text: 'began on an unknown day' },
  { kind: 'marks', text: 'a release' },
];

/** What the tones and kinds of these bars mean. */
function describeLegend(rows: readonly Row[], tracks: readonly ReturnType<typeof layOutTrack>[]) {
  const used = new Set<string>([
    ...rows.map(({ line }) => stateTones[line.state]),
    ...tracks.flatMap(({ bars }) => bars.map(({ kind }) => kind)),
    tracks.some(({ marks }) => marks !== '') ? 'marks' : '',
  ]);
  const shown = meanings.filter(({ tone, kind }) => used.has(tone ?? kind));
  return shown.map((each) => ({ tone: shown[0]!.tone, ...each }));
}
