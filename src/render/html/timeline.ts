import { supportInShort } from '../../answers/line-words.ts';
import { daysBetween, type Day } from '../../dates.ts';
import { isLineSupported, type JudgedLine } from '../../policy/judge.ts';
import { counted, listed } from '../../text.ts';

/** Coordinates of the picture, in units of its view box. */
export interface Timeline {
  width: number;
  height: number;
  title: string;
  description: string;
  ticks: { x: number; label: string; top: number; bottom: number }[];
  rows: TimelineRow[];
  /** Names the supported lines that one would look for in vain; empty where there are none. */
  undated: string;
}

interface TimelineRow {
  status: 'supported' | 'unsupported';
  label: string;
  /** The end of its support in words. */
  support: string;
  wordsAt: number;
  baseline: number;
  bar: { x: number; y: number; width: number; height: number };
  /** Points of an arrow where support has no stated end; empty elsewhere. */
  arrow: string;
  releases: { x: number; y: number }[];
}

const maxRows = 14;
const labelWidth = 88;
const chartWidth = 440;
const wordsWidth = 232;
const rowHeight = 28;
const barHeight = 14;
const headHeight = 28;

type DatedLine = JudgedLine & { firstReleaseDay: Day };

/**
 * The newest release lines and how long they are supported. Nothing in it depends on the day but verdicts, so that the
 * page stays the same from one day to the next. Undefined where no line has a known day.
 */
export function timelineOf(title: string, lines: readonly JudgedLine[]): Timeline | undefined {
  const dated = lines.filter((line): line is DatedLine => line.firstReleaseDay !== undefined);
  if (dated.length === 0) return undefined;
  const shown = selectLines(dated);
  const axis = axisOf(shown);
  const height = headHeight + shown.length * rowHeight;
  return {
    width: labelWidth + chartWidth + wordsWidth,
    height,
    title: `Support of the release lines of ${title}`,
    description:
      `${shown.length === lines.length ? counted(shown.length, 'release line') : `${shown.length} of ${counted(lines.length, 'release line')}`}, ` +
      `newest first: a bar from the first release to the end of support, a dot for each release. The list below says the same in words.`,
    ticks: axis.ticks.map((tick) => ({ ...tick, top: headHeight - 6, bottom: height })),
    rows: shown.map((line, index) => rowOf(line, index, axis)),
    undated: undatedNote(lines),
  };
}

const maxUndated = 5;

function undatedNote(lines: readonly JudgedLine[]): string {
  const undated = lines.filter((line) => line.firstReleaseDay === undefined && isLineSupported(line));
  if (undated.length === 0) return '';
  const names = undated.toReversed().map(({ name }) => name);
  return `Supported, but not in the picture, because no day of a release is known: ${listed(names, maxUndated)}.`;
}

/** Supported lines before others, the newest of each; shown newest first. */
function selectLines(lines: readonly DatedLine[]): DatedLine[] {
  const newestFirst = lines.toReversed();
  const preferred = [
    ...newestFirst.filter(isLineSupported),
    ...newestFirst.filter((line) => !isLineSupported(line)),
  ].slice(0, maxRows);
  return newestFirst.filter((line) => preferred.includes(line));
}

interface Axis {
  /** Where a day lies; days off the axis lie at its ends. */
  at(day: Day): number;
  ticks: { x: number; label: string }[];
}

const maxTicks = 8;

/** Whole years, or quarters where all lies within two years. */
function axisOf(lines: readonly DatedLine[]): Axis {
  const days = lines.flatMap((line) => [line.firstReleaseDay, lastDayOf(line)]).sort();
  const firstYear = Number(days[0]!.slice(0, 4));
  const endYear = Number(days.at(-1)!.slice(0, 4)) + 1;
  const start = `${pad(firstYear)}-01-01`;
  const length = daysBetween(start, `${pad(endYear)}-01-01`);
  const at = (day: Day) =>
    round(labelWidth + (chartWidth * Math.min(Math.max(daysBetween(start, day), 0), length)) / length);
  const years = Array.from({ length: endYear - firstYear }, (_, index) => firstYear + index);
  const step = Math.ceil(years.length / maxTicks);
  const ticks =
    years.length > 2
      ? years
          .filter((_, index) => index % step === 0)
          .map((year) => ({ day: `${pad(year)}-01-01`, label: String(year) }))
      : years
          .flatMap((year) => ['01', '04', '07', '10'].map((month) => `${pad(year)}-${month}`))
          .map((month) => ({ day: `${month}-01`, label: month }));
  return { at, ticks: ticks.map(({ day, label }) => ({ x: at(day), label })) };
}

function lastDayOf(line: DatedLine): Day {
  let last = line.eolFrom ?? line.firstReleaseDay;
  for (const { releaseDay } of line.releases)
    if (releaseDay !== undefined && releaseDay > last) last = releaseDay;
  return last;
}

function rowOf(line: DatedLine, index: number, axis: Axis): TimelineRow {
  const isSupported = isLineSupported(line);
  const top = headHeight + index * rowHeight;
  const middle = top + rowHeight / 2;
  const x = axis.at(line.firstReleaseDay);
  const isOpen = isSupported && line.eolFrom === undefined;
  const end = isOpen ? labelWidth + chartWidth : axis.at(line.eolFrom ?? lastDayOf(line));
  const dots = new Set<number>();
  for (const { releaseDay } of line.releases)
    if (releaseDay !== undefined) dots.add(Math.round(axis.at(releaseDay)));
  return {
    status: isSupported ? 'supported' : 'unsupported',
    label: shorten(line.name),
    support: supportInShort(line),
    wordsAt: labelWidth + chartWidth + 16,
    baseline: middle + 4,
    bar: { x, y: middle - barHeight / 2, width: round(Math.max(end - x, 4)), height: barHeight },
    arrow: isOpen
      ? `${end},${middle - barHeight / 2} ${end + 7},${middle} ${end},${middle + barHeight / 2}`
      : '',
    releases: [...dots].map((dot) => ({ x: dot, y: middle })),
  };
}

function shorten(name: string): string {
  return name.length > 11 ? `${name.slice(0, 10)}…` : name;
}

function pad(year: number): string {
  return String(year).padStart(4, '0');
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
