import { expect, test } from 'vitest';
import { addDays, type Day } from '../../src/core/day.ts';
import type { Definition } from '../../src/core/schema/definition.ts';
import type { Decision, Hold, Recorded } from '../../src/core/schema/recorded.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { passGate } from '../../src/record/gate.ts';
import { merge } from '../../src/record/merge.ts';
import type { SourceRelease } from '../../src/sources/types.ts';
import { answerOf, type AnswerValues } from '../harness/recorded.ts';

const start = '2026-03-01';

/** Twelve lines of five patches, the last one of August 2025. */
const all: SourceRelease[] = Array.from({ length: 60 }, (_, index) => ({
  version: `2.${Math.floor(index / 5)}.${index % 5}`,
  releaseTimestamp: addDays('2024-01-01', index * 10),
}));

const policies = {
  none: { policy: 'none' },
  lines: { policy: 'latest-lines', count: 3 },
  term: { policy: 'term', months: 24 },
} as const;

interface World {
  recorded: Recorded;
  held: Hold[];
  answeredOn: Day | undefined;
}

/** A day of a component with one source; without a list, it is silent. */
function live(
  world: World,
  policy: keyof typeof policies,
  day: Day,
  list: readonly SourceRelease[] | undefined,
  decisions: readonly Decision[] = [],
  values: AnswerValues = {},
): World {
  const { recorded: before, held, answeredOn } = world;
  const definition = { sources: [], support: policies[policy] } as unknown as Definition;
  const answers = list ? [answerOf('a', list, { ...values, answeredOn })] : [];
  const passed = passGate({
    component: 'svc',
    before,
    after: merge({ recorded: before, answers, sources: ['a'], day }),
    settled: new Set(answeredOn === undefined ? [] : ['a']),
    judge: (recorded, on) => judgeAll([{ name: 'svc', definition, recorded }], on)[0]!,
    decisions,
    held,
    day,
  });
  return { ...passed, answeredOn: list ? day : answeredOn };
}

function begin(policy: keyof typeof policies): World {
  const world = { recorded: { releases: [] }, held: [], answeredOn: undefined };
  return live(world, policy, start, all);
}

interface Attack {
  list: readonly SourceRelease[] | undefined;
  /** What waits on the first and on the second day, by policy where it differs. */
  waits: [string, string] | Partial<Record<keyof typeof policies, [string, string]>>;
}

const many = (count: number, create: (index: number) => string): SourceRelease[] =>
  Array.from({ length: count }, (_, index) => ({ version: create(index) }));
const lostLatest = (to: string) => `the latest release would fall from 2.11.4 to ${to}`;

const attacks: Record<string, Attack> = {
  nothing: { list: all, waits: ['', ''] },
  'the greatest is pulled': { list: all.slice(0, -1), waits: ['', ''] },
  'the two greatest are pulled': {
    list: all.slice(0, -2),
    waits: ['', lostLatest('2.11.2')],
  },
  'three of fifteen in use': {
    list: all.filter((_, index) => index < 46 || index > 48),
    waits: {
      none: ['', '3 of 15 releases in use would be lost'],
      lines: ['', '3 of 15 releases in use would be lost'],
      term: ['', ''],
    },
  },
  'the newer half': {
    list: all.slice(0, 30),
    waits: { none: ['', '15 of 15 releases in use would be lost'] },
  },
  'the older half, which nobody uses': {
    list: all.slice(30),
    waits: { none: ['', ''], lines: ['', ''], term: ['', '/ in use would be lost'] },
  },
  'no answer': { list: undefined, waits: ['', ''] },
  'all are deprecated': {
    list: all.map((release) => ({ ...release, deprecated: 'gone' })),
    waits: {
      none: ['15 of 15 releases in use would be lost', '15 of 15 releases in use would be lost'],
    },
  },
  'the version 9999.0': {
    list: [...all, { version: '9999.0' }],
    waits: [
      '9999.0 is far above the recorded versions',
      '9999.0 is far above the recorded versions',
    ],
  },
  'ten times the greatest number': {
    list: [...all, { version: '20.0' }],
    waits: ['20.0 is far above the recorded versions', '20.0 is far above the recorded versions'],
  },
  'less than ten times': { list: [...all, { version: '19.0' }], waits: ['', ''] },
  'less than ten above': { list: [...all, { version: '2.0.12' }], waits: ['', ''] },
  'a day among versions': {
    list: [...all, { version: '20260302' }],
    waits: [
      '20260302 is far above the recorded versions',
      '20260302 is far above the recorded versions',
    ],
  },
  '1,001 new versions': {
    list: [...all, ...many(1001, (index) => `2.${index % 12}.5.${index}`)],
    waits: ['1001 new versions at once', '1001 new versions at once'],
  },
  '1,000 new versions': {
    list: [...all, ...many(1000, (index) => `2.${index % 12}.5.${index}`)],
    waits: ['', ''],
  },
  'a new line, and all others go': {
    list: [{ version: '3.0.0' }],
    waits: { none: ['', '15 of 15 releases in use would be lost'] },
  },
};

