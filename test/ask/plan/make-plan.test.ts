import { beforeAll, describe, expect, test } from 'vitest';
import type { PublishedIndex } from '../../../src/ask/answers/published-index.ts';
import { planVersions } from '../../../src/ask/plan/plan-versions.ts';
import { identifyExactly } from '../../../src/ask/texts/identify.ts';
import { longestTexts, readText } from '../../../src/ask/texts/read-text.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import { listPlanLines, describeResolutions } from '../../../src/ask/plan/plan-words.ts';
import { Plan } from '../../../src/core/schemas/published/plan-answer.ts';
import { definition, makeRoot } from '../../harness/root.ts';
import { siteOf } from '../../harness/site.ts';

import { day, files, listing, planInMemory, shortSteps } from './planning.ts';

let index: PublishedIndex;

beforeAll(() => {
  index = openFolder(siteOf(makeRoot(files), day), () => day).index;
});

async function planOf(text: string, of = index): Promise<Plan> {
  const identified = await identifyExactly(of, await readText(of, text, longestTexts.request));
  const { plan } = await planVersions(of, identified);
  return Plan.parse(plan);
}

describe('a plan is what a colleague would write', () => {
  test.each<[text: string, steps: string[], settled: string[], headline: string]>([
    ['svc 2026.3', [], ['svc@2026.3'], 'Nothing is due before 30 Dec 2027. Advisories: not known.'],
    ['edge 2.1', [], ['edge@2.1'], 'Nothing is due. Advisories: not known.'],
    ['agent 3.9', [], ['agent@3.9'], 'Nothing is due. Advisories: not known.'],
    ['svc 2026.1', [], ['svc@2026.1'], 'Nothing is due before 1 Jun 2027. Advisories: not known.'],
    // Not listed, but of a line whose end is known.
    [
      'svc 2026.1.9\nsvc 2026.3',
      [],
      ['svc@2026.1.9', 'svc@2026.3'],
      'Nothing is due before 1 Jun 2027. Advisories: not known.',
    ],
    [
      'svc 2025.1',
      ['svc 2025.1 > 2026.3 now: ended'],
      [],
      'One thing to do now. Then nothing is due before 30 Dec 2027.',
    ],
    // Three spellings of one version.
    [
      'svc 2025.1\nsvc v2025.1\nsvc 2025.1.0',
      ['svc 2025.1 > 2026.3 now: ended'],
      [],
      'One thing to do now. Then nothing is due before 30 Dec 2027.',
    ],
    [
      'svc 2025.4',
      ['svc 2025.4 > 2026.3 2026-12-31: ends-soon'],
      [],
      'One thing to do by 31 Dec 2026. Then nothing is due before 30 Dec 2027.',
    ],
    [
      'cache 20.0',
      ['cache 20.0 > edge 2.1 2026-12-31: deprecated'],
      [],
      'One thing to do by 31 Dec 2026.',
    ],
    [
      'cache 20.0\nsvc 2025.1',
      ['svc 2025.1 > 2026.3 now: ended', 'cache 20.0 > edge 2.1 2026-12-31: deprecated'],
      [],
      'Two things to do: one now, one by 31 Dec 2026. Then nothing is due before 30 Dec 2027.',
    ],
    // Moving the server, which has to move anyway, resolves the conflict.
    [
      'edge 2.1\nsvc 2025.1',
      ['svc 2025.1 > 2026.3 now: ended (1)'],
      ['edge@2.1'],
      'One thing to do now. Then nothing is due before 30 Dec 2027.',
    ],
    [
      'edge 2.1\nsvc 2025.1\nagent 4.3',
      ['svc 2025.1 > 2026.3 now: ended (2)'],
      ['edge@2.1', 'agent@4.3'],
      'One thing to do now. Then nothing is due before 30 Dec 2027.',
    ],
    // The newest of everything stays: nothing is stated of agent 4.5.
    [
      'svc 2026.3\nagent 4.5\nedge 2.1',
      [],
      ['svc@2026.3', 'agent@4.5', 'edge@2.1'],
      'Nothing is due before 30 Dec 2027. agent 4.5 with svc 2026.3: not stated; the vendor last stated 4.3.1. Advisories: not known.',
    ],
    // The server's own move would make a conflict, so the agent goes up before it.
    [
      'svc 2025.1\nagent 4.2',
      ['agent 4.2 > 4.5 now: conflict', 'svc 2025.1 > 2026.3 now: ended'],
      [],
      'Two things to do now. Then nothing is due before 30 Dec 2027.',
    ],
    [
      'svc 2026.1\nagent 3.9',
      ['agent 3.9 > 4.5 now: conflict (1)'],
      ['svc@2026.1'],
      'One thing to do now. Then nothing is due before 1 Jun 2027.',
    ],
    // Both could go up; one server resolves more than two others. The edge node does not work today, so it is due now.
    [
      'svc 2025.4\nedge 2.0\nagent 4.3',
      ['svc 2025.4 > 2026.3 now: ends-soon (1)'],
      ['edge@2.0', 'agent@4.3'],
      'One thing to do now. Then nothing is due before 30 Dec 2027.',
    ],
    // No step back: an old plugin that no server from 2026.1 on takes.
    [
      'svc 2026.3\nold 1.1',
      [],
      [],
      'One conflict remains. Nothing else is due before 30 Dec 2027. Advisories: not known.',
    ],
    // Nothing that goes with the plugin has support: the server's move would break a pair.
    ['svc 2025.1\nold 1.1', [], [], 'One conflict remains.'],
    [
      'svc 2025.4\nold 1.1',
      [],
      [],
      'One conflict remains. Nothing else is due before 31 Dec 2026. Advisories: not known.',
    ],
    [
      'forge 15.0',
      ['forge 15.0 > 15.11.9 then 17.1 now: ended'],
      [],
      'One thing to do now. Then go on to Forge 17.1.',
    ],
    [
      'forge 15.11\nsvc 2026.3',
      ['forge 15.11 > 16.3.4 then 17.1 now: ended'],
      ['svc@2026.3'],
      'One thing to do now. Then go on to Forge 17.1. Then nothing else is due before 30 Dec 2027.',
    ],
    ['forge 16.3.4', ['forge 16.3.4 > 17.1 now: ended'], [], 'One thing to do now.'],
    ['lib 1.2', ['lib 1.2 > 1.2.3 now: affected'], [], 'One thing to do now.'],
    ['lib 2.0', [], ['lib@2.0'], 'Nothing is due.'],
    ['pulled 1.1', ['pulled 1.1 > 1.0 now: withdrawn'], [], 'One thing to do now.'],
    ['gone 1.0', [], [], 'One version has nothing to move to yet.'],
    [
      'gone 1.0\nsvc 2025.1',
      ['svc 2025.1 > 2026.3 now: ended'],
      [],
      'One thing to do now. One version has nothing to move to yet.',
    ],
    // A feature that is missing moves nothing.
    [
      'caching 1.0\nsvc 2026.1',
      [],
      ['caching@1.0', 'svc@2026.1'],
      'Nothing is due before 1 Jun 2027. Advisories: not known.',
    ],
    [
      'caching 1.0\nsvc 2026.3',
      [],
      ['caching@1.0', 'svc@2026.3'],
      'Nothing is due before 30 Dec 2027. Advisories: not known.',
    ],
    // Not tested is not refused.
    [
      'tool 1.0\nsvc 2026.3',
      [],
      ['tool@1.0', 'svc@2026.3'],
      'Nothing is due before 30 Dec 2027. svc 2026.3 with tool 1.0: not stated; the vendor last stated 2026.1. Advisories: not known.',
    ],
    [
      'lib 1.2\nsvc 2025.1\ncache 21.0\nforge 16.3.4',
      [
        'forge 16.3.4 > 17.1 now: ended',
        'lib 1.2 > 1.2.3 now: affected',
        'svc 2025.1 > 2026.3 now: ended',
        'cache 21.0 > edge 2.1 2026-12-31: deprecated',
      ],
      [],
      'Four things to do: three now, one by 31 Dec 2026. Then nothing is due before 30 Dec 2027.',
    ],
    // An earlier day comes first. On one day, the step that resolves more conflicts comes first.
    [
      'cache 20.0\nforge 16.3.4',
      ['forge 16.3.4 > 17.1 now: ended', 'cache 20.0 > edge 2.1 2026-12-31: deprecated'],
      [],
      'Two things to do: one now, one by 31 Dec 2026.',
    ],
    [
      'forge 16.3.4\nsvc 2025.1\nedge 2.1',
      ['svc 2025.1 > 2026.3 now: ended (1)', 'forge 16.3.4 > 17.1 now: ended'],
      ['edge@2.1'],
      'Two things to do now. Then nothing is due before 30 Dec 2027.',
    ],
    ['svc 2099.1', [], [], 'One version is not known.'],
    ['nothing 1.0', [], [], 'No version of this index was read.'],
  ])('%j', async (text, steps, settled, headline) => {
    const plan = await planOf(text);

    expect(shortSteps(plan)).toEqual(steps);
    expect(plan.nothingToDo).toEqual(settled);
    expect(plan.text).toBe(headline);
  });
});

