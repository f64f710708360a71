import { daysBetween, type Day } from '../../core/dates.ts';
import type { RecordedLine, StatedLine } from '../../core/schemas/recorded.ts';
import { defined } from '../../core/text.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';
import type { LineAnswer } from './ask.ts';
import { movingDays } from './line-rules.ts';

/**
 * Release lines as recorded, with what a source states of them now, oldest first. A line that it no longer states stays as it
 * was, and is withdrawn once a person has accepted that.
 */
export function mergeLines(
  recorded: readonly RecordedLine[],
  { lines, about, expected }: LineAnswer,
  { id, isAccepted, day }: { id: string; isAccepted: boolean; day: Day },
): RecordedLine[] {
  const stated = new Map(lines.map((line) => [line.line, line]));
  const named = about === expected ? undefined : about;
  const merged = recorded.map((entry) => {
    const now = entry.source === id ? stated.get(entry.line) : undefined;
    if (now) stated.delete(entry.line);
    if (now) return inKeyOrder(now, { ...entry, about: named, movedFrom: movedFrom(entry, now) });
    const isDropped = entry.source === id && isAccepted && entry.withdrawnSince === undefined;
    return isDropped ? { ...entry, withdrawnSince: day } : entry;
  });
  const added = [...stated.values()].map((line) => inKeyOrder(line, { source: id, about: named }));
  return [...merged, ...added].sort((a, b) => compareVersions(parseVersion(a.line)!, parseVersion(b.line)!));

  function movedFrom({ phases, movedFrom: earlier }: RecordedLine, now: StatedLine) {
    if (JSON.stringify(phases) === JSON.stringify(now.phases)) return earlier;
    if (isAccepted) return undefined;
    return earlier && daysBetween(earlier.on, day) <= movingDays ? earlier : { on: day, phases };
  }
}

function inKeyOrder(
  { line, firstReleaseDate, lts, phases }: StatedLine,
  { source, about, movedFrom }: { [Key in 'source' | 'about' | 'movedFrom']?: RecordedLine[Key] | undefined },
): RecordedLine {
  return defined({ line, firstReleaseDate, lts, phases, source: source!, about, movedFrom });
}
