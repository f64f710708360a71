import { daysBetween, type Day } from '../../core/dates.ts';
import { lastFreePhase } from '../../core/phases.ts';
import type { Phase } from '../../core/schemas/phase.ts';
import type { RecordedLine } from '../../core/schemas/recorded.ts';
import { listed, quote } from '../../core/text.ts';
import type { LineAnswer } from './ask.ts';

/** An end may move by so many days before a person is asked. */
const toleratedDays = 90;
/** A source that moves its ends little by little is measured by what it stated before the first of these days. */
export const movingDays = 30;

interface LineRule {
  name: string;
  /** What is wrong with an answer, for a person. `before`: what the source stated, by name of the line. */
  check(answer: LineAnswer & { before: ReadonlyMap<string, RecordedLine> }, day: Day): string | undefined;
}

/** What an answer on release lines has to satisfy, beside that it lists as many as before. */
export const lineRules: readonly LineRule[] = [
  {
    name: 'another product',
    check({ about, expected, before }) {
      const known = [...before.values()].flatMap((line) => line.about ?? [])[0];
      const wanted = known ?? expected;
      if (about === undefined || wanted === undefined || about === wanted || about === expected)
        return undefined;
      return `is about ${quote(about)}; expected the release lines of ${quote(wanted)}`;
    },
  },
  {
    name: 'moved ends',
    check({ lines, before }, day) {
      const moves = lines.flatMap(({ line, phases }) => {
        const known = before.get(line);
        return known ? movesOf(line, phasesBefore(known, day), phases, day) : [];
      });
      if (moves.length === 0) return undefined;
      return `moves ends by more than ${toleratedDays} days: ${listed(moves, 5)}`;
    },
  },
];

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
