import { isDeepStrictEqual } from 'node:util';
import type { DetailsOn } from '../../../ask/answers/details-on.ts';
import { judgeVersion } from '../../../ask/answers/judge-version.ts';
import {
  describeAdvice,
  listGrounds,
  describeState,
} from '../../../ask/answers/verdict-sentences.ts';
import type { Day } from '../../../core/model/dates.ts';
import { findNewestRelease } from '../../../core/model/move-to.ts';
import { pick } from '../../../core/model/objects.ts';
import { findLastFreePhase } from '../../../core/model/phases.ts';
import { describePresentPhase, stateLabels } from '../../../core/model/words.ts';
import { formatCount, formatNumber, formatRange } from '../../../core/text/wording.ts';
import { findKnownEnd, type Component } from '../../../decide/component.ts';
import { isLineOpen, type JudgedLine, type JudgedRelease } from '../../../decide/judge.ts';
import { nameReleaseAnchor } from './anchors.ts';
import { drawVerdict, createEndView } from './markup.ts';
import { drawPicture, chooseTone, type PictureRow } from './picture.ts';
import { describeLeftOut, createReleaseTable } from './release-rows.ts';
import { describeYears } from './time-axis.ts';

/** Every open line has a row. Ended lines and releases are limited, because large tables are slow. `details/` has all. */
const maxOpen = 1000;
const maxEndedLines = 60;
const maxReleases = 300;
/** The number of lines that ended last, shown for comparison; more if no line is open. */
const maxEnded = 3;
const maxEndedAlone = 12;

/** The newest line is open unless it has more releases. */
const maxOpenReleases = 5;

/** A line with the releases that fit on the page, newest first. */
interface ShownLine {
  readonly line: JudgedLine;
  readonly releases: readonly JudgedRelease[];
}

/** Lines that end together, newest first. */
interface ShownRow {
  readonly newest: JudgedLine;
  readonly oldest: JudgedLine;
  readonly lines: readonly ShownLine[];
}

/**
 * The release lines of a component with their verdicts and releases, newest first. Lines that end together share a row. `today`:
 * the same component as answers see it.
 */
export function createLineList(
  { judgement }: Component,
  today: DetailsOn,
  replacement: DetailsOn | undefined,
) {
  const { lines, releases, latest, day } = judgement;
  const { shown, older } = divideLines(lines.toReversed());
  const groups = groupNeighbours(shown, (each, newer) => haveSameEnd(each.line, newer.line));
  const rows = groups.map((group) => createPictureRow(createRow(group)));
  const picture = drawPicture(rows, day);
  const openLine = latest?.line ?? shown[0]?.line.name;
  const isDrawn = picture.tracks.some(({ segments, marks }) => segments.length > 0 || marks !== '');
  const listedCount = [...shown, ...older].flatMap((each) => each.releases).length;

  return {
    summary: describeSummary(lines),
    hasReleases: releases.length > 0,
    picture: isDrawn && { ...picture, years: describeYears(picture.axis) },
    shown: picture.tracks.map((row) => ({
      ...createRowView(row, openLine, today, replacement),
      track: isDrawn && row,
    })),
    older: older.map((each) => createRowView(createRow([each]), openLine, today, replacement)),
    olderSize: describeOlder(older.map(({ line }) => line)),
    left: describeLeftOut(releases.length - listedCount),
  };
}

function createRowView(
  row: ShownRow,
  openLine: string | undefined,
  today: DetailsOn,
  replacement: DetailsOn | undefined,
) {
  const { day } = today;
  const names = row.lines.map(({ line }) => line.name);
  const shown = row.lines.flatMap(({ releases }) => releases);
  const versions = new Set(shown.map(({ version }) => version));
  const count = row.lines.reduce((sum, { line }) => sum + line.releases.length, 0);

  return {
    ...createHeadView(row, day),
    isOpen: openLine !== undefined && names.includes(openLine) && count <= maxOpenReleases,
    // A row of several lines has a place for the links to each of them.
    places: names.length > 1 ? names.map((name) => `line-${name}`) : [],
    verdicts: listVerdicts(names, versions, today, replacement),
    table: shown.length > 0 && createReleaseTable('Releases', shown, day),
    left: describeLeftOut(count - shown.length),
  };
}

/**
 * The verdicts on lines, newest first, in the words of every answer. Neighbours with the same words share a verdict. `shown`: the
 * versions that have a row.
 */
function listVerdicts(
  names: readonly string[],
  shown: ReadonlySet<string>,
  today: DetailsOn,
  replacement: DetailsOn | undefined,
) {
  const verdicts = names.map((name) => {
    const verdict = judgeVersion(today, { version: name, replacement });
    const because = [...listGrounds(today, verdict)];
    return { name, verdict, advice: describeAdvice(today, verdict, replacement), because };
  });

  const groups = groupNeighbours(verdicts, (verdict, newer) =>
    isDeepStrictEqual([verdict.advice, verdict.because], [newer.advice, newer.because]),
  );
  return groups.map((group) => {
    const [{ name, verdict, advice, because }] = group;
    const oldest = group.at(-1) ?? group[0];
    const sentence = describeState(today, { ...verdict, version: formatRange(oldest.name, name) });
    // The row of a release has the address of the line that it names.
    const named = group.filter((each) => !shown.has(each.name));
    return {
      anchors: named.map((each) => nameReleaseAnchor(each.name)),
      drawn: drawVerdict('p', { sentence, advice, because }),
    };
  });
}