test.for(
  Object.entries(attacks).flatMap(([name, attack]) => {
    const waits = Array.isArray(attack.waits)
      ? { none: attack.waits, lines: attack.waits, term: attack.waits }
      : attack.waits;
    return Object.entries(waits).map(
      ([policy, expected]) => [name, policy, attack, expected] as const,
    );
  }),
)('%s (%s)', ([, policy, { list }, expected]) => {
  const known = policy as keyof typeof policies;
  const first = live(begin(known), known, '2026-03-02', list);
  const second = live(first, known, '2026-03-03', list);

  const reasons = [first, second].map(({ held }) => held.map(({ reason }) => reason).join());
  for (const [index, reason] of expected.entries()) {
    if (reason.startsWith('/')) {
      expect(reasons[index]).toContain(reason.slice(1));
    } else {
      expect(reasons[index]).toBe(reason);
    }
  }
  // What waits is not recorded, and nothing that was recorded is gone.
  const versions = second.recorded.releases.map(({ version }) => version);
  expect(versions).toEqual(expect.arrayContaining(all.map(({ version }) => version)));
  const taken = second.recorded.releases.filter(({ withdrawnSince }) => withdrawnSince);
  const lossWaits = second.held.some(({ kind }) => kind === 'loss');
  expect(taken.length > 0 && lossWaits).toBe(false);
});

const half = all.slice(0, 30);

function decide({ held }: World): Decision[] {
  return held.map(({ id, component, versions }) => {
    return { id, at: `${start}T00:00:00Z`, by: 'Jane', component, versions };
  });
}

test('one decision lets through exactly what it names, and is never asked about again', () => {
  const first = live(begin('none'), 'none', '2026-03-02', half);
  const second = live(first, 'none', '2026-03-03', half);
  const decisions = decide(second);

  const third = live(second, 'none', '2026-03-04', half, decisions);
  const fourth = live(third, 'none', '2026-03-05', half.slice(0, 10), decisions);
  const fifth = live(fourth, 'none', '2026-03-06', half.slice(0, 10), decisions);

  const count = (world: World) =>
    world.recorded.releases.filter(({ withdrawnSince }) => withdrawnSince).length;
  expect([second, third, fourth].map(({ held }) => held.length)).toEqual([1, 0, 0]);
  expect(count(third)).toBe(30);
  expect(fifth.held.map(({ reason }) => reason)).toEqual([
    '15 of 15 releases in use would be lost',
  ]);
  expect(count(fifth)).toBe(30);
});

test('an id stays while new versions come, which come in at once', () => {
  const withNews = [...half, { version: '2.5.9' }];
  const first = live(begin('none'), 'none', '2026-03-02', half);
  const second = live(first, 'none', '2026-03-03', half);
  const third = live(second, 'none', '2026-03-04', withNews);

  expect(third.held.map(({ id }) => id)).toEqual(second.held.map(({ id }) => id));
  expect(third.held[0]).toMatchObject({
    since: '2026-03-03',
    command: `npx release-index accept ${second.held[0]!.id}`,
  });
  expect(third.recorded.releases.map(({ version }) => version)).toContain('2.5.9');
});

test('an outlier that waits keeps its id when another comes, and is let in alone', () => {
  const first = live(begin('none'), 'none', '2026-03-02', [...all, { version: '9999.0' }]);
  const both = [...all, { version: '9999.0' }, { version: '20260303' }];
  const second = live(first, 'none', '2026-03-03', both);
  const third = live(second, 'none', '2026-03-04', both, decide(first));

  expect(second.held.map(({ versions }) => versions)).toEqual([['9999.0'], ['20260303']]);
  expect(second.held[0]!.id).toBe(first.held[0]!.id);
  expect(third.recorded.releases.at(-1)!.version).toBe('9999.0');
  expect(third.held.map(({ versions }) => versions)).toEqual([['20260303']]);
});

test('new versions come in at once while a flood waits', () => {
  const flood = [...all, ...many(1001, (index) => `2.1.5.${index}`)];
  const first = live(begin('none'), 'none', '2026-03-02', flood);
  const second = live(first, 'none', '2026-03-03', [...flood, { version: '2.11.5' }]);

  expect(second.held).toEqual(first.held);
  expect(second.recorded.releases.at(-1)!.version).toBe('2.11.5');
});

test('a source of which the definition changed may list thousands', () => {
  const { recorded } = begin('none');
  const edited = { recorded, held: [], answeredOn: undefined };
  const flood = [...all, ...many(2000, (index) => `2.1.5.${index}`)];

  expect(live(edited, 'none', '2026-03-02', flood).held).toEqual([]);
});

test('builds that start anew in each line are no outliers', () => {
  const builds = [...all, ...many(12, (index) => `2.${index}.5.${index * 900}`)];
  const known = live(begin('none'), 'none', '2026-03-02', builds);

  expect(live(known, 'none', '2026-03-03', [...builds, { version: '2.12.0.10803' }]).held).toEqual(
    [],
  );
});

test('a loss is seen 90 days before an end that would hide it', () => {
  const definition = {
    sources: [],
    support: { policy: 'stated', source: { datasource: 'endoflife-date', product: 'svc' } },
  } as unknown as Definition;
  const lines = (until: string) => {
    return ['2.9', '2.10', '2.11'].map((line) => ({ line, phases: [{ name: 'support', until }] }));
  };
  const recorded = { ...begin('none').recorded, lines: lines('2029-01-01') };

  const { recorded: passed, held } = passGate({
    component: 'svc',
    before: recorded,
    after: { ...recorded, lines: lines('2026-04-01') },
    settled: new Set(),
    judge: (document, on) => judgeAll([{ name: 'svc', definition, recorded: document }], on)[0]!,
    decisions: [],
    held: [],
    day: '2026-03-02',
  });

  expect(held.map(({ kind }) => kind)).toEqual(['loss']);
  expect(passed.lines).toEqual(recorded.lines);
});
