import {
  addMonths,
  countDaysSinceEpoch,
  findLatestDay,
  startOfQuarter,
  type Day,
  type DayRange,
} from '../../../core/model/dates.ts';
import { hasEnded, findLastFreePhase, listNamedPhases } from '../../../core/model/phases.ts';
import { type State, states, computeSupportOn } from '../../../core/model/states.ts';
import { findTone, stateLabels, stateTones } from '../../../core/model/words.ts';
import type { Phase } from '../../../core/schemas/definition/phase.ts';
import { computePercent, computeTicks, createTimeAxis, type TimeAxis } from './time-axis.ts';

/** The facts that a row of a picture shows. */
export interface PictureRow {
  readonly state: State;
  readonly phases?: readonly Phase[] | undefined;
  /** The first day; empty if it is unknown. */
  readonly began: DayRange;
  /** A mark for each. */
  readonly releaseDays: readonly Day[];
  /** The visitor runs it, so an end in the past is a warning. */
  readonly isRun?: boolean;
}

const tones = ['ok', 'soon', 'over', 'gone', 'none'] as const;

type Tone = (typeof tones)[number];

/**
 * A part of a bar, in percent of the axis. `fade-in`: before the latest possible beginning. `tail`: up to the latest possible end,
 * or to the end of the axis if no end is known.
 */
interface Segment {
  readonly kind:
    | 'bar'
    | 'bar later-phase'
    | 'bar paid-phase'
    | 'bar paid-phase no-end'
    | 'bar fade-in'
    | 'tail'
    | 'tail no-end';
  readonly from: number;
  readonly to: number;
  /** The name of a later or paid phase. */
  readonly phase?: string;
}

export interface PictureTrack {
  readonly tone: Tone;
  readonly segments: readonly Segment[];
  /** An SVG path, in days since 1970; empty if no release is drawn. */
  readonly marks: string;
  readonly viewBox: string;
}

export interface LegendKey {
  readonly tone: Tone;
  readonly kind: Segment['kind'] | 'marks';
  readonly text: string;
}

/** The axis of a picture as it is drawn. */
export type Scale = ReturnType<typeof layOutScale>;

export interface Picture<Row = unknown> extends Scale {
  /** The rows with their tracks. */
  readonly tracks: readonly (Row & PictureTrack)[];
  readonly legend: readonly LegendKey[];
}

/** More marks cannot be distinguished. */
const maxMarks = 200;

/** Places all rows on one axis. */
export function layOutPicture<Row extends PictureRow>(
  rows: readonly Row[],
  day: Day,
  axis = chooseAxis(rows, day),
): Picture<Row> {
  const tracks = rows.map((row) => ({ ...row, ...layOutRow(row, axis, day) }));
  return { ...layOutScale(axis, day), tracks, legend: describeLegend(tracks, day) };
}

export function layOutScale(axis: TimeAxis, day: Day) {
  return {
    axis,
    ticks: computeTicks(axis),
    /** The width of a day. `today.css` moves the line of today by its days since 1970. */
    unit: `${100 / axis.days}%`,
    /** The position of 1970-01-01, left of the picture. */
    origin: `${(-100 * countDaysSinceEpoch(axis.start)) / axis.days}%`,
    todayName: chooseTodayName(computePercent(axis, startOfQuarter(day))),
  };
}

/**
 * The part of the name of today that is at its line: at an edge of the picture, the name has room on one side only. `percent`: the
 * position of the present quarter.
 */
function chooseTodayName(percent: number): 'start' | 'middle' | 'end' {
  if (percent < 20) {
    return 'start';
  }

  return percent > 70 ? 'end' : 'middle';
}

/** The months around the present quarter that a picture may show: an end in the year 9999 means that there is none. */
const widestMonths = { back: 600, ahead: 600 };

