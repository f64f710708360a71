import { newestRelease } from '../../../decide/lines.ts';
import {
  endInWords,
  lineStatus,
  ownReasonSentences,
  releaseStatus,
  securitySentences,
} from '../../../decide/sentences.ts';
import { lineEnds } from '../../../decide/line-ends.ts';
import { addDays, dayNumber, type Day } from '../../../core/dates.ts';
import { isLineOpen, type JudgedLine, type JudgedRelease } from '../../../decide/judge.ts';
import type { Component } from '../../../decide/component.ts';
import { counted, grouped } from '../../../core/text.ts';
import { phaseList, presentPhase, severalPhases } from '../../../core/phases.ts';
import { releaseAnchor } from '../addresses.ts';
import { isSoon, position, timeAxis, yearTicks, type TimeAxis } from './time-axis.ts';

/** More lines and releases are a burden for a browser; `details/` has all. */
const maxLines = 60;
const maxReleases = 300;
/** Lines without a support policy, as many as a first look needs. */
const maxListed = 12;
/** Lines that ended last, for comparison. */
const maxEnded = 3;

/** A line, and those of its releases that fit on the page, newest first. */
interface ShownLine {
  readonly line: JudgedLine;
  readonly releases: readonly JudgedRelease[];
}

/** The release lines of a component with their releases, newest first. The line of the latest version is open. */
export function lineList(component: Component) {
  const { judgement } = component;
  const ends = Map.groupBy(lineEnds(component), ({ line }) => line);
  const { day, latest } = judgement;
  const { shown, older } = divide(judgement.lines.toReversed());
  const axis = lineAxis(
    shown.map(({ line }) => line),
    day,
  );
  const viewOf = ({ line, releases }: ShownLine) => ({
    ...lineView(line, day),
    isOpen: line.name === (latest?.line ?? shown[0]!.line.name),
    ends: ends.get(line.name) ?? [],
    rows: releases.map(releaseView),
    left: leftOut(line.releases.length - releases.length, 'older release'),
  });
  const rows = [...shown, ...older].flatMap(({ releases }) => releases);
  return {
    summary: summaryOf(judgement.lines),
    axis: axis && {
      ...axis,
      ticks: yearTicks(axis),
      firstYear: axis.start.slice(0, 4),
      lastYear: addDays(axis.end, -1).slice(0, 4),
    },
    shown: shown.map((each) => ({ ...viewOf(each), picture: axis && linePicture(each.line, axis, day) })),
    older: older.map(viewOf),
    olderSize: olderSize(older.map(({ line }) => line)),
    isAnyObserved: rows.some(({ timestampKind }) => timestampKind === 'observed'),
    hasPhases: shown.some(({ line }) => line.phases.length > 1),
    shownReleases: rows.length,
    left: leftOut(judgement.releases.length - rows.length, 'older release'),
  };
}

function leftOut(count: number, noun: string): string {
  return count > 0 ? counted(count, noun) : '';
}

/** Newest first. Lines that are open are shown at once, as many as a page can hold; what does not fit is left out. */
function divide(lines: readonly JudgedLine[]): { shown: ShownLine[]; older: ShownLine[] } {
  const open = lines.filter(isLineOpen);
  const isPromised = open.some((line) => line.isSupported);
  const first = open.slice(0, isPromised ? maxLines : maxListed);
  const others = lines.filter((line) => !isLineOpen(line));
  const ended = others.slice(0, Math.min(open.length === 0 ? maxListed : maxEnded, maxLines - first.length));
  const chosen = new Set([...first, ...ended]);
  const older = lines.filter((line) => !chosen.has(line)).slice(0, maxLines - chosen.size);
  let left = maxReleases;
  const fit = (line: JudgedLine): ShownLine[] => {
    const releases = line.releases.toReversed().slice(0, left);
    left -= releases.length;
    return releases.length > 0 ? [{ line, releases }] : [];
  };
  return { shown: lines.filter((line) => chosen.has(line)).flatMap(fit), older: older.flatMap(fit) };
}

/** `6 supported lines, 33 ended`. */
function summaryOf(lines: readonly JudgedLine[]): string {
  const byStatus = Object.groupBy(lines, lineStatus);
  const counts = [
    ['supported', byStatus.supported],
    ['', byStatus.listed],
    ['deprecated', byStatus.deprecated],
    ['ended', byStatus.unsupported],
  ] as const;
  return counts
    .flatMap(([word, of = []]) => (of.length > 0 ? { word, size: of.length } : []))
    .map(({ word, size }, index) => {
      if (index > 0) return `${grouped(size)} ${word}`;
      return counted(size, word === '' ? 'line' : `${word} line`);
    })
    .join(', ');
}

