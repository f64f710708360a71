import { lineStatus, newestRelease, supportInShort } from '../../answers/line-words.ts';
import { addDays, dayNumber, type Day } from '../../dates.ts';
import { isLineOpen, type JudgedLine, type JudgedRelease } from '../../policy/judge.ts';
import type { Component } from '../../policy/component.ts';
import { counted } from '../../text.ts';
import { releaseAnchor } from '../addresses.ts';
import { daysIn } from './days-in-text.ts';
import { timeAxis, type TimeAxis } from './time-axis.ts';

/** More are a burden for a browser; `details/` has all. */
const maxLines = 60;
/** Of lines that nobody promises to support, as many as a first look takes. */
const maxListed = 12;
/** Lines that ended last, for comparison. */
const maxEnded = 3;

/** Of the picture in a row, which is one unit high, and a unit wide for a day. */
const middle = 0.5;

/** The release lines as a table with a picture on one axis, newest first. */
export function lineTables({ name, definition, judgement }: Component, anchors: ReadonlySet<string>): object {
  const { shown, older, left } = divide(judgement.lines.toReversed());
  const axis = axisOf(shown, judgement.day);
  const row = (line: JudgedLine) => rowOf(line, anchors, axis);
  return {
    component: name,
    title: definition.title,
    axis: axis && { ...axis, firstYear: axis.start.slice(0, 4), lastYear: addDays(axis.end, -1).slice(0, 4) },
    rows: shown.map(row),
    older: older.map((line) => rowOf(line, anchors, undefined)),
    olderSize: olderSize(older),
    left: left > 0 ? counted(left, 'older release line') : '',
  };
}

interface Division {
  shown: JudgedLine[];
  older: JudgedLine[];
  /** How many the page has no place for. */
  left: number;
}

/** Newest first. What is supported is seen at once, as far as a page can hold it. */
function divide(lines: readonly JudgedLine[]): Division {
  const open = lines.filter(isLineOpen);
  const first = open.slice(0, open.some((line) => line.isSupported) ? maxLines : maxListed);
  const others = lines.filter((line) => !first.includes(line));
  const ended = others.slice(0, Math.min(first.length === 0 ? maxListed : maxEnded, maxLines - first.length));
  const shown = lines.filter((line) => first.includes(line) || ended.includes(line));
  const older = lines.filter((line) => !shown.includes(line)).slice(0, maxLines - shown.length);
  return { shown, older, left: lines.length - shown.length - older.length };
}

function olderSize(older: readonly JudgedLine[]): string {
  const verdict = older.some(isLineOpen) ? '' : ', all of them ended';
  return `${counted(older.length, 'older line')}${verdict}`;
}

function rowOf(line: JudgedLine, anchors: ReadonlySet<string>, axis: TimeAxis | undefined): object {
  const newest = newestRelease(line.releases).version;
  const anchor = releaseAnchor(newest);
  return {
    anchor: `line-${line.name}`,
    name: line.name,
    newest,
    newestAnchor: anchors.has(anchor) ? anchor : '',
    size: line.releases.length > 1 ? counted(line.releases.length, 'release') : '',
    status: lineStatus(line),
    support: daysIn(supportInShort(line)),
    bar: axis && barOf(line, axis),
    dots: axis ? dotsOf(line, axis) : '',
  };
}

/** Whole years up to the end of the present one where something goes on, so that the picture moves only with a new year. */
function axisOf(lines: readonly JudgedLine[], today: Day): TimeAxis | undefined {
  const days = lines.flatMap(daysOf).sort();
  if (days.length === 0) return undefined;
  const ahead = lines.some(isLineOpen) ? [`${today.slice(0, 4)}-12-31`] : [];
  return timeAxis(days[0]!, [days.at(-1)!, ...ahead].sort().at(-1)!);
}

function daysOf({ releases, eolFrom }: JudgedLine): Day[] {
  return [...releaseDays(releases), ...(eolFrom === undefined ? [] : [eolFrom])].sort();
}

function releaseDays(releases: readonly JudgedRelease[]): Day[] {
  return releases.flatMap(({ releaseDay }) => releaseDay ?? []);
}

/** From the first release to the end; where that is not known, to the end of the picture or to the last release. */
function barOf(line: JudgedLine, axis: TimeAxis): object | undefined {
  const { firstReleaseDay, eolFrom, isSupported } = line;
  if (firstReleaseDay === undefined) return undefined;
  const isOpen = isLineOpen(line);
  const isEndless = isOpen && eolFrom === undefined;
  const last = isEndless ? axis.end : (eolFrom ?? daysOf(line).at(-1)!);
  const openKind = isSupported ? 'open promised' : 'open';
  return {
    kind: isEndless ? openKind : isOpen ? 'bar' : 'over',
    path: `M${dayNumber(firstReleaseDay)} ${middle}H${dayNumber(last)}`,
  };
}

/** How many dots a picture can show. */
const maxDots = 200;

/** Lines of no length with round ends. */
function dotsOf({ releases }: JudgedLine, axis: TimeAxis): string {
  const spread = Math.ceil(axis.days / maxDots);
  const days = releaseDays(releases).map((day) => Math.floor(dayNumber(day) / spread) * spread);
  return Array.from(new Set(days), (day) => `M${day} ${middle}h0`).join('');
}
