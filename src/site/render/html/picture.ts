import {
  addMonths,
  type Day,
  countDaysSinceEpoch,
  startOfQuarter,
} from '../../../core/model/dates.ts';
import { hasEnded, findLastFreePhase, listIfSeveral } from '../../../core/model/phases.ts';
import { type State, states, computeSupportOn } from '../../../core/model/states.ts';
import { type DayRange, stateLabels, stateTones } from '../../../core/model/words.ts';
import type { Phase } from '../../../core/schemas/definition/phase.ts';
import { markup, type Markup } from './markup.ts';
import {
  computeTicks,
  roundToHundredth,
  computePercent,
  createTimeAxis,
  type TimeAxis,
} from './time-axis.ts';

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

type Tone = 'ok' | 'soon' | 'over' | 'gone' | 'none';

/**
 * A part of a bar, in percent of the axis. `tail`: up to the latest possible end; `fade-in`: before the latest possible
 * beginning.
 */
interface Segment {
  readonly kind: 'bar' | 'bar later-phase' | 'bar paid-phase' | 'bar fade-in' | 'tail';
  readonly from: number;
  readonly to: number;
}

interface PictureTrack {
  readonly tone: Tone;
  readonly segments: readonly Segment[];
  /** An SVG path, in days since 1970; empty if no release is drawn. */
  readonly marks: string;
  readonly viewBox: string;
}

interface Key {
  readonly tone: Tone;
  readonly kind: Segment['kind'] | 'marks';
  readonly text: string;
}

export interface Picture<Row = unknown> {
  readonly axis: TimeAxis;
  readonly ticks: ReturnType<typeof computeTicks>;
  /** The width of a day and the offset of the axis: the number of a day since 1970 is its place. */
  readonly unit: string;
  readonly origin: string;
  /** The side of the line of today that has its name. */
  readonly todayName: 'start' | 'middle' | 'end';
  /** The rows with their tracks. */
  readonly tracks: readonly (Row & PictureTrack)[];
  readonly legend: readonly Key[];
}

/** More marks cannot be distinguished. */
const mostMarks = 200;

/** Draws all rows over one axis, by default an axis that includes all rows and `day`. */
export function drawPicture<Row extends PictureRow>(
  rows: readonly Row[],
  day: Day,
  axis = chooseAxis(rows, day),
): Picture<Row> {
  const tracks = rows.map((row) => ({ ...row, ...drawRow(row, axis, day) }));
  return {
    axis,
    ticks: computeTicks(axis),
    unit: `${100 / axis.days}%`,
    origin: `${(-100 * axis.from) / axis.days}%`,
    todayName: placeTodayName(computePercent(axis, startOfQuarter(day))),
    tracks,
    legend: describeLegend(rows, tracks, day),
  };
}

/** The side of the name of today that has room. `percent`: the position of today. */
function placeTodayName(percent: number): Picture['todayName'] {
  if (percent < 20) {
    return 'start';
  }

  return percent > 70 ? 'end' : 'middle';
}

/** From the first beginning to the last end. `limits`: in months around the present quarter. */
export function chooseAxis(
  rows: readonly PictureRow[],
  day: Day,
  limits?: { back: number; ahead: number },
): TimeAxis {
  const quarter = startOfQuarter(day);

  const days = rows
    .flatMap(({ phases = [], ...row }) => [
      findStart(row),
      ...row.releaseDays,
      ...phases.map(({ until, untilAtMost }) => untilAtMost ?? until),
    ])
    .filter((value) => value !== undefined);

  if (days.length === 0 || rows.some(({ state }) => state !== 'ended')) {
    // The picture reaches to the end of the year, so without other ends it changes only with the year.
    days.push(quarter, `${day.slice(0, 4)}-12-31`);
  }

  days.sort();
  const [first = quarter] = days;
  const last = days.at(-1) ?? quarter;
  if (!limits) {
    return createTimeAxis(first, last);
  }

  const [oldest, newest] = [addMonths(quarter, -limits.back), addMonths(quarter, limits.ahead)];
  return createTimeAxis(first < oldest ? oldest : first, last > newest ? newest : last);
}

export function chooseTone(row: Pick<PictureRow, 'state' | 'phases'>, day: Day): Tone {
  return stateTones[findDrawnState(row, day)];
}

