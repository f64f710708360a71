import { isDeepStrictEqual } from 'node:util';
import type { DetailsOn } from '../../../ask/answers/component-on.ts';
import { judgeVersion } from '../../../ask/answers/judge-version.ts';
import {
  describeAdvice,
  describeState,
  listGrounds,
} from '../../../ask/answers/verdict-sentences.ts';
import { groupNeighbours, pick, type NonEmpty } from '../../../core/model/objects.ts';
import { findNewestRelease } from '../../../core/model/version.ts';
import { describePresentPhase, nameState, stateTones } from '../../../core/model/words.ts';
import { formatCount, formatNumber, formatRange } from '../../../core/text/wording.ts';
import type { Component } from '../../../decide/component.ts';
import { findKnownEnd } from '../../../decide/component-summary.ts';
import { isLineOpen, type JudgedLine, type JudgedRelease } from '../../../decide/judge.ts';
import { nameLineAnchor, nameReleaseAnchor } from './anchors.ts';
import { createLineEndView } from './end-view.ts';
import { drawVerdict } from './markup.ts';
import { findDrawnState, layOutPicture } from './picture.ts';
import { describeLeftOut, createReleaseTable, maxReleases } from './release-list.ts';
import { describeYears } from './time-axis.ts';

/** Large tables are slow, so lines are limited, as releases are. `details/` has all. */
const maxOpen = 1000;
const maxOlder = 60;
/** The lines beyond the last place that its row has, too, if they end together. */
const maxBeyondLastPlace = 60;
/** The number of lines that closed last, shown for comparison; more if no line is open. */
const maxShownClosed = 3;
const maxShownClosedAlone = 12;

/** The line of the latest version is unfolded unless its row has more releases. */
const maxUnfoldedReleases = 5;

type LineRow = ReturnType<typeof createRow>;

/** A component and the one that replaces it, as answers see them. */
interface AnsweredComponent {
  details: DetailsOn;
  replacement: DetailsOn | undefined;
}

/**
 * The release lines of a component with their verdicts and releases, newest first. Lines that end together share a row, but for
 * the older ones, each with a row of its own.
 */
export function createLineList({ judgement }: Component, answered: AnsweredComponent) {
  const { lines, releases, latest, day } = judgement;
  const { rows, older } = divideLines(lines.toReversed());
  const unfoldedLine = latest?.line ?? rows[0]?.[0].name;
  const pageReleases = shareReleases([...rows.flat(), ...older]);
  const listedCount = [...pageReleases.values()].flat().length;

  const picture = layOutPicture(
    rows.map((row) => createRow(row, pageReleases)),
    day,
  );
  const isDrawn = picture.tracks.some(({ segments, marks }) => segments.length > 0 || marks !== '');

  const createView = (row: LineRow) => createRowView(row, unfoldedLine, answered);
  return {
    summary: describeSummary(lines),
    hasReleases: releases.length > 0,
    picture: isDrawn && { ...picture, years: describeYears(picture.axis) },
    shown: picture.tracks.map((row) => ({
      ...createView(row),
      track: isDrawn && row,
    })),
    older: older.map((line) => createView(createRow([line], pageReleases))),
    olderSize: formatCount(older.length, 'older line'),
    left: describeLeftOut(releases.length - listedCount),
  };
}

/**
 * Divides lines, newest first: the open lines and the last closed ones, which ended or are deprecated, and the older closed ones.
 * Neighbours that end together share a row, as far as the page shows them.
 */
function divideLines(lines: readonly JudgedLine[]) {
  const rows: NonEmpty<JudgedLine>[] = [];
  const older: JudgedLine[] = [];
  let openPlaces = maxOpen;
  let closedPlaces = lines.some(isLineOpen) ? maxShownClosed : maxShownClosedAlone;

  for (const group of groupNeighbours(lines, haveSameEnd)) {
    // Lines that end together have one state: all are open, or none.
    if (isLineOpen(group[0])) {
      addRow(rows, group.slice(0, openPlaces));
      openPlaces = Math.max(0, openPlaces - group.length);
    } else {
      const count = closedPlaces > 0 ? closedPlaces + maxBeyondLastPlace : 0;
      addRow(rows, group.slice(0, count));
      older.push(...group.slice(count));
      closedPlaces -= group.length;
    }
  }

  return { rows, older: older.slice(0, maxOlder) };
}

/** Adds a row for lines that end together, unless no place is left for any. */
function addRow(rows: NonEmpty<JudgedLine>[], [newest, ...others]: readonly JudgedLine[]): void {
  if (newest) {
    rows.push([newest, ...others]);
  }
}

