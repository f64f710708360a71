import { describe, expect, test } from 'vitest';
import { addDays, daysBetween, type Day } from '../../../src/core/dates.ts';
import type { Definition } from '../../../src/core/schemas/definition.ts';
import type { JournalEvent } from '../../../src/core/schemas/journal.ts';
import { listChanges, publishedEvents } from '../../../src/decide/journal/published-events.ts';
import { drawing } from '../../harness/upstream-life.ts';
import { componentOf, recordedBy } from '../../site/render/sites.ts';

const start: Day = '2025-11-10';
const days = 400;

const plans: readonly NonNullable<Definition['support']>[] = [
  { policy: 'term', months: 4 },
  {
    policy: 'term',
    phases: [
      { name: 'active', months: 2 },
      { name: 'security', months: 5 },
      { name: 'extended', months: 9, paid: true },
    ],
  },
];

/** A release every 45 days; the first three are older than the index. */
const releases = Array.from({ length: 12 }, (_, index) => ({
  version: `1.${index}`,
  releaseTimestamp: addDays(start, 45 * (index - 3) + 1),
}));

interface Told {
  readonly run: Day;
  readonly event: JournalEvent;
}

/**
 * 400 days, of which some are missed, and on some of which a person moves the end of every line: each run with the ends
 * that it announced ahead.
 */
function liveOn(support: NonNullable<Definition['support']>, seed: number) {
  const draw = drawing(seed);
  let journal: readonly JournalEvent[] = [];
  let moved: Definition['support'] | undefined;
  const runs: Day[] = [];
  const told: Told[] = [];
  for (let index = 0; index < days; index += 1) {
    const day = addDays(start, index);
    if (draw(60) === 0) moved = moved === undefined ? lengthened(support) : undefined;
    // A run may be missed for some weeks.
    if (index > 0 && (draw(4) === 0 || (index > 150 && index < 190))) continue;
    const known = releases.filter(({ releaseTimestamp }) => releaseTimestamp <= day);
    const before = journal.length;
    journal = recordedBy(componentOf(known, { support: moved ?? support }, { day }), journal);
    runs.push(day);
    for (const event of journal.slice(before))
      if (event.type === 'support-ending') told.push({ run: day, event });
  }
  return { journal, runs, told };
}

function lengthened(support: NonNullable<Definition['support']>): NonNullable<Definition['support']> {
  if (support.policy !== 'term') return support;
  const longer = <Phase extends { months: number }>(phase: Phase) => ({ ...phase, months: phase.months + 1 });
  return support.phases
    ? { ...support, phases: support.phases.map(longer) }
    : { ...support, months: support.months! + 1 };
}

const levelOf = (left: number) => [7, 30, 90].find((ahead) => left <= ahead);

describe.each(plans.flatMap((plan) => [1, 2, 3].map((seed) => [plan, seed] as const)))(
  'ends ahead under %j (%i)',
  (support, seed) => {
    const { journal, runs, told } = liveOn(support, seed);

    test('are announced once 90, 30 and 7 days ahead, the nearest first after missed runs', () => {
      const expected: string[] = [];
      const ends = new Map<string, { until: Day; level: number }>();
      let place = 0;
      for (const run of runs) {
        // The ends before the announcements of this run.
        for (; place < journal.length && journal[place]!.at.slice(0, 10) === run; place += 1) {
          const { type, line, phase, to } = journal[place]!;
          const key = `${line} ${phase}`;
          if (type === 'support-dropped' || type === 'support-ended') ends.delete(key);
          if (type === 'support-announced' || type === 'support-moved')
            ends.set(key, { until: to!, level: Infinity });
        }
        for (const [key, end] of ends) {
          const level = levelOf(daysBetween(run, end.until));
          if (end.until <= run || level === undefined || level >= end.level) continue;
          end.level = level;
          expected.push(`${run} ${key} ${end.until} ${level}`);
        }
      }
      const found = told.map(({ run, event: { line, phase, on, days } }) =>
        [run, line, phase, on, days].join(' '),
      );

      expect(told.length).toBeGreaterThan(15);
      expect(found.toSorted()).toEqual(expected.toSorted());
    });

    test('appear in lists, except for the run with which a component enters', () => {
      const listed = listChanges(publishedEvents(journal));
      const first = listed.filter(({ at }) => at === journal[0]!.at);
      const shown = listed
        .filter(({ type }) => type === 'support-ending')
        .flatMap(({ subjects, line }) => subjects ?? [line ?? '']);

      expect(first.map(({ type }) => type)).toEqual(['added']);
      expect(shown.length).toBe(told.filter(({ event }) => event.initial !== true).length);
    });
  },
);