/** A deprecated line may still be supported. */
function findDrawnState({ state, phases }: Pick<PictureRow, 'state' | 'phases'>, day: Day): State {
  const support = computeSupportOn({ phases }, day);
  return state === 'deprecated' && support.isSupported ? support.state : state;
}

function findStart({ began }: PictureRow): Day | undefined {
  return began.atMost ?? began.from;
}

function drawRow(row: PictureRow, axis: TimeAxis, day: Day): PictureTrack {
  const tone = chooseTone(row, day);
  return {
    tone: row.isRun && tone === 'over' ? 'gone' : tone,
    segments: listSegments(row, axis, day).filter(({ from, to }) => to > from),
    ...describeMarks(row.releaseDays, axis),
  };
}

function listSegments(row: PictureRow, axis: TimeAxis, day: Day): Segment[] {
  const { phases = [], began, releaseDays } = row;
  const { until, untilAtMost } = findLastFreePhase(phases) ?? {};
  const place = (on: Day) => computePercent(axis, on);
  const isEnded = row.state === 'ended' || row.state === 'withdrawn';
  const knownEnd = until ?? (isEnded ? (untilAtMost ?? releaseDays.at(-1)) : undefined);
  const to = place(knownEnd ?? untilAtMost ?? axis.end);
  const start = findStart(row);
  const from = start === undefined ? Math.min(place(startOfQuarter(day)), to) : place(start);
  const segments: Segment[] = [];

  if (start === undefined || (began.from !== undefined && began.atMost !== undefined)) {
    const earliest = began.from === undefined ? 0 : place(began.from);
    segments.push({ kind: 'bar fade-in', from: earliest, to: from });
  }

  if (knownEnd === undefined && start !== undefined) {
    segments.push({ kind: 'tail', from, to });
  } else {
    segments.push(...divideBar({ kind: 'bar', from, to }, phases, axis, day));
  }

  if (until !== undefined && untilAtMost !== undefined && !isEnded) {
    segments.push({ kind: 'tail', from: place(until), to: place(untilAtMost) });
  }

  return segments;
}

/** A part of the bar for each of several phases. */
function divideBar(bar: Segment, phases: readonly Phase[], axis: TimeAxis, day: Day): Segment[] {
  const parts = listIfSeveral(phases);
  if (parts.length === 0) {
    return [bar];
  }

  const segments: Segment[] = [];
  let { from } = bar;
  for (const [index, phase] of parts.entries()) {
    const openEnd = hasEnded(phase, day) ? from : bar.to;
    const to = phase.until === undefined ? openEnd : computePercent(axis, phase.until);
    const unpaidKind = index === 0 ? 'bar' : 'bar later-phase';
    segments.push({ kind: phase.paid ? 'bar paid-phase' : unpaidKind, from, to });
    from = Math.max(from, to);
  }

  return segments;
}

/** A path with a mark for each day on the axis. */
function describeMarks(
  days: readonly Day[],
  { from, days: length }: TimeAxis,
): Pick<PictureTrack, 'marks' | 'viewBox'> {
  const spread = Math.ceil(length / mostMarks);
  const starts = days
    .map((day) => from + Math.floor((countDaysSinceEpoch(day) - from) / spread) * spread)
    .filter((start) => start >= from && start < from + length);
  // Relative to the previous mark, which takes fewer bytes.
  const marks = [...new Set(starts)].map((start, index, allStarts) =>
    index === 0 ? `M${start} .3v.4` : `m${start - allStarts[index - 1]!}-.4v.4`,
  );
  return { marks: marks.join(''), viewBox: `${from} 0 ${length} 1` };
}

