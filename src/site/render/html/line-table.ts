import { newestRelease } from '../../../decide/details.ts';
import { lineStatus, shortLineVerdict } from '../../../decide/sentences.ts';
import { addDays, dayNumber, type Day } from '../../../core/dates.ts';
import { isLineOpen, type JudgedLine, type JudgedRelease } from '../../../decide/judge.ts';
import type { Component } from '../../../decide/component.ts';
import { counted } from '../../../core/text.ts';
import { releaseAnchor } from '../addresses.ts';
import { isSoon, timeAxis, type TimeAxis } from './time-axis.ts';

/** More are a burden for a browser; `details/` has all. */
const maxLines = 60;
/** Lines without a support policy, as many as a first look needs. */
const maxListed = 12;
/** Lines that ended last, for comparison. */
const maxEnded = 3;

/** The release lines as a table with a picture on one axis, newest first. */
export function lineTables({ name, definition, judgement }: Component, anchors: ReadonlySet<string>): object {
  const { shown, older, left } = divide(judgement.lines.toReversed());
  const axis = lineAxis(shown, judgement.day);
  const pictureOf = (line: JudgedLine) => axis && linePicture(line, axis, judgement.day);
  return {
    component: name,
    title: definition.title,
    axis: axis && { ...axis, firstYear: axis.start.slice(0, 4), lastYear: addDays(axis.end, -1).slice(0, 4) },
    rows: shown.map((line) => ({
      ...rowOf(line, anchors),
      picture: pictureOf(line),
      isSoon: endsSoon(line, judgement.day),
    })),
    older: older.map((line) => rowOf(line, anchors)),
    olderSize: olderSize(older),
    left: left > 0 ? counted(left, 'older release line') : '',
  };
}

/** Newest first. Supported lines are shown at once, as many as a page can hold; `left` is how many it leaves out. */
function divide(lines: readonly JudgedLine[]) {
  const open = lines.filter(isLineOpen);
  const isPromised = open.some((line) => line.isSupported);
  const first = open.slice(0, isPromised ? maxLines : maxListed);
  const others = lines.filter((line) => !isLineOpen(line));
  const ended = others.slice(0, Math.min(open.length === 0 ? maxListed : maxEnded, maxLines - first.length));
  const chosen = new Set([...first, ...ended]);
  const shown = lines.filter((line) => chosen.has(line));
  const older = lines.filter((line) => !chosen.has(line)).slice(0, maxLines - shown.length);
  return { shown, older, left: lines.length - shown.length - older.length };
}

function olderSize(older: readonly JudgedLine[]): string {
  const size = counted(older.length, 'older line');
  if (older.some(isLineOpen)) return size;
  return `${size}, ${older.length > 1 ? 'all ' : ''}${older.some((line) => line.isSupported !== false) ? 'deprecated' : 'ended'}`;
}

function rowOf(line: JudgedLine, anchors: ReadonlySet<string>): object {
  const newest = newestRelease(line.releases).version;
  const anchor = releaseAnchor(newest);
  return {
    anchor: `line-${line.name}`,
    name: line.name,
    newest,
    newestAnchor: anchors.has(anchor) ? anchor : '',
    size: line.releases.length > 1 ? counted(line.releases.length, 'release') : '',
    status: lineStatus(line),
    support: shortLineVerdict(line),
  };
}

const middle = 0.5;
/** More dots cannot be distinguished. */
const maxDots = 200;

/**
 * From the first release to the last end. If a line has no known end, up to the end of the year of `day`, so that the page
 * changes only with a new year.
 */
function lineAxis(lines: readonly JudgedLine[], day: Day): TimeAxis | undefined {
  const days = lines.flatMap(daysOf).sort();
  if (days.length === 0) return undefined;
  const ahead = lines.some(isLineOpen) ? [`${day.slice(0, 4)}-12-31`] : [];
  return timeAxis(days[0]!, [days.at(-1)!, ...ahead].sort().at(-1)!);
}

/**
 * The picture in the row of a release line: paths, a unit wide for a day since 1970, and one unit high. No bar where the first day
 * of the line is unknown.
 */
function linePicture(line: JudgedLine, axis: TimeAxis, day: Day) {
  const { firstReleaseDay, releases } = line;
  // Lines of no length with round ends.
  const spread = Math.ceil(axis.days / maxDots);
  const places = releaseDays(releases).map((each) => Math.floor(dayNumber(each) / spread) * spread);
  return {
    bar: firstReleaseDay === undefined ? undefined : barOf(line, firstReleaseDay, axis, day),
    dots: Array.from(new Set(places), (place) => `M${place} ${middle}h0`).join(''),
  };
}

function endsSoon({ isSupported, eolFrom }: JudgedLine, day: Day): boolean {
  return isSupported === true && eolFrom !== undefined && isSoon(day, eolFrom);
}

/** From the first release to the end, or else to the end of the picture or to the last release. */
function barOf(line: JudgedLine, from: Day, axis: TimeAxis, day: Day): { kind: string; path: string } {
  const { eolFrom, isSupported } = line;
  const to = (last: Day) => `M${dayNumber(from)} ${middle}H${dayNumber(last)}`;
  if (eolFrom === undefined) {
    if (!isLineOpen(line)) return { kind: 'over', path: to(daysOf(line).at(-1)!) };
    return { kind: isSupported ? 'open promised' : 'open', path: to(axis.end) };
  }
  const running = endsSoon(line, day) ? 'bar soon' : 'bar';
  return { kind: isSupported ? running : 'over', path: to(eolFrom) };
}

function daysOf({ releases, eolFrom }: JudgedLine): Day[] {
  return [...releaseDays(releases), ...(eolFrom === undefined ? [] : [eolFrom])].sort();
}

function releaseDays(releases: readonly JudgedRelease[]): Day[] {
  return releases.flatMap(({ releaseDay }) => releaseDay ?? []);
}
