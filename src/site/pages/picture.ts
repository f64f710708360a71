/** Computes bars on an axis of whole years, in per cent of its width, for `scale.hbs` and `track.hbs`. */
import { countDays, type Day } from '../../core/day.ts';
import { findLatestEnd, findTone, formatDay } from '../../core/phrases.ts';
import type { Line, Release } from '../../core/schema/published.ts';

/** A release line with its releases: a row of the picture. */
export interface Row {
  line: Line;
  releases: readonly Release[];
}
/** The kind of a bar's part. It is also the class in the stylesheet. */
type Kind = 'bar' | (typeof meanings)[number]['kind'];
/** Returns the position of a day on the axis. Without a day, returns the right edge. */
type Place = (day: Day | undefined) => number;

/** Axes with more years than this don't have lines for quarters. */
const maxYearsInQuarters = 5;
const maxNames = 8;

/**
 * Draws release lines on an axis of whole years. The axis begins with the first year of the oldest line, and ends with the last year in
 * which a line is supported. It always includes this year. `years`: the greatest number of years before and after this year.
 */
export function layOutPicture<R extends Row>(rows: readonly R[], today: Day, years = 40) {
  const days = rows.flatMap(({ line }) => [
    line.sinceAtMost ?? line.since,
    findLatestEnd(line),
    ...line.phases.map(({ until }) => until),
  ]);
  const year = readYear(today);
  const shown = [year, ...days.flatMap((day) => (day ? readYear(day) : []))].sort((a, b) => a - b);
  const first = Math.max(shown[0]!, year - years);
  const last = Math.min(shown.at(-1)!, year + years);

  const axis = `axis-${first}-${last}`;
  const place = layOutAxis(first, last);
  const drawn = rows.map((row) => ({ ...row, track: layOutTrack(row, place, today) }));
  return {
    axis,
    ticks: listTicks(first, last, place),
    rows: drawn,
    legend: describeLegend(drawn),
  };
}

function layOutAxis(first: number, last: number): Place {
  const start = `${first}-01-01`;
  const width = countDays(start, `${last + 1}-01-01`);
  return (day) => {
    const share = day === undefined ? 1 : countDays(start, day) / width;
    return round(Math.min(Math.max(share, 0), 1) * 100);
  };
}

/**
 * Renders `assets/today.css`: the build's date, and its position on each axis. Most pages take the date from this file, so their HTML
 * doesn't change daily.
 */
export function renderToday(asOf: Day, axes: Iterable<string>): string {
  const rules = Array.from(axes, (axis) => {
    const [first = 0, last = 0] = axis.split('-').slice(1).map(Number);
    const at = layOutAxis(first, last)(asOf);
    return `.${axis} .today { transform: translateX(${at}%); text-anchor: ${chooseAnchor(at)}; }\n`;
  });
  return `body { --as-of: "${asOf}"; }\n.built:empty::after { content: "${formatDay(asOf)}"; }\n${rules.sort().join('')}`;
}