test('a conflict that no step resolves has its two ways', async () => {
  const { conflicts, nothingToDo } = await planOf('svc 2026.3\nold 1.1');

  expect(nothingToDo).toEqual([]);
  expect(conflicts).toEqual([
    {
      between: ['old@1.1', 'svc@2026.3'],
      text: 'Old plugin 1.1 needs Server before 2026.1. The protocol changed.',
      ways: [
        { component: 'old', replace: true },
        { component: 'svc', until: '2025.4' },
      ],
    },
  ]);
});

test('a version that stays has its verdict with the advice, and one that moves without', async () => {
  const { items } = await planOf('svc 2026.3\nforge 16.3.4');

  expect(items.map(({ text }) => text)).toEqual([
    'Server 2026.3 is supported until 2027-12-30. Nothing is due; it is the newest version. Advisories: not known.',
    'Forge 16.3.4 is no longer supported.',
  ]);
});

test('a conflict whose way up is closed by another names that way, and the way down until then', async () => {
  const { steps, conflicts } = await planInMemory(
    [
      ['svc', '2026.3'],
      ['agent', '4.2'],
      ['plug', '1.0'],
    ],
    {
      svc: definition({ title: 'Server' }),
      agent: definition({
        title: 'Agent',
        worksWith: {
          svc: [
            { versions: '4.4', before: '2026.1' },
            { versions: '4.3', from: '2026.3' },
            { versions: '4.2', from: '2025.4', before: '2026.3' },
          ],
        },
      }),
      plug: definition({
        title: 'Plugin',
        worksWith: { agent: [{ versions: '*', from: '4.0', before: '4.3' }] },
      }),
    },
    {
      svc: listing('2025.4', '2026.1', '2026.3'),
      agent: listing('4.2', '4.3', '4.4'),
      plug: listing('1.0'),
    },
  );

  expect(steps).toEqual([]);
  expect(conflicts).toEqual([
    {
      between: ['agent@4.2', 'svc@2026.3'],
      text: 'Agent 4.2 needs Server 2025.4 or later, before 2026.3.',
      ways: [
        { component: 'agent', atLeast: '4.3', before: '4.4' },
        { component: 'svc', until: '2026.1' },
      ],
    },
  ]);
  expect(conflicts.map(({ ways }) => describeResolutions(ways))).toEqual([
    'Move agent to 4.3 or later, before 4.4; until then take svc 2026.1.',
  ]);
});

