/**
 * Finds ends of support that return to what readers had. If a source gives a wrong end for some days, readers get this end at once. Then
 * its correction moves the end to an earlier day, as a loss does.
 */
import { addDays, type Day } from '../core/day.ts';
import type { Recorded, StatedLine } from '../core/schema/recorded.ts';
import { keyLine } from '../core/version.ts';
import { judgeStates, type JudgedLine } from '../judge/states.ts';
import { findDeciding, findEnd, withhold } from '../judge/withhold.ts';
import type { Admitted } from './holds.ts';
import { listFormerEnds } from './journal.ts';

/** How many days an end that readers had is remembered. */
const rememberedDays = 30;

/** Ends that moved to an earlier date. `stated`: the lines as their source listed them before. */
export interface ShortenedEnds {
  /** All ends that moved, except `confirmed` ends. */
  lines: StatedLine[];
  /** Those of the `lines` whose ends return to what readers had. They take effect if the source gives them on the next day, too. */
  returning: StatedLine[];
}

/**
 * Divides the ends that moved to an earlier date. If an end returns to what readers had in the last 30 days, and its source gave it on an
 * earlier day, too, the end is left out, so it takes effect. Example: readers had 2027 on Monday. The source gave 2072 on Tuesday, and 2027
 * on Wednesday and Thursday. So readers have 2027 again on Thursday.
 *
 * A single day is not enough, because a mirror or a stale copy may return to an earlier end although the later end is right.
 */
export function divideShortened(input: Admitted, lines: StatedLine[]): ShortenedEnds {
  if (lines.length === 0 || input.journal.length === 0) {
    return { lines, returning: [] };
  }

  const moved = listMoved(input, lines);
  const returned = lines.flatMap((line) => {
    const confirmedOn = findConfirmation(input, line);
    const since = addDays(confirmedOn ?? input.day, -rememberedDays);
    const decided = moved.get(line.line) ?? [];
    const isReturn = decided.length > 0 && decided.every((each) => hadEnd(input, each, since));
    return isReturn ? [{ line, confirmedOn }] : [];
  });
  const confirmed = new Set(returned.flatMap(({ line, confirmedOn }) => (confirmedOn ? line : [])));
  return {
    lines: lines.filter((line) => !confirmed.has(line)),
    returning: returned.flatMap(({ line, confirmedOn }) => (confirmedOn ? [] : line)),
  };
}

/**
 * Returns the lines whose ends move, as they are after the move. Groups them by the listed line whose end decides about them. The end of
 * one listed line may move several unlisted lines.
 */
function listMoved({ component: name, definition, after, day }: Admitted, lines: StatedLine[]) {
  const judge = (recorded: Recorded) => judgeStates({ name, definition, recorded }, day).lines;
  const kept = withhold(after, [{ kind: 'loss', versions: [], lines }]);
  const reduced = new Map(judge(after).map((line) => [line.line, line]));
  const moved = judge(kept).flatMap((line) => {
    const now = reduced.get(line.line);
    return now && !(isSameDate(line.support, now.support) && line.state === now.state) ? now : [];
  });
  return Map.groupBy(moved, ({ line }) => findDeciding(kept.lines, line)?.line);
}

type Ends = Pick<JudgedLine['support'], 'supportedUntil' | 'supportedUntilAtMost'>;

function isSameDate(a: Ends, b: Ends): boolean {
  return a.supportedUntil === b.supportedUntil && a.supportedUntilAtMost === b.supportedUntilAtMost;
}

/** Tells whether readers had the present end of a line since a day. */
function hadEnd({ journal }: Admitted, { line, state, support }: JudgedLine, since: Day): boolean {
  return listFormerEnds(journal, line, since).some(({ until, untilAtMost, progress }) => {
    const had = { supportedUntil: until, supportedUntilAtMost: untilAtMost };
    const hadEnded = progress === 'ended';
    // No event reports a new end of a line that has ended, so the dates of two past ends may differ.
    const isSameState = hadEnded === (state === 'ended');
    const isDated = (until ?? untilAtMost) !== undefined;
    return (isSameState && hadEnded) || (isSameDate(had, support) && (isDated || isSameState));
  });
}

/** Returns an earlier day on which the source gave the same end as today. Undefined if there is none, or if it did not answer today. */
function findConfirmation(
  { formerEnds, after, day }: Admitted,
  { line }: StatedLine,
): Day | undefined {
  const find = (lines: readonly StatedLine[] = []) => {
    const stated = lines.find((each) => keyLine(each.line) === keyLine(line));
    return stated && findEnd(stated);
  };
  const isEarlier = formerEnds !== undefined && formerEnds.answeredOn < day;
  return isEarlier && find(formerEnds.lines) === find(after.lines)
    ? formerEnds.answeredOn
    : undefined;
}
