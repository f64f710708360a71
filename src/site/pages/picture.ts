/** Bars on an axis of time, in per cent of its width. Templates draw them: `scale.hbs`, `track.hbs`. */
import { addDays, addMonths, countDays, type Day } from '../../core/day.ts';
import type { Line } from '../../core/schema/published.ts';
import { formatDay, stateTones } from '../../core/words.ts';

export interface Row {
  line: Line;
  releaseDays: readonly Day[];
}
interface Axis {
  start: Day;
  days: number;
  /** Between two lines of it: those of a quarter or a year. */
  months: number;
}

const maxDaysByQuarter = 1500;
const maxYears = 8;

/** From the first beginning to the last end, at most `back` and `ahead` years away, in whole quarters or years. */
export function layOutPicture(
  rows: readonly Row[],
  today: Day,
  { back, ahead } = { back: 40, ahead: 40 },
) {
  const axis = chooseAxis(rows, today, back, ahead);
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

function chooseAxis(rows: readonly Row[], today: Day, back: number, ahead: number): Axis {
  const year = Number(today.slice(0, 4));
  const known = rows.flatMap(({ line, releaseDays }) => [
    line.sinceAtMost ?? line.since,
    ...releaseDays,
    line.supportedUntilAtMost ?? line.supportedUntil,
    ...line.phases.map(({ until }) => until),
  ]);
  const bounds = [`${year - back}${today.slice(4)}`, `${year + ahead}${today.slice(4)}`];
  const shown = [...known, today, `${year}-12-31`]
    .filter((day) => day !== undefined)
    .map((day) => [...bounds, day].sort()[1]!)
    .sort();
  const divide = (months: number): Axis => {
    const start = findStart(shown[0]!, months);
    const end = addMonths(findStart(shown.at(-1)!, months), months);
    return { start, days: countDays(start, end), months };
  };
  const quarters = divide(3);
  return quarters.days > maxDaysByQuarter ? divide(12) : quarters;
}

/** The first day of a quarter or a year. */
function findStart(day: Day, months: number): Day {
  return addMonths(`${day.slice(0, 7)}-01`, -((Number(day.slice(5, 7)) - 1) % months));
}

function place({ start, days }: Axis, day: Day): number {
  return round(Math.min(Math.max(countDays(start, day) / days, 0), 1) * 100);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A line for each quarter or year, with the names of years. */
function listTicks(axis: Axis) {
  const { start, days, months } = axis;
  const end = addDays(start, days);
  const yearsPerName = Math.ceil(days / 366 / maxYears);
  const ticks = [];
  for (let day = start; day < end; day = addMonths(day, months)) {
    const year = Number(day.slice(0, 4));
    const isYear = day.endsWith('-01-01') || (day === start && day.slice(5) < '08');
    const isNamed = isYear && (year - Number(start.slice(0, 4))) % yearsPerName === 0;
    ticks.push({
      x: place(axis, day),
      kind: isYear ? 'year' : 'part',
      name: isNamed ? String(year) : '',
    });
  }
  return ticks;
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

const tones = [
  { tone: 'ok', kind: 'bar', text: 'supported' },
  { tone: 'soon', kind: 'bar', text: 'ends soon, or may have ended' },
  { tone: 'over', kind: 'bar', text: 'ended' },
  { tone: 'none', kind: 'bar', text: 'no end stated' },
];

const kinds = [
  { kind: 'bar later-phase', text: 'a later phase' },
  { kind: 'bar paid-phase', text: 'a paid phase, not for everyone' },
  { kind: 'tail', text: 'solid: certain, dashed: possible' },
  { kind: 'tail no-end', text: 'dashed: until an unknown day' },
  { kind: 'bar fade-in', text: 'began on an unknown day' },
  { kind: 'marks', text: 'a release' },
];

/** What the tones and kinds of these bars mean. */
function describeLegend(rows: readonly Row[], tracks: readonly ReturnType<typeof layOutTrack>[]) {
  const usedTones = new Set<string>(rows.map(({ line }) => stateTones[line.state]));
  const usedKinds = new Set(tracks.flatMap(({ bars }) => bars.map(({ kind }) => kind)));
  if (tracks.some(({ marks }) => marks !== '')) {
    usedKinds.add('marks');
  }
  const entries = tones.filter(({ tone }) => usedTones.has(tone));
  const others = kinds.filter(({ kind }) => usedKinds.has(kind));
  return [...entries, ...others.map((each) => ({ tone: entries[0]?.tone, ...each }))];
}