/** From the first beginning to the last end, within some months around the present quarter. */
export function chooseAxis(
  rows: readonly PictureRow[],
  day: Day,
  { back, ahead } = widestMonths,
): TimeAxis {
  const quarter = startOfQuarter(day);
  const days = rows
    .flatMap(({ phases = [], began, releaseDays }) => [
      findCertainStart(began),
      ...releaseDays,
      ...phases.map(({ until, untilAtMost }) => untilAtMost ?? until),
    ])
    .filter((on) => on !== undefined);

  const isPast = rows.every(({ state, phases }) => state === 'ended' && !phases?.some(isOpenPaid));
  if (days.length === 0 || !isPast) {
    // The picture reaches to the end of the year, so without other ends it changes only with the year.
    days.push(quarter, `${day.slice(0, 4)}-12-31`);
  }

  days.sort();
  const [first = quarter] = days;
  const last = days.at(-1) ?? quarter;
  const [oldest, newest] = [addMonths(quarter, -back), addMonths(quarter, ahead)];
  return createTimeAxis(
    findLatestDay(oldest, first),
    findLatestDay(oldest, last > newest ? newest : last),
  );
}

/** The state that a line is drawn in: a deprecated line may still be supported. */
export function findDrawnState(
  { state, phases }: Pick<PictureRow, 'state' | 'phases'>,
  day: Day,
): State {
  const support = computeSupportOn({ phases }, day);
  return state === 'deprecated' && support.isSupported ? support.state : state;
}

/** The first day that is certain; undefined if no day is known. */
export function findCertainStart({ from, atMost }: DayRange): Day | undefined {
  return atMost ?? from;
}

function layOutRow(row: PictureRow, axis: TimeAxis, day: Day): PictureTrack {
  const state = findDrawnState(row, day);
  return {
    tone: row.isRun ? findTone(state) : stateTones[state],
    segments: listSegments(row, axis, day).filter(({ from, to }) => to > from),
    ...layOutMarks(row.releaseDays, axis),
  };
}

/**
 * A fade-in before a beginning that is not exact, then a bar as long as support is certain, then a tail as long as it is possible.
 */
function listSegments(row: PictureRow, axis: TimeAxis, day: Day): Segment[] {
  const { phases = [], began } = row;
  const toPercent = (on: Day) => computePercent(axis, on);
  const { from: certainEnd, atMost: latestEnd } = findDrawnEnd(row);
  const barEnd = toPercent(certainEnd ?? latestEnd ?? axis.end);
  const start = findCertainStart(began);
  // A row of unknown age has begun by the present quarter, or by its end.
  const barStart =
    start === undefined ? Math.min(toPercent(startOfQuarter(day)), barEnd) : toPercent(start);
  const segments: Segment[] = [];

  // Before an exact beginning, it has no width, and is not drawn.
  const earliest = start === undefined ? axis.start : began.from;
  if (earliest !== undefined) {
    segments.push({ kind: 'bar fade-in', from: toPercent(earliest), to: barStart });
  }

  if (certainEnd === undefined) {
    const kind = latestEnd === undefined ? 'tail no-end' : 'tail';
    segments.push({ kind, from: barStart, to: barEnd });
    return segments;
  }

  segments.push(...divideBar({ kind: 'bar', from: barStart, to: barEnd }, phases, axis, day));
  if (latestEnd !== undefined) {
    segments.push({ kind: 'tail', from: barEnd, to: toPercent(latestEnd) });
  }

  return segments;
}

/**
 * The end of free support. A row that is past has a single end: the first known one of the earliest possible day, the latest
 * possible day, and the last release.
 */
function findDrawnEnd({ state, phases, releaseDays }: PictureRow): DayRange {
  const { until, untilAtMost } = findLastFreePhase(phases) ?? {};
  const isPast = state === 'ended' || state === 'withdrawn';
  return isPast
    ? { from: until ?? untilAtMost ?? releaseDays.at(-1) }
    : { from: until, atMost: untilAtMost };
}

/** Whether only paying customers have a phase whose last day is not known. */
function isOpenPaid({ paid, until, isOver }: Phase): boolean {
  return paid === true && until === undefined && !isOver;
}