describe('of two moves that would break a pair', () => {
  const ends = (first: string) =>
    ({ support: { policy: 'dated', lines: { '1.0': first, '2.0': '2028-12-31' } } }) as const;
  const beforeTwo = [
    { versions: '2', before: '2.0' },
    { versions: '1', from: '1.0' },
  ];
  const recorded = listing('1.0', '2.0');

  test('the one that is due later stays', async () => {
    const plan = await planInMemory(
      [
        ['a', '1.0'],
        ['b', '1.0'],
      ],
      {
        a: definition({ title: 'A', ...ends('2027-01-15'), worksWith: { b: beforeTwo } }),
        b: definition({ title: 'B', ...ends('2026-12-31') }),
      },
      { a: recorded, b: recorded },
    );

    expect(shortSteps(plan)).toEqual(['b 1.0 > 2.0 2026-12-31: ends-soon']);
    expect(plan.conflicts.map(({ text }) => text)).toEqual([
      'A 1.0 is supported until 2027-01-15. A cannot move to 2.0: A 2.0 needs B before 2.0.',
    ]);
  });

  test('the one that would break more pairs stays, whenever it is due', async () => {
    const plan = await planInMemory(
      [
        ['a', '1.0'],
        ['b', '1.0'],
        ['c', '1.0'],
      ],
      {
        a: definition({
          title: 'A',
          ...ends('2026-12-01'),
          worksWith: { b: beforeTwo, c: beforeTwo },
        }),
        b: definition({ title: 'B', ...ends('2026-12-31') }),
        c: definition({ title: 'C', ...ends('2027-01-15') }),
      },
      { a: recorded, b: recorded, c: recorded },
    );

    expect(shortSteps(plan)).toEqual([
      'b 1.0 > 2.0 2026-12-31: ends-soon',
      'c 1.0 > 2.0 2027-01-15: ends-soon',
    ]);
    expect(plan.conflicts).toHaveLength(2);
  });
});