/** The releases of each line on the page, newest first: an equal share, and what others leave of theirs for the first lines. */
function shareReleases(
  lines: readonly JudgedLine[],
): ReadonlyMap<JudgedLine, readonly JudgedRelease[]> {
  const share = Math.floor(maxReleases / Math.max(lines.length, 1));
  let unused = maxReleases;
  for (const { releases } of lines) {
    unused -= Math.min(share, releases.length);
  }

  const pageReleases = new Map<JudgedLine, readonly JudgedRelease[]>();
  for (const line of lines) {
    const extra = Math.min(unused, Math.max(0, line.releases.length - share));
    unused -= extra;
    pageReleases.set(line, line.releases.toReversed().slice(0, share + extra));
  }
  return pageReleases;
}

/** Whether two lines have a known end, and the same state and phases. */
function haveSameEnd(line: JudgedLine, other: JudgedLine): boolean {
  return (
    findKnownEnd(line) !== undefined &&
    line.state === other.state &&
    isDeepStrictEqual(listPhaseEnds(line), listPhaseEnds(other))
  );
}

function listPhaseEnds({ phases }: JudgedLine) {
  return phases.map((phase) => pick(phase, ['name', 'until', 'untilAtMost', 'paid']));
}

function createRowView(
  row: LineRow,
  unfoldedLine: string | undefined,
  answered: AnsweredComponent,
) {
  const { lines, newest, releases } = row;
  const { day } = answered.details;
  const end = createLineEndView(newest);
  const names = lines.map(({ name }) => name);
  const versions = new Set(releases.map(({ version }) => version));
  const count = lines.reduce((sum, line) => sum + line.releases.length, 0);

  return {
    ...nameRow(row),
    isLts: newest.isLts,
    tone: stateTones[findDrawnState(newest, day)],
    end,
    atMost: newest.isSupported && end.until !== undefined ? end.atMost : undefined,
    phase: describePresentPhase(newest),
    isUnfolded: names.some((name) => name === unfoldedLine) && count <= maxUnfoldedReleases,
    // The links to each line of a row lead to the row.
    lineIds: names.length > 1 ? names.map(nameLineAnchor) : [],
    verdicts: listVerdicts(names, versions, answered),
    table: releases.length > 0 && createReleaseTable('Releases', releases, day),
    left: describeLeftOut(count - releases.length),
  };
}

/**
 * The verdicts on lines, newest first, in the words of every answer. Neighbours with the same words share a verdict. `versions`:
 * those of the releases in the table.
 */
function listVerdicts(
  names: readonly string[],
  versions: ReadonlySet<string>,
  { details, replacement }: AnsweredComponent,
) {
  const verdicts = names.map((name) => {
    const verdict = judgeVersion(details, { line: name, replacement });
    const because = Array.from(listGrounds(details, verdict), ({ text }) => text);
    return { name, verdict, advice: describeAdvice(details, verdict, replacement), because };
  });

  const groups = groupNeighbours(verdicts, (verdict, first) =>
    isDeepStrictEqual([verdict.advice, verdict.because], [first.advice, first.because]),
  );
  return groups.map((group) => {
    const [{ name, verdict, advice, because }] = group;
    const oldest = group.at(-1) ?? group[0];
    const sentence = describeState(details, {
      ...verdict,
      version: formatRange(oldest.name, name),
    });
    // A release with the name of its line has that address already.
    const unnamed = group.filter((each) => !versions.has(each.name));
    return {
      anchors: unnamed.map((each) => nameReleaseAnchor(each.name)),
      drawn: drawVerdict('p', { sentence, advice, because }),
    };
  });
}

/** Lines that end together, and their releases that fit on the page; both newest first. */
function createRow(
  lines: NonEmpty<JudgedLine>,
  pageReleases: ReadonlyMap<JudgedLine, readonly JudgedRelease[]>,
) {
  const [newest] = lines;
  const oldest = lines.at(-1) ?? newest;
  const { state, phases, began } = oldest;
  const days = lines.flatMap((line) => line.releases.map(({ releaseDay }) => releaseDay));
  const releaseDays = days.filter((on) => on !== undefined).sort();
  const releases = lines.flatMap((line) => pageReleases.get(line) ?? []);
  return { newest, oldest, lines, releases, state, phases, began, releaseDays };
}

/** `39 lines: 6 supported, 33 ended`. */
function describeSummary(lines: readonly JudgedLine[]): string {
  const byState = Map.groupBy(lines.toReversed(), ({ state }) => state);
  const counts = Array.from(
    byState,
    ([state, { length }]) => `${formatNumber(length)} ${nameState(state)}`,
  );
  return `${formatCount(lines.length, 'line')}: ${counts.join(', ')}`;
}

/** Lines that end together are named by their range: `13.1 to 21.2`. */
function nameRow({ newest, oldest, lines }: LineRow) {
  const { name, releases } = newest;
  if (lines.length > 1) {
    const range = formatRange(oldest.name, name);
    return { id: '', name: range, small: formatCount(lines.length, 'line') };
  }

  const version = findNewestRelease(releases)?.version ?? name;
  return { id: nameLineAnchor(name), name, small: version === name ? '' : version };
}