/** The bar itself, or a part for each of several phases. Paid ones may be behind the bar. */
function divideBar(bar: Segment, phases: readonly Phase[], axis: TimeAxis, day: Day): Segment[] {
  const parts = listNamedPhases(phases);
  if (parts.length === 0) {
    return [bar];
  }

  const segments: Segment[] = [];
  let { from } = bar;
  for (const [index, phase] of parts.entries()) {
    const { name, paid, until, untilAtMost } = phase;
    const isOpen = isOpenPaid(phase);
    const latestEnd = isOpen ? (untilAtMost ?? axis.end) : until;
    // A free phase without a known end takes the rest of the bar, or no room if it is over.
    const rest = hasEnded(phase, day) ? from : bar.to;
    const to = latestEnd === undefined ? rest : computePercent(axis, latestEnd);
    const paidKind = isOpen ? 'bar paid-phase no-end' : 'bar paid-phase';
    if (index === 0 && !paid) {
      segments.push({ kind: 'bar', from, to });
    } else {
      segments.push({ kind: paid ? paidKind : 'bar later-phase', from, to, phase: name });
    }
    from = Math.max(from, to);
  }

  return segments;
}

/** Marks for the days on the axis, in days since 1970: one for several days that cannot be distinguished. */
export function layOutMarks(
  releaseDays: readonly Day[],
  { start, end, days }: TimeAxis,
): Pick<PictureTrack, 'marks' | 'viewBox'> {
  const origin = countDaysSinceEpoch(start);
  const daysPerMark = Math.ceil(days / maxMarks);
  const markedDays = new Set<number>();
  for (const day of releaseDays) {
    if (day >= start && day < end) {
      const count = countDaysSinceEpoch(day);
      markedDays.add(count - ((count - origin) % daysPerMark));
    }
  }
  return { marks: writeMarks(markedDays, '.3', '.4'), viewBox: `${origin} 0 ${days} 1` };
}

/** A path with a vertical mark at each position. */
export function writeMarks(positions: Iterable<number>, top: string, height: string): string {
  return Array.from(positions, (position) => `M${position} ${top}v${height}`).join('');
}

/** A key for each tone in the picture, then for each other kind of mark, drawn in the first of these tones. */
function describeLegend(tracks: readonly (PictureRow & PictureTrack)[], day: Day): LegendKey[] {
  const shownTones = tones.filter((tone) => tracks.some((track) => track.tone === tone));
  const [tone = 'none'] = shownTones;
  const kinds = new Set<LegendKey['kind']>(
    tracks.flatMap(({ segments }) => segments.map(({ kind }) => kind)),
  );
  if (tracks.some(({ marks }) => marks !== '')) {
    kinds.add('marks');
  }

  const keys = shownTones.map((shown): LegendKey => {
    const rows = tracks.filter((track) => track.tone === shown);
    return { tone: shown, kind: 'bar', text: nameStates(rows, day) };
  });

  keys.push(...describeLaterPhases(tracks, tone));
  for (const { kind, text } of otherKeys) {
    if (kinds.has(kind)) {
      keys.push({ tone, kind, text });
    }
  }
  return keys;
}

/** The meaning of the marks that are the same for every tone and phase. */
const otherKeys = [
  { kind: 'tail', text: 'solid: at least, dashed: at most' },
  { kind: 'tail no-end', text: 'dashed: until an unknown day' },
  { kind: 'bar fade-in', text: 'began on an unknown day' },
  { kind: 'marks', text: 'a release' },
] as const;

function nameStates(rows: readonly PictureRow[], day: Day): string {
  const shown = new Set(rows.map((row) => findDrawnState(row, day)));
  const names = states.filter((state) => shown.has(state)).map((state) => stateLabels[state]);
  return names.toReversed().join(' or ').toLowerCase();
}

/** A key for each kind of later phase, with its name if all rows have the same. */
function describeLaterPhases(tracks: readonly PictureTrack[], tone: Tone): LegendKey[] {
  const segments = tracks.flatMap((track) => track.segments);
  const phases = segments.filter(({ phase }) => phase !== undefined);
  const byKind = Map.groupBy(phases, ({ kind }) => kind);

  return Array.from(byKind, ([kind, [{ phase }, ...others]]) => {
    const isShared = others.every((other) => other.phase === phase);
    const words = isShared ? `then ${phase}` : 'a later phase';
    const note = kind === 'bar later-phase' ? '' : ' (paid, not for everyone)';
    const end = kind === 'bar paid-phase no-end' ? ' until an unknown day' : '';
    return { tone, kind, text: words + note + end };
  });
}
