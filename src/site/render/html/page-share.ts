import { groupNeighbours, pick } from '../../../core/model/objects.ts';
import { findKnownEnd } from '../../../decide/component.ts';
import { isLineOpen, type JudgedLine, type JudgedRelease } from '../../../decide/judge.ts';

/** Large tables are slow, so lines and releases are limited. `details/` has all. */
const maxOpen = 1000;
const maxOlder = 60;
const maxReleases = 300;
/** The number of lines that closed last, shown for comparison; more if no line is open. */
const maxShownClosed = 3;
const maxShownClosedAlone = 12;

/**
 * Divides lines, newest first: the open lines and the last closed ones, which ended or are deprecated, and the older closed ones.
 * Neighbours that end together share a row, as far as the page shows them.
 */
export function divideLines(lines: readonly JudgedLine[]) {
  const groups = groupNeighbours(lines, haveSameEnd);
  const groupsByLine = new Map(groups.flatMap((group) => group.map((line) => [line, group])));
  const open = lines.filter(isLineOpen).slice(0, maxOpen);
  const closed = lines.filter((line) => !isLineOpen(line));

  const count = open.length === 0 ? maxShownClosedAlone : maxShownClosed;
  const last = closed[count - 1];
  const lastGroup = last && groupsByLine.get(last);
  const lastClosed = closed
    .slice(0, count + maxOlder)
    .filter((line, index) => index < count || groupsByLine.get(line) === lastGroup);

  const chosen = new Set([...open, ...lastClosed]);
  const shown = lines.filter((line) => chosen.has(line));
  return {
    rows: [...Map.groupBy(shown, (line) => groupsByLine.get(line)).values()],
    older: closed.slice(lastClosed.length).slice(0, maxOlder),
  };
}

/** The releases of each line on the page, newest first: an equal share, and what others leave of theirs for the first lines. */
export function shareReleases(
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
  const joinKey = ({ state, phases }: JudgedLine) =>
    JSON.stringify([
      state,
      phases.map((phase) => pick(phase, ['name', 'until', 'untilAtMost', 'paid'])),
    ]);

  return findKnownEnd(line) !== undefined && joinKey(line) === joinKey(other);
}
