import { daysBetween, type Day } from '../../core/dates.ts';
import { lastFreePhase } from '../../core/phases.ts';
import type { Phase } from '../../core/schemas/phase.ts';
import type { RecordedLine, StatedLine } from '../../core/schemas/recorded.ts';
import { defined, listed, quote } from '../../core/text.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';
import type { LineAnswer } from './ask.ts';
import type { Comparison } from './comparison.ts';

/** An end may move by so many days before a person is asked. */
const toleratedDays = 90;
/** A source that moves its ends little by little is measured by what it stated before the first of these days. */
const movingDays = 30;

/** The problem of an answer on release lines, beside a shrunk list; undefined for an answer on releases. */
export function problemOfLines({ ofLines, linesBefore, day }: Comparison): string | undefined {
  return ofLines && (otherProduct(ofLines, linesBefore) ?? movedEnds(ofLines, linesBefore, day));
}

type LinesBefore = Comparison['linesBefore'];

function otherProduct({ about, expected }: LineAnswer, before: LinesBefore): string | undefined {
  const known = [...before.values()].flatMap((line) => line.about ?? [])[0];
  const wanted = known ?? expected;
  if (about === undefined || wanted === undefined || about === wanted || about === expected) return undefined;
  return `is about ${quote(about)}; expected the release lines of ${quote(wanted)}`;
}

function movedEnds({ lines }: LineAnswer, before: LinesBefore, day: Day): string | undefined {
  const moves = lines.flatMap(({ line, phases }) => {
    const known = before.get(line);
    return known ? movesOf(line, phasesBefore(known, day), phases, day) : [];
  });
  if (moves.length === 0) return undefined;
  return `moves ends by more than ${toleratedDays} days: ${listed(moves, 5)}`;
}

/** Those that an answer is measured by. */
function phasesBefore({ phases, movedFrom }: RecordedLine, day: Day): readonly Phase[] {
  return movedFrom && daysBetween(movedFrom.on, day) <= movingDays ? movedFrom.phases : phases;
}

function movesOf(line: string, before: readonly Phase[], now: readonly Phase[], day: Day): string[] {
  const after = new Map(now.map((phase) => [roleOf(phase, now), phase]));
  return before.flatMap((from) => {
    const to = after.get(roleOf(from, before));
    return isFar(from, to, day) ? `${from.name} of ${line} from ${endOf(from)} to ${endOf(to)}` : [];
  });
}

/** A phase may be called otherwise once there is one more: the end of support is that of the last one that is not paid. */
function roleOf(phase: Phase, phases: readonly Phase[]): string {
  if (phase.paid) return `paid ${phase.name}`;
  return phase === lastFreePhase(phases) ? 'the last' : phase.name;
}

function isFar(from: Phase, to: Phase | undefined, day: Day): boolean {
  if (!to) return from.until !== undefined;
  const days = (a: Day, b: Day) => daysBetween(a, b) > toleratedDays;
  if (from.until !== undefined && to.until !== undefined)
    return days(from.until, to.until) || days(to.until, from.until);
  if (from.until !== undefined) return to.isOver ? days(day, from.until) : true;
  if (to.until === undefined) return from.isOver === true && !to.isOver;
  return from.isOver ? days(day, to.until) : days(to.until, day);
}

function endOf(phase: Phase | undefined): string {
  if (!phase) return 'nothing';
  return phase.until ?? (phase.isOver ? 'a day in the past' : 'no day');
}

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
    if (now) return defined({ ...now, source: id, about: named, movedFrom: movedFrom(entry, now) });
    const isDropped = entry.source === id && isAccepted && entry.withdrawnSince === undefined;
    return isDropped ? { ...entry, withdrawnSince: day } : entry;
  });
  const added = [...stated.values()].map((line) => defined({ ...line, source: id, about: named }));
  return [...merged, ...added].sort((a, b) => compareVersions(parseVersion(a.line)!, parseVersion(b.line)!));

  function movedFrom({ phases, movedFrom: earlier }: RecordedLine, now: StatedLine) {
    if (JSON.stringify(phases) === JSON.stringify(now.phases)) return earlier;
    if (isAccepted) return undefined;
    return earlier && daysBetween(earlier.on, day) <= movingDays ? earlier : { on: day, phases };
  }
}
