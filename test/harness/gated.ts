/** Runs the gate for a component with one source, day by day. */
import { addDays, type Day } from '../../src/core/day.ts';
import type { Hold, Recorded } from '../../src/core/schema/recorded.ts';
import type { Definition } from '../../src/core/schema/written.ts';
import { passGate } from '../../src/record/gate.ts';
import { merge } from '../../src/record/merge.ts';
import type { SourceRelease } from '../../src/sources/read-releases.ts';
import { answerOf } from './recorded.ts';

export const start = '2026-03-01';

/**
 * Twelve release lines with five patches each. The last patch was released in August 2025. The gate counts 15 of these releases as in use.
 */
export const all: SourceRelease[] = Array.from({ length: 60 }, (_, index) => ({
  version: `2.${Math.floor(index / 5)}.${index % 5}`,
  releaseTimestamp: addDays('2024-01-01', index * 10),
}));

export const policies = {
  none: { policy: 'none' },
  lines: { policy: 'latest-lines', count: 3 },
  term: { policy: 'term', months: 24 },
  stated: { policy: 'stated', source: { datasource: 'endoflife-date', product: 'svc' } },
} as const;

export interface World {
  policy: keyof typeof policies;
  day: Day;
  recorded: Recorded;
  /** The recorded data without the changes that are held until a person accepts them. */
  effective: Recorded;
  held: Hold[];
  answeredOn?: Day;
}

/** Runs the gate for the next day, on which the source answers with `list`. Returns the new state. */
export function live(
  { policy, day: before, recorded, effective, held, answeredOn }: World,
  list: readonly SourceRelease[],
): World {
  const day = addDays(before, 1);
  const answers = [answerOf('a', list, { answeredOn })];
  const after = merge({ recorded, answers, sources: ['a'], day });
  const firstAnswers = new Set(answeredOn === undefined ? ['a'] : []);
  const passed = pass(policies[policy], effective, after, { firstAnswers, held, day });
  return { ...passed, policy, day, answeredOn: day };
}

export const define = (support: object) => ({ sources: [], support }) as unknown as Definition;

export function pass(
  support: object,
  before: Recorded,
  after: Recorded,
  values: Partial<Parameters<typeof passGate>[0]> = {},
) {
  return passGate({
    component: 'svc',
    before,
    after,
    firstAnswers: new Set(),
    hasFirstEnds: false,
    definition: define(support),
    journal: [],
    decisions: [],
    held: [],
    day: start,
    ...values,
  });
}

export function begin(policy: World['policy'] = 'none', list = all): World {
  const empty: Recorded = { releases: [] };
  return live({ policy, day: start, recorded: empty, effective: empty, held: [] }, list);
}

export const many = (count: number, create: (index: number) => string): SourceRelease[] =>
  Array.from({ length: count }, (_, index) => ({ version: create(index) }));
