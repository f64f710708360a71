import { lineStatus, supportInShort } from '../../answers/line-words.ts';
import { daysBetween, type Day } from '../../dates.ts';
import { isLineOpen, type JudgedLine } from '../../policy/judge.ts';
import { counted, listed } from '../../text.ts';

const maxRows = 14;
const labelWidth = 88;
const chartWidth = 440;
const wordsWidth = 232;
const rowHeight = 28;
const barHeight = 14;
const headHeight = 28;

type DatedLine = JudgedLine & { firstReleaseDay: Day };

/**
 * A picture of the newest release lines and how long they are supported, in units of its view box. Only verdicts make it
 * depend on the day, so that the page stays the same from one day to the next. Undefined where no line has a known day.
 */
export function timelineOf(title: string, lines: readonly JudgedLine[]) {
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

/** Names the open lines that a reader would miss in the picture; empty where there are none. */
function undatedNote(lines: readonly JudgedLine[]): string {
  const undated = lines.filter((line) => line.firstReleaseDay === undefined && isLineOpen(line));
  if (undated.length === 0) return '';
  const names = undated.toReversed().map(({ name }) => name);
  return `Not in the picture, because no day of a release is known: ${listed(names, maxUndated)}.`;
}

/** The newest open lines and, if there is room, the newest others; in version order, newest first. */
function selectLines(lines: readonly DatedLine[]): DatedLine[] {
  const newestFirst = lines.toReversed();
  const preferred = [
    ...newestFirst.filter(isLineOpen),
    ...newestFirst.filter((line) => !isLineOpen(line)),
  ].slice(0, maxRows);
  return newestFirst.filter((line) => preferred.includes(line));
}

interface Axis {
  /** Position of a day; days off the axis lie at its ends. */
  at(day: Day): number;
  ticks: { x: number; label: string }[];
}

const maxTicks = 8;

/** Whole years, or quarters if everything lies within two years. */
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
  const days = line.releases.flatMap(({ releaseDay }) => releaseDay ?? []);
  return [line.eolFrom ?? line.firstReleaseDay, ...days].sort().at(-1)!;
}

function rowOf(line: DatedLine, index: number, axis: Axis) {
  const top = headHeight + index * rowHeight;
  const middle = top + rowHeight / 2;
  const x = axis.at(line.firstReleaseDay);
  const isEndless = isLineOpen(line) && line.eolFrom === undefined;
  const end = isEndless ? labelWidth + chartWidth : axis.at(line.eolFrom ?? lastDayOf(line));
  const days = line.releases.flatMap(({ releaseDay }) => releaseDay ?? []);
  const dots = new Set(days.map((day) => Math.round(axis.at(day))));
  return {
    status: lineStatus(line),
    label: shorten(line.name),
    support: supportInShort(line),
    wordsAt: labelWidth + chartWidth + 16,
    baseline: middle + 4,
    bar: { x, y: middle - barHeight / 2, width: round(Math.max(end - x, 4)), height: barHeight },
    // Points to the right of a bar whose end is not stated.
    arrow: isEndless
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