test('a plan in lines numbers its steps, and ends with the conflicts', async () => {
  expect(listPlanLines(await planOf('edge 2.1\nsvc 2025.1\nforge 15.0\nold 1.1'))).toEqual([
    '1. Forge 15.0 is no longer supported. Move to 15.11.9 now. Then go on to Forge 17.1.',
    'A conflict remains: Edge node 2.1 needs Server 2026.1 or later. Move svc to 2026.1 or later.',
    'A conflict remains: Server 2025.1 was supported until 2026-10-08. Server cannot move to 2026.3: Old plugin 1.1 needs Server before 2026.1. The protocol changed. Replace old; until then take svc 2025.4.',
  ]);
  expect(listPlanLines(await planOf('edge 2.1\nsvc 2025.1'))).toEqual([
    '1. Server 2025.1 was supported until 2026-10-08. Move to 2026.3 now. This also resolves: Edge node 2.1 needs Server 2026.1 or later.',
  ]);
});

test('a move that would break a pair is a conflict between what runs', async () => {
  const { items, conflicts } = await planOf('svc 2025.1\nold 1.1');

  expect(items[0]!.text).toBe('Server 2025.1 was supported until 2026-10-08.');
  expect(conflicts).toEqual([
    {
      between: ['svc@2025.1', 'old@1.1'],
      text: 'Server 2025.1 was supported until 2026-10-08. Server cannot move to 2026.3: Old plugin 1.1 needs Server before 2026.1. The protocol changed.',
      ways: [
        { component: 'old', replace: true },
        { component: 'svc', until: '2025.4' },
      ],
    },
  ]);
});

test('a step names what it resolves, with the statement and its address', async () => {
  const { steps } = await planOf('edge 2.1\nsvc 2024.3\nagent 4.3');

  expect(steps[0]).toMatchObject({
    reason: 'ended',
    resolves: [
      { between: ['edge@2.1', 'svc@2024.3'], text: 'Edge node 2.1 needs Server 2026.1 or later.' },
      {
        between: ['agent@4.3', 'svc@2024.3'],
        text: 'Agent 4.3 needs Server 2025.4 or later.',
        url: 'https://example.com/4.3',
      },
    ],
  });
});

test('a release newer than the last word of the vendor is offered as that', async () => {
  const { items, steps } = await planOf('svc 2026.3\nagent 4.5\ntool 1.1');

  expect(steps).toEqual([]);
  expect(items).toMatchObject([
    { component: 'svc' },
    { component: 'agent', lastStated: { svc: '4.3.1' } },
    { component: 'tool' },
  ]);
  expect(items[2]!.lastStated).toBeUndefined();
});

test('a plan says what it did not read, what it does not know, and what has nothing to move to', async () => {
  const plan = await planOf('svc 2025.1\n\ngone 1.0\nleft-pad 1.0\nlib 2.0\nsvc latest');

  expect(plan.text).toBe('One thing to do now. One version has nothing to move to yet.');
  expect(plan.notRead).toEqual([{ line: 6, text: 'svc', reason: 'no-version' }]);
  expect(plan.notes).toContain('1 other line names nothing of this index.');
  expect(plan.notes).toContain('Advisories: not known for 2 of 3.');
  expect(plan.notes).toContainEqual(expect.stringContaining('There is nothing to move to yet.'));
});

test('a list of as many versions as a plan may have has one', async () => {
  const versions = Array.from({ length: 200 }, (_, place) => `1.${place}`);
  const plan = await planInMemory(
    versions.map((version) => ['many', version] as const),
    { many: definition() },
    { many: listing(...versions) },
  );

  expect(plan.text).toBe('Nothing is due. Advisories: not known.');
});

test('the plan of a longer list is missing, and that is said', async () => {
  const versions = Array.from({ length: 201 }, (_, place) => `1.${place}`);
  const plan = await planInMemory(
    versions.map((version) => ['many', version] as const),
    { many: definition() },
    { many: listing(...versions) },
  );

  expect(plan.text).toBe('There is no plan: it has at most 200 versions, and 201 were read.');
  expect([plan.items.length, plan.steps]).toEqual([200, []]);
});