function readYear(day: Day): number {
  return Number(day.slice(0, 4));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Returns how the word "today" is aligned. Near an edge of the picture, the word must stay inside. */
function chooseAnchor(at: number): string {
  if (at < 15) {
    return 'start';
  }

  return at > 85 ? 'end' : 'middle';
}

/** Lists the vertical lines for quarters and years, with the names of years. */
function listTicks(first: number, last: number, place: Place) {
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const yearsPerName = Math.ceil(years.length / maxNames);
  const quarters = years.length > maxYearsInQuarters ? [] : ['04', '07', '10'];
  return years.flatMap((year) => [
    {
      x: place(`${year}-01-01`),
      kind: 'year',
      name: (year - first) % yearsPerName === 0 ? String(year) : '',
    },
    ...quarters.map((month) => ({ x: place(`${year}-${month}-01`), kind: 'part', name: '' })),
  ]);
}

function layOutTrack({ line, releases }: Row, place: Place, today: Day) {
  const days = releases
    .flatMap(({ releaseTimestamp }) => releaseTimestamp?.slice(0, 10) ?? [])
    .sort();
  const bars = [...listParts(line, days.at(-1), place, today)]
    .map(({ kind, from, to }) => ({ kind, x: from, width: round(to - from) }))
    .filter(({ width }) => width > 0);
  const marks = [...new Set(days.map(place))].filter((x) => x > 0 && x < 100);
  return { bars, marks: marks.map((x) => `M${x} .3v.4`).join('') };
}

/**
 * Lists the parts of a line's bar:
 * - a fade, if the beginning of support is uncertain
 * - each phase in which support is certain
 * - a tail in which support is possible
 *
 * @param newest The date of the line's newest release. If support ended on an unknown day, the bar ends at this date.
 */
function* listParts(
  line: Line,
  newest: Day | undefined,
  place: Place,
  today: Day,
): Generator<{ kind: Kind; from: number; to: number }> {
  const { phases, since, sinceAtMost, supportedUntil, supportedUntilAtMost, state } = line;
  const isOver = state === 'ended';
  const lastDay = isOver ? (supportedUntilAtMost ?? newest) : undefined;
  const end = supportedUntil ?? lastDay;
  const atMost = isOver ? undefined : supportedUntilAtMost;
  const barEnd = place(end ?? atMost);
  const certainStart = sinceAtMost ?? since;
  const start = Math.min(place(certainStart ?? today), barEnd);

  if (sinceAtMost !== undefined || certainStart === undefined) {
    yield { kind: 'bar fade-in', from: since === undefined ? 0 : place(since), to: start };
  }
  if (end !== undefined) {
    let from = start;
    for (const [index, { until, paid }] of phases.entries()) {
      const freeKind = index === 0 ? 'bar' : 'bar later-phase';
      // A paid phase may last longer than the free support.
      const to = place(until ?? (paid ? undefined : end));
      yield { kind: paid ? 'bar paid-phase' : freeKind, from, to };
      from = Math.max(from, to);
    }
  }
  if (end === undefined || atMost !== undefined) {
    const kind = atMost === undefined ? 'tail no-end' : 'tail';
    yield { kind, from: end === undefined ? start : barEnd, to: place(atMost) };
  }
}

const colours = [
  { tone: 'gone', text: 'vulnerable, or no usable release' },
  { tone: 'ok', text: 'supported' },
  { tone: 'soon', text: 'ends soon, or may have ended' },
  { tone: 'over', text: 'ended' },
  { tone: 'none', text: 'no end stated' },
] as const;

const meanings = [
  { kind: 'bar later-phase', text: 'a later phase' },
  { kind: 'bar paid-phase', text: 'a paid phase, not for everyone' },
  { kind: 'tail', text: 'solid: certain, dashed: possible' },
  { kind: 'tail no-end', text: 'dashed: until an unknown day' },
  { kind: 'bar fade-in', text: 'began on an unknown day' },
  { kind: 'marks', text: 'a release' },
] as const;

/** Lists the legend: the colours of the rows, then the kinds of bar parts. Each kind is drawn in the first of these colours. */
function describeLegend(rows: readonly (Row & { track: ReturnType<typeof layOutTrack> })[]) {
  const tones = rows.map(({ line }) => findTone(line));
  const shown = colours.filter(({ tone }) => tones.includes(tone));
  const kinds = rows.flatMap(({ track: { bars, marks } }) => [
    ...bars.map(({ kind }) => kind),
    marks && 'marks',
  ]);
  const drawn = meanings.filter(({ kind }) => kinds.includes(kind));
  return [
    ...shown.map(({ tone, text }) => ({ kind: 'bar', tone, text })),
    ...drawn.map(({ kind, text }) => ({ kind, tone: shown[0]?.tone, text })),
  ];
}
