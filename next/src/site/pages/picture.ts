/** Bars on an axis of time, in per cent of its width. Templates draw them: `scale.hbs`, `track.hbs`. */
import { addDays, addMonths, countDays, type Day } from '../../core/day.ts';
import type { Line, Phase } from '../../core/schema/published.ts';
import { formatDay, stateTones, type Tone } from '../../core/words.ts';

export interface Row {
  line: Line;
  releaseDays: readonly Day[];
}
interface Axis {
  start: Day;
  days: number;
}
type Track = ReturnType<typeof layOutTrack>;

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
  const known = rows
    .flatMap(({ line, releaseDays }) => [
      line.sinceAtMost ?? line.since,
      ...releaseDays,
      line.supportedUntilAtMost ?? line.supportedUntil,
      ...line.phases.map(({ until }) => until),
    ])
    .filter((day) => day !== undefined);
  const sorted = [...known, today, `${today.slice(0, 4)}-12-31`].sort();
  const year = Number(today.slice(0, 4));
  const bound = (day: Day) =>
    [`${year - back}${today.slice(4)}`, day, `${year + ahead}${today.slice(4)}`].sort()[1]!;
  const [first, last] = [bound(sorted[0]!), bound(sorted.at(-1)!)];

  const start = startOfQuarter(first);
  const days = countDays(start, addMonths(startOfQuarter(last), 3));
  if (days <= maxDaysByQuarter) {
    return { start, days };
  }

  const firstYear = `${first.slice(0, 4)}-01-01`;
  return {
    start: firstYear,
    days: countDays(firstYear, addMonths(`${last.slice(0, 4)}-01-01`, 12)),
  };
}

function startOfQuarter(day: Day): Day {
  return addMonths(`${day.slice(0, 7)}-01`, -((Number(day.slice(5, 7)) - 1) % 3));
}

function place({ start, days }: Axis, day: Day): number {
  return round(Math.min(Math.max(countDays(start, day) / days, 0), 1) * 100);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A line for each quarter or year, with the names of years. */
function listTicks(axis: Axis) {
  const end = addDays(axis.start, axis.days);
  const months = axis.days <= maxDaysByQuarter ? 3 : 12;
  const yearsPerName = Math.ceil(axis.days / 366 / maxYears);
  const ticks = [];
  for (let day = axis.start; day < end; day = addMonths(day, months)) {
    const year = Number(day.slice(0, 4));
    const isYear = day.endsWith('-01-01') || (day === axis.start && day.slice(5) < '08');
    const isNamed = isYear && (year - Number(axis.start.slice(0, 4))) % yearsPerName === 0;
    ticks.push({
      x: place(axis, day),
      kind: isYear ? 'year' : 'part',
      name: isNamed ? String(year) : '',
    });
  }
  return ticks;
}

function layOutTrack({ line, releaseDays }: Row, axis: Axis, today: Day) {
  const bars = [...listBars(line, releaseDays, axis, today)]
    .map(({ kind, from, to }) => ({ kind, x: from, width: round(to - from) }))
    .filter(({ width }) => width > 0);
  const marks = new Set(releaseDays.map((day) => countDays(axis.start, day)));
  const shown = [...marks].filter((mark) => mark >= 0 && mark < axis.days);
  return {
    bars,
    marks: shown.map((mark) => `M${mark} .3v.4`).join(''),
    viewBox: `0 0 ${axis.days} 1`,
  };
}

/** A fade before a beginning that is not exact, a bar as long as support is certain, a tail as long as it is possible. */
function* listBars(line: Line, releaseDays: readonly Day[], axis: Axis, today: Day) {
  const { since, sinceAtMost, supportedUntil, supportedUntilAtMost, state } = line;
  const at = (day: Day) => place(axis, day);
  const isOver = state === 'ended' || state === 'withdrawn';
  const end = supportedUntil ?? (isOver ? (supportedUntilAtMost ?? releaseDays.at(-1)) : undefined);
  const atMost = isOver ? undefined : supportedUntilAtMost;
  const barEnd = at(end ?? atMost ?? '9999-12-31');
  const certainStart = sinceAtMost ?? since;
  const start = Math.min(at(certainStart ?? today), barEnd);

  if (sinceAtMost !== undefined || certainStart === undefined) {
    yield { kind: 'bar fade-in', from: since === undefined ? 0 : at(since), to: start };
  }
  if (end === undefined) {
    yield { kind: atMost === undefined ? 'tail no-end' : 'tail', from: start, to: barEnd };
    return;
  }

  yield* divideBar(line.phases, start, barEnd, at);
  if (atMost !== undefined) {
    yield { kind: 'tail', from: barEnd, to: at(atMost) };
  }
}

/** A part for each phase; paid ones may be behind the bar. */
function* divideBar(
  phases: readonly Phase[],
  start: number,
  end: number,
  at: (day: Day) => number,
) {
  let from = start;
  for (const [index, { until, paid }] of phases.entries()) {
    const open = paid ? 100 : end;
    const to = until === undefined ? open : at(until);
    const free = index === 0 ? 'bar' : 'bar later-phase';
    yield { kind: paid ? 'bar paid-phase' : free, from, to };
    from = Math.max(from, to);
  }
  if (phases.length === 0) {
    yield { kind: 'bar', from, to: end };
  }
}

const keys = [
  { kind: 'bar later-phase', text: 'a later phase' },
  { kind: 'bar paid-phase', text: 'a paid phase, not for everyone' },
  { kind: 'tail', text: 'solid: at least, dashed: at most' },
  { kind: 'tail no-end', text: 'dashed: until an unknown day' },
  { kind: 'bar fade-in', text: 'began on an unknown day' },
];

const tones: Readonly<Record<Tone, string>> = {
  ok: 'supported',
  soon: 'ends soon, or may have ended',
  over: 'ended',
  none: 'no end stated',
};

function describeLegend(rows: readonly Row[], tracks: readonly Track[]) {
  const kinds = new Set(tracks.flatMap(({ bars }) => bars.map(({ kind }) => kind)));
  const used = new Set(rows.map(({ line }) => stateTones[line.state]));
  const entries = (Object.keys(tones) as Tone[])
    .filter((tone) => used.has(tone))
    .map((tone) => ({ tone, kind: 'bar', text: tones[tone] }));
  const tone = entries[0]?.tone ?? 'none';
  const others = keys.filter(({ kind }) => kinds.has(kind));
  if (tracks.some(({ marks }) => marks !== '')) {
    others.push({ kind: 'marks', text: 'a release' });
  }
  return [...entries, ...others.map((key) => ({ tone, ...key }))];
}