function olderSize(older: readonly JudgedLine[]): string {
  const size = counted(older.length, 'older line');
  if (older.some(isLineOpen)) return size;
  return `${size}, ${older.length > 1 ? 'all ' : ''}${older.some((line) => line.isSupported !== false) ? 'deprecated' : 'ended'}`;
}

function lineView(line: JudgedLine, day: Day) {
  const { name, releases, phase, phases, eolFrom } = line;
  const newest = newestRelease(releases).version;
  const tone = lineTone(line, day);
  return {
    ...line,
    newest: newest === name ? '' : newest,
    tone,
    endsSoon: tone === 'soon',
    until: endInWords(line) || untilUnknown(line),
    phase: phase && presentPhase(phase, eolFrom),
    phases: phaseList(phases),
    isPaid: phase?.paid,
  };
}

function untilUnknown(line: JudgedLine): string {
  if (!isLineOpen(line)) return 'deprecated';
  return line.isSupported ? 'no end announced' : '';
}

/** The tone of the stylesheet; none for a line that nobody promised to support. */
export function lineTone(line: JudgedLine, day: Day): string {
  const { isSupported, eolFrom } = line;
  if (isSupported && eolFrom !== undefined && isSoon(day, eolFrom)) return 'soon';
  if (!isLineOpen(line)) return 'over';
  return isSupported ? 'ok' : '';
}

function releaseView(release: JudgedRelease) {
  const { version, timestampKind, reasons, isDeprecated, recorded } = release;
  const why = ownReasonSentences(release);
  return {
    ...release,
    anchor: releaseAnchor(version),
    isObserved: timestampKind === 'observed',
    status: why !== '' && isDeprecated && releaseStatus(release),
    why: [why, ...securitySentences(release)].join(' ').trim(),
    links: reasons.flatMap(({ url }) => url ?? []),
    run: recorded.provenance?.run,
  };
}

/** More marks cannot be distinguished. */
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

/** The picture in the row of a line: a bar in per cent of the width, and a dot for each release in days since 1970. */
function linePicture(line: JudgedLine, axis: TimeAxis, day: Day) {
  // Lines of no length with round ends.
  const spread = Math.ceil(axis.days / maxDots);
  const places = releaseDays(line.releases).map((each) => Math.floor(dayNumber(each) / spread) * spread);
  return {
    ...barOf(line, axis, day),
    later: phaseBars(line, axis),
    dots: Array.from(new Set(places), (place) => `M${place} .5h0`).join(''),
  };
}

/** Behind the first phase, which is as solid as a whole bar: lighter ones, and those that are paid. */
function phaseBars({ phases }: JudgedLine, axis: TimeAxis) {
  return severalPhases(phases).flatMap(({ until, paid }, index) => {
    const start = phases[index - 1]?.until;
    if (start === undefined || until === undefined) return [];
    return { kind: paid ? 'paid' : 'bar later', isPaid: paid === true, ...placeOf(start, until, axis) };
  });
}

function placeOf(start: Day, end: Day, axis: TimeAxis) {
  const at = position(axis, start);
  const width = `${Math.round((Number.parseFloat(position(axis, end)) - Number.parseFloat(at)) * 100) / 100}%`;
  return { at, width };
}

/** From the first release to the end, or else to the last release or the end of the picture; `ahead` is drawn from today on. */
function barOf(line: JudgedLine, axis: TimeAxis, day: Day) {
  const { firstReleaseDay, eolFrom } = line;
  const end = eolFrom ?? (isLineOpen(line) ? axis.end : daysOf(line).at(-1));
  if (end === undefined || firstReleaseDay === undefined) {
    const isAhead = line.isSupported === true && eolFrom !== undefined && eolFrom > day;
    return { bar: undefined, ahead: isAhead ? `M0 .2H${dayNumber(eolFrom)}V.8H0z` : '' };
  }
  const kind = eolFrom === undefined && isLineOpen(line) ? 'at-least' : 'bar';
  const first = severalPhases(line.phases)[0]?.until ?? end;
  return { bar: { kind, ...placeOf(firstReleaseDay, first, axis) }, ahead: '' };
}

function daysOf(line: JudgedLine): Day[] {
  return [...releaseDays(line.releases), ...line.phases.flatMap(({ until }) => until ?? [])].sort();
}

function releaseDays(releases: readonly JudgedRelease[]): Day[] {
  return releases.flatMap(({ releaseDay }) => releaseDay ?? []);
}