/** One key for each kind of mark in the picture. */
function describeLegend(
  rows: readonly PictureRow[],
  tracks: readonly PictureTrack[],
  day: Day,
): Key[] {
  const tones = (['ok', 'soon', 'over', 'gone', 'none'] as const).filter((each) =>
    tracks.some(({ tone }) => tone === each),
  );

  const chooseWords = (tone: Tone) => {
    const toneRows = rows.filter((_, index) => tracks[index]!.tone === tone);
    const shown = new Set(toneRows.map((row) => findDrawnState(row, day)));
    const names = states.filter((state) => shown.has(state)).map((state) => stateLabels[state]);
    return names.toReversed().join(' or ').toLowerCase();
  };

  const shade = tones[0] ?? 'none';
  const isDrawn = (each: Segment['kind']) =>
    tracks.some(({ segments }) => segments.some(({ kind }) => kind === each));
  const keys: Key[] = tones.map((tone) => ({ tone, kind: 'bar', text: chooseWords(tone) }));
  const add = (kind: Key['kind'], text: string) => keys.push({ tone: shade, kind, text });
  const [first, ...later] = listIfSeveral(
    rows.find(({ phases }) => listIfSeveral(phases).length > 0)?.phases,
  );

  for (const { name, paid } of later) {
    const before = keys.length === tones.length ? `${first?.name}, ` : '';
    const words = `${before}then ${name}`;
    if (paid) {
      add('bar paid-phase', `${words} (paid, not for everyone)`);
    } else {
      add('bar later-phase', words);
    }
  }

  if (isDrawn('tail')) {
    add('tail', 'solid: at least, dashed: at most');
  }
  if (isDrawn('bar fade-in')) {
    add('bar fade-in', 'began on an unknown day');
  }
  if (tracks.some(({ marks }) => marks !== '')) {
    add('marks', 'a release');
  }

  return keys;
}

/** The words of a row: a name before the bar, and the end after it. */
export interface DrawnRow {
  readonly name: Markup;
  readonly until: Markup;
  /** The row of the visitor, the row to move to, or one of the others. */
  readonly mark?: 'highlight' | 'goal' | 'pale' | undefined;
}

/** A picture with its words. */
export function drawPlan(picture: Picture<DrawnRow>, label: string): Markup {
  const items = picture.tracks.map(({ name, until, mark, ...track }) => {
    const tone = `tone-${track.tone}${mark === undefined ? '' : ` ${mark}`}`;
    return markup`<li class="${tone}"><span class="name">${name}</span>${drawTrack(track)}<span class="support-end">${until}</span></li>`;
  });
  return markup`<div class="plan"><div class="chart">${drawScale(picture)}<ul class="bars" aria-label="${label}">${items}</ul></div>${drawLegend(picture)}</div>`;
}

/** The names of years and months, and the lines across the rows, with today. */
export function drawScale(picture: Picture): Markup {
  const { unit, origin, todayName } = picture;
  const today = markup`<svg x="${origin}"><svg width="${unit}"><g class="today"><line y1="20" y2="100%"/><foreignObject width="1" height="20"><span class="${todayName}"></span></foreignObject></g></svg></svg>`;
  return markup`<svg class="scale" aria-hidden="true">${drawNames(picture)}</svg><svg class="grid" aria-hidden="true">${drawLines(picture)}${today}</svg>`;
}

export function drawNames({ ticks }: Pick<Picture, 'ticks'>): Markup {
  const names = ticks.map(({ left, kind, name }) =>
    name === '' ? '' : markup`<text class="${kind}" x="${left}" dx="4" y="34">${name}</text>`,
  );
  return markup`${names}`;
}

export function drawLines({ ticks }: Pick<Picture, 'ticks'>): Markup {
  return markup`${ticks.map(({ left, kind }) => markup`<line class="${kind}" x1="${left}" x2="${left}" y1="24" y2="100%"/>`)}`;
}

export function drawTrack({ segments, marks, viewBox }: PictureTrack): Markup {
  const bars = segments.map(
    ({ kind, from, to }) =>
      markup`<rect class="${kind}" x="${`${from}%`}" y="20%" width="${`${roundToHundredth(to - from)}%`}" height="60%" rx="3"/>`,
  );
  const releases = markup`<svg x="4" viewBox="${viewBox}" preserveAspectRatio="none"><path class="marks" d="${marks}"/></svg>`;
  return markup`<svg class="track" aria-hidden="true">${bars}${marks === '' ? '' : releases}</svg>`;
}

export function drawLegend({ legend }: Picture): Markup {
  const items = legend.map(
    (key) =>
      markup`<li class="tone-${key.tone}"><svg viewBox="0 0 28 14">${drawKey(key)}</svg>${key.text}</li>`,
  );
  return markup`<ul class="legend" aria-hidden="true">${items}</ul>`;
}

export function drawKey({ kind }: Key): Markup {
  return markup`<g class="key ${kind}"><rect class="${kind}" x="1" y="2" width="26" height="10" rx="3"/><path class="${kind}" d="M8 3v8M20 3v8"/></g>`;
}
