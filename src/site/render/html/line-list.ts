import { newestRelease } from '../../../decide/lines.ts';
import { ownReasonSentences, securitySentences } from '../../../decide/sentences.ts';
import { phaseList, presentPhase, stateLabels, stateTones } from '../../../core/words.ts';
import type { State } from '../../../core/states.ts';
import { lineEnds } from '../../../decide/line-ends.ts';
import { addDays, dayNumber, type Day } from '../../../core/dates.ts';
import { isLineOpen, type JudgedLine, type JudgedRelease } from '../../../decide/judge.ts';
import type { Component } from '../../../decide/component.ts';
import { counted, grouped } from '../../../core/text.ts';
import { lastFreePhase, severalPhases } from '../../../core/phases.ts';
import { releaseAnchor } from '../addresses.ts';
import { endView } from './end-view.ts';
import { position, timeAxis, yearTicks, type TimeAxis } from './time-axis.ts';

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
    rows: releases.map((release) => releaseView(release, day)),
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
  const byState = Map.groupBy(lines.toReversed(), ({ state }) => summaryWords[state]);
  return Array.from(byState, ([words, { length: size }], index) => {
    const noun = index > 0 ? '' : size === 1 ? 'line' : 'lines';
    return `${grouped(size)} ${words.replace('*', noun)}`.replaceAll(/ +/g, ' ').trim();
  }).join(', ');
}

const summaryWords: Readonly<Record<State, string>> = {
  supported: 'supported *',
  'ends-soon': 'supported *',
  'may-have-ended': '* that may have ended',
  ended: 'ended *',
  deprecated: 'deprecated *',
  withdrawn: 'withdrawn *',
  'no-promise': '* without a promise',
  'not-listed': '*',
  'not-released': '*',
  'unknown-line': '*',
};

function olderSize(older: readonly JudgedLine[]): string {
  const size = counted(older.length, 'older line');
  if (older.some(isLineOpen)) return size;
  return `${size}, ${older.length > 1 ? 'all ' : ''}${older.some((line) => line.isSupported !== false) ? 'deprecated' : 'ended'}`;
}

function lineView(line: JudgedLine, day: Day) {
  const { name, releases, phase, phases, state } = line;
  const newest = newestRelease(releases).version;
  const { until, untilAtMost } = lastFreePhase(phases) ?? {};
  return {
    ...line,
    newest: newest === name ? '' : newest,
    tone: stateTones[state],
    end: lineEndView(line, day),
    atMost: line.isSupported && until !== undefined ? untilAtMost : undefined,
    phase: presentPhase(line),
    phases: phaseList(phases),
    isPaid: phase?.paid,
  };
}

/** The end of a line in words, also where it has none. */
export function lineEndView(line: JudgedLine, day: Day) {
  const { phases, state, isSupported, undatedEnd } = line;
  const view = endView(lastFreePhase(phases) ?? {}, day);
  if (view.words !== '' && undatedEnd === undefined) return { ...view, isNear: state === 'ends-soon' };
  const open = undatedEnd === undefined ? 'no end announced' : 'until the next line';
  return { ...view, words: isSupported ? open : stateLabels[state].toLowerCase() };
}

function releaseView(release: JudgedRelease, day: Day) {
  const { version, timestampKind, because, isDeprecated, recorded, state } = release;
  const why = ownReasonSentences(release, day);
  return {
    ...release,
    anchor: releaseAnchor(version),
    isObserved: timestampKind === 'observed',
    status: why !== '' && isDeprecated && state !== 'ended' && stateLabels[state].toLowerCase(),
    why: [why, ...securitySentences(release)].join(' ').trim(),
    links: because.flatMap(({ url }) => url ?? []),
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

/**
 * From the first release to the end that one can plan with, or else to the last release or the end of the picture; then
 * dashed up to the latest possible end. `ahead` is drawn from today on.
 */
function barOf(line: JudgedLine, axis: TimeAxis, day: Day) {
  const { until, untilAtMost } = lastFreePhase(line.phases) ?? {};
  const start = line.began.atMost ?? line.began.from;
  const isOpenEnd = until === undefined && untilAtMost === undefined && isLineOpen(line);
  const end = until ?? untilAtMost ?? (isLineOpen(line) ? axis.end : daysOf(line).at(-1));
  if (end === undefined || start === undefined) {
    const isAhead = line.isSupported === true && until !== undefined && until > day;
    return { bar: undefined, beyond: undefined, ahead: isAhead ? `M0 .2H${dayNumber(until)}V.8H0z` : '' };
  }
  const kind = isOpenEnd || until === undefined ? 'at-least' : 'bar';
  const first = severalPhases(line.phases)[0]?.until ?? end;
  const beyond =
    until !== undefined && untilAtMost !== undefined ? placeOf(until, untilAtMost, axis) : undefined;
  return { bar: { kind, ...placeOf(start, first, axis) }, beyond, ahead: '' };
}

function daysOf(line: JudgedLine): Day[] {
  const ends = line.phases.flatMap(({ until, untilAtMost }) => untilAtMost ?? until ?? []);
  return [...releaseDays(line.releases), ...ends].sort();
}

function releaseDays(releases: readonly JudgedRelease[]): Day[] {
  return releases.flatMap(({ releaseDay }) => releaseDay ?? []);
}
