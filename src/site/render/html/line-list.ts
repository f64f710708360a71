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
import { formatCount, formatNumber } from '../../../core/text/wording.ts';
import { findKnownEnd, type Component } from '../../../decide/component.ts';
import { isLineOpen, type JudgedLine, type JudgedRelease } from '../../../decide/judge.ts';
import { drawVerdict, createEndView, nameReleaseAnchor } from './markup.ts';
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
const mostOpenReleases = 5;

/** A line with the releases that fit on the page, newest first. */
interface ShownLine {
  readonly line: JudgedLine;
  readonly releases: readonly JudgedRelease[];
}

/** Lines that end together, newest first. */
interface ShownRow {
  readonly newest: JudgedLine;
  oldest: JudgedLine;
  readonly lines: ShownLine[];
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
  const { day, latest } = judgement;
  const { shown, older } = divideLines(judgement.lines.toReversed());
  const rows = mergeEqual(shown);
  const picture = drawPicture(rows.map(createPictureRow), day);
  const openName = latest?.line ?? shown[0]?.line.name;

  const describeRow = (row: ShownRow) => {
    const names = row.lines.map(({ line }) => line.name);
    const head = createRowView(row, day);
    const rows = row.lines.flatMap((each) => each.releases);
    const releases = row.lines.flatMap(({ line }) => line.releases);

    return {
      ...head,
      isOpen: names.includes(openName ?? '') && releases.length <= mostOpenReleases,
      // A row of several lines has a place for the links to each of them.
      places: names.length > 1 ? names.map((name) => `line-${name}`) : [],
      verdicts: listVerdicts(
        names,
        new Set(rows.map(({ version }) => version)),
        today,
        replacement,
      ),
      table: rows.length > 0 && createReleaseTable('Releases', rows, day),
      left: describeLeftOut(releases.length - rows.length),
    };
  };

  const releases = [...shown, ...older].flatMap((each) => each.releases);
  const isDrawn = picture.tracks.some(({ segments, marks }) => segments.length > 0 || marks !== '');
  return {
    summary: describeSummary(judgement.lines),
    hasReleases: judgement.releases.length > 0,
    picture: isDrawn && { ...picture, years: describeYears(picture.axis) },
    shown: picture.tracks.map((row) => ({ ...describeRow(row), track: isDrawn && row })),
    older: older.map((each) => describeRow(createRow(each))),
    olderSize: describeOlder(older.map(({ line }) => line)),
    left: describeLeftOut(judgement.releases.length - releases.length),
  };
}

/** The verdicts on lines in the words of every answer, the same words once. `shown`: the versions that have a row. */
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
  const groups = Map.groupBy(verdicts, ({ advice, because }) => [advice, ...because].join('\n'));

  return Array.from(groups.values(), (group) => {
    const [{ name, verdict, advice, because }] = group as [(typeof group)[number]];
    const version = group.length > 1 ? `${group.at(-1)!.name} to ${name}` : name;
    return {
      // The row of a release has the address of the line that it names.
      anchors: group
        .filter((each) => !shown.has(each.name))
        .map((each) => nameReleaseAnchor(each.name)),
      drawn: drawVerdict('p', {
        sentence: describeState(today, { ...verdict, version }),
        advice,
        because,
      }),
    };
  });
}

/** Divides lines, newest first. Open lines are always shown. */
function divideLines(lines: readonly JudgedLine[]): { shown: ShownLine[]; older: ShownLine[] } {
  const open = lines.filter(isLineOpen).slice(0, maxOpen);
  const ended = lines.filter((line) => !isLineOpen(line));
  const count = open.length === 0 ? maxEndedAlone : maxEnded;
  const last = ended[count - 1];
  // Lines that end together with the last one share its row.
  const isShared = (line: JudgedLine) => last !== undefined && haveSameEnd(line, last);
  const next = ended.slice(count, count + maxEndedLines);
  const firstApart = next.findIndex((line) => !isShared(line));
  const together = firstApart < 0 ? next : next.slice(0, firstApart);
  const chosen = new Set([...open, ...ended.slice(0, count), ...together]);
  const older = lines.filter((line) => !chosen.has(line)).slice(0, maxEndedLines);
  const allLines = [...chosen, ...older];

  // Each line gets an equal share of the releases. Unused shares go to the newest lines.
  const share = Math.floor(maxReleases / Math.max(allLines.length, 1));
  let spare =
    maxReleases - allLines.reduce((sum, { releases }) => sum + Math.min(share, releases.length), 0);

  const fit = (line: JudgedLine): ShownLine => {
    const extra = Math.min(spare, Math.max(0, line.releases.length - share));
    spare -= extra;
    return { line, releases: line.releases.toReversed().slice(0, share + extra) };
  };

  return { shown: lines.filter((line) => chosen.has(line)).map(fit), older: older.map(fit) };
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

/** Joins neighbours that end together. */
function mergeEqual(shown: readonly ShownLine[]): ShownRow[] {
  const rows: ShownRow[] = [];
  for (const each of shown) {
    const before = rows.at(-1);
    if (before && haveSameEnd(each.line, before.newest)) {
      before.oldest = each.line;
      before.lines.push(each);
    } else {
      rows.push(createRow(each));
    }
  }
  return rows;
}

function createRow(shown: ShownLine): ShownRow {
  return { newest: shown.line, oldest: shown.line, lines: [shown] };
}

function createPictureRow(row: ShownRow): ShownRow & PictureRow {
  const { state, phases, began } = row.oldest;
  const releases = row.lines.flatMap(({ line }) => line.releases);
  const releaseDays = releases
    .map(({ releaseDay }) => releaseDay)
    .filter((value) => value !== undefined)
    .sort();
  return { ...row, state, phases, began, releaseDays };
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
function createRowView({ newest: line, oldest, lines }: ShownRow, day: Day) {
  const { name, releases, phases } = line;
  const version = findNewestRelease(releases)?.version ?? name;
  const { until, untilAtMost } = findLastFreePhase(phases) ?? {};
  const head =
    lines.length === 1
      ? { id: `line-${name}`, name, small: version === name ? '' : version }
      : { id: '', name: `${oldest.name} to ${name}`, small: formatCount(lines.length, 'line') };

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