/** Joins each item to the one before if both belong together. */
function groupNeighbours<Item>(
  items: readonly Item[],
  belongTogether: (item: Item, before: Item) => boolean,
): [Item, ...Item[]][] {
  const groups: [Item, ...Item[]][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group && belongTogether(item, group[0])) {
      group.push(item);
    } else {
      groups.push([item]);
    }
  }
  return groups;
}

/** Divides lines, newest first: all open lines and the last ended ones, and the older ones. */
function divideLines(lines: readonly JudgedLine[]): { shown: ShownLine[]; older: ShownLine[] } {
  const open = lines.filter(isLineOpen).slice(0, maxOpen);
  const ended = lines.filter((line) => !isLineOpen(line));
  const lastEnded = takeLastEnded(ended, open.length === 0 ? maxEndedAlone : maxEnded);
  const chosen = new Set([...open, ...lastEnded]);

  const shown = lines.filter((line) => chosen.has(line));
  const older = lines.filter((line) => !chosen.has(line)).slice(0, maxEndedLines);
  const allLines = shareReleases([...shown, ...older]);
  return { shown: allLines.slice(0, shown.length), older: allLines.slice(shown.length) };
}

/** Some ended lines, and the following ones that end together with the last of them, which share its row. */
function takeLastEnded(ended: readonly JudgedLine[], count: number): JudgedLine[] {
  const taken = ended.slice(0, count);
  const [last] = taken.slice(-1);
  for (const line of ended.slice(count, count + maxEndedLines)) {
    if (!last || !haveSameEnd(line, last)) {
      break;
    }

    taken.push(line);
  }
  return taken;
}

/** Gives each line an equal share of the releases on the page, and unused shares to the first lines. */
function shareReleases(lines: readonly JudgedLine[]): ShownLine[] {
  const share = Math.floor(maxReleases / Math.max(lines.length, 1));
  let unused = maxReleases;
  for (const { releases } of lines) {
    unused -= Math.min(share, releases.length);
  }

  const shownLines: ShownLine[] = [];
  for (const line of lines) {
    const extra = Math.min(unused, Math.max(0, line.releases.length - share));
    unused -= extra;
    shownLines.push({ line, releases: line.releases.toReversed().slice(0, share + extra) });
  }
  return shownLines;
}

/** Whether two lines have the same state and the same known end. */
function haveSameEnd(line: JudgedLine, other: JudgedLine): boolean {
  const joinKey = ({ state, phases }: JudgedLine) =>
    JSON.stringify([
      state,
      phases.map((phase) => pick(phase, ['name', 'until', 'untilAtMost', 'paid'])),
    ]);

  return findKnownEnd(line) !== undefined && joinKey(line) === joinKey(other);
}

function createRow(lines: readonly [ShownLine, ...ShownLine[]]): ShownRow {
  const oldest = lines.at(-1) ?? lines[0];
  return { newest: lines[0].line, oldest: oldest.line, lines };
}

function createPictureRow(row: ShownRow): ShownRow & PictureRow {
  const { state, phases, began } = row.oldest;
  const releases = row.lines.flatMap(({ line }) => line.releases);
  const releaseDays = releases.map(({ releaseDay }) => releaseDay).filter((on) => on !== undefined);
  return { ...row, state, phases, began, releaseDays: releaseDays.sort() };
}

/** `39 lines: 6 supported, 33 ended`. */
function describeSummary(lines: readonly JudgedLine[]): string {
  const byState = Map.groupBy(lines.toReversed(), ({ state }) => state);
  const counts = Array.from(
    byState,
    ([state, { length }]) => `${formatNumber(length)} ${stateLabels[state].toLowerCase()}`,
  );
  return `${formatCount(lines.length, 'line')}: ${counts.join(', ')}`;
}

function describeOlder(older: readonly JudgedLine[]): string {
  const size = formatCount(older.length, 'older line');
  const quantifier = older.length > 1 ? 'all ' : '';
  return `${size}, ${quantifier}${older.some((line) => line.isSupported !== false) ? 'deprecated' : 'ended'}`;
}

/** Lines that end together are named by their range: `13.1 to 21.2`. */
function createHeadView({ newest: line, oldest, lines }: ShownRow, day: Day) {
  const { name, releases, phases } = line;
  const version = findNewestRelease(releases)?.version ?? name;
  const { until, untilAtMost } = findLastFreePhase(phases) ?? {};
  const head =
    lines.length === 1
      ? { id: `line-${name}`, name, small: version === name ? '' : version }
      : {
          id: '',
          name: formatRange(oldest.name, name),
          small: formatCount(lines.length, 'line'),
        };

  return {
    ...head,
    isLts: line.isLts,
    tone: chooseTone(line, day),
    end: createLineEndView(line, day),
    atMost: line.isSupported && until !== undefined ? untilAtMost : undefined,
    phase: describePresentPhase(line),
  };
}

/** The end of a line in words, or its state if it has no end. */
export function createLineEndView(line: JudgedLine, day: Day) {
  const { phases, state, isSupported, undatedEnd } = line;
  const view = createEndView(findLastFreePhase(phases) ?? {}, day);
  if (view.words !== '' && undatedEnd === undefined) {
    return { ...view, isNear: state === 'ends-soon' };
  }

  const words = undatedEnd === undefined ? 'no end announced' : 'until the next line';
  return { ...view, words: isSupported ? words : stateLabels[state].toLowerCase() };
}
