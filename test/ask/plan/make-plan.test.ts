import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PublishedIndex } from '../../../src/ask/answers/published-index.ts';
import { judgeRead, planFor } from '../../../src/ask/plan/plan-versions.ts';
import { detailsOn, type DetailsOn } from '../../../src/ask/answers/details-on.ts';
import { identify, type IdentifiedText } from '../../../src/ask/texts/identify.ts';
import { longestTexts, readText } from '../../../src/ask/texts/read-text.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import type { Compatibility } from '../../../src/core/schemas/definition/works-with.ts';
import { Plan } from '../../../src/core/schemas/published/plan-answer.ts';
import { compareVersions, parseVersion } from '../../../src/core/model/version.ts';
import { detailsOf } from '../../../src/decide/details.ts';
import { statementsOn } from '../../../src/core/model/pair-answers.ts';
import { componentOf, definitionOf } from '../../site/render/sites.ts';
import { definition, makeRoot } from '../../harness/root.ts';
import { siteOf } from '../../harness/site.ts';

const day = '2026-11-22';

const listing = (...versions: string[]) => ({ releases: versions.map((version) => ({ version })) });

/** A server with an end a year, its agents, and components that end, stop, conflict or are affected. */
const files = {
  'components/svc.json': definition({
    title: 'Server',
    support: {
      policy: 'dated',
      lines: {
        '2025.1': '2026-10-08',
        '2025.4': '2026-12-31',
        '2026.1': '2027-06-01',
        '2026.3': '2027-12-30',
      },
    },
  }),
  'data/svc.json': listing('2024.3', '2025.1', '2025.4', '2026.1', '2026.1.1', '2026.3'),
  'components/agent.json': definition({
    title: 'Agent',
    worksWith: {
      svc: [
        { versions: '4.3', from: '2025.4', url: 'https://example.com/4.3' },
        { versions: '4.2', from: '2025.1', before: '2026.3' },
        { versions: '3.9', from: '2024.3', before: '2026.1' },
      ],
    },
  }),
  'data/agent.json': listing('3.9', '4.2', '4.3', '4.3.1', '4.5'),
  'components/edge.json': definition({
    title: 'Edge node',
    worksWith: { svc: [{ versions: '2', from: '2026.1' }] },
  }),
  'data/edge.json': listing('1.9', '2.0', '2.1'),
  'components/cache.json': definition({
    title: 'Cache node',
    support: { policy: 'ended', since: '2026-12-31', deprecatedFrom: '2026-01-01' },
    replacedBy: 'edge',
  }),
  'data/cache.json': listing('20.0', '21.0'),
  'components/old.json': definition({
    title: 'Old plugin',
    worksWith: { svc: [{ versions: '*', before: '2026.1', reason: 'The protocol changed.' }] },
  }),
  'data/old.json': listing('1.0', '1.1'),
  'components/forge.json': definition({
    title: 'Forge',
    support: { policy: 'latest-lines', count: 1 },
    upgradeStops: ['15.11', { at: '16.3', reason: 'It migrates the database.' }],
  }),
  'data/forge.json': listing('15.0', '15.11', '15.11.9', '16.3.4', '17.1'),
  'components/lib.json': definition({
    title: 'Library',
    advisories: [{ id: 'CVE-2026-1', affected: '<1.2.3', fixed: ['1.2.3'], severity: 'high' }],
  }),
  'data/lib.json': listing('1.2', '1.2.2', '1.2.3', '2.0'),
  'components/pulled.json': definition({ title: 'Pulled' }),
  'data/pulled.json': {
    releases: [{ version: '1.0' }, { version: '1.1', withdrawnSince: '2026-06-01' }],
  },
  'components/gone.json': definition({
    title: 'Gone',
    support: { policy: 'ended', since: '2025-01-01' },
  }),
  'data/gone.json': listing('1.0'),
  'components/caching.json': definition({
    title: 'Caching',
    worksWith: { svc: [{ versions: '*', from: '2026.3', feature: 'shared caches' }] },
  }),
  'data/caching.json': listing('1.0', '1.1'),
  'components/tool.json': definition({
    title: 'Tool',
    worksWith: { svc: [{ versions: '=1.0', from: '2024.3', testedTo: '2026.1' }] },
  }),
  'data/tool.json': listing('1.0', '1.1'),
};

let index: PublishedIndex;

beforeAll(() => {
  index = openFolder(siteOf(makeRoot(files), day), () => day).index;
});

async function planOf(text: string, of = index): Promise<Plan> {
  const identified = await identify(of, readText(text, longestTexts.tool));
  const plan = await planFor(of, await judgeRead(of, identified.versions), identified);
  return Plan.parse(plan);
}

/** Each step as `svc 2025.1 > 2026.3 now: ended`. */
function shortSteps({ steps }: Plan): string[] {
  return steps.map(({ component, from, to, goal, by = 'now', reason, resolves }) => {
    const elsewhere = to.component === component ? '' : `${to.component} `;
    const then = goal ? ` then ${goal.version}` : '';
    const over = resolves.length > 0 ? ` (${resolves.length})` : '';
    return `${component} ${from} > ${elsewhere}${to.version}${then} ${by}: ${reason}${over}`;
  });
}

describe('a plan is what a colleague would write', () => {
  test.each<[text: string, steps: string[], settled: string[], headline: string]>([
    ['svc 2026.3', [], ['svc@2026.3'], 'Nothing to do. Nothing is due before 30 Dec 2027.'],
    ['edge 2.1', [], ['edge@2.1'], 'Nothing to do.'],
    ['agent 3.9', [], ['agent@3.9'], 'Nothing to do.'],
    ['svc 2026.1', [], ['svc@2026.1'], 'Nothing to do. Nothing is due before 1 Jun 2027.'],
    [
      'svc 2025.1',
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
      'Nothing to do. Nothing is due before 30 Dec 2027.',
    ],
    // The server's own move makes a conflict, which the agent resolves by going up.
    [
      'svc 2025.1\nagent 4.2',
      ['svc 2025.1 > 2026.3 now: ended', 'agent 4.2 > 4.5 now: conflict (1)'],
      [],
      'Two things to do: one now, one because of a conflict. Then nothing is due before 30 Dec 2027.',
    ],
    [
      'svc 2026.1\nagent 3.9',
      ['agent 3.9 > 4.5 now: conflict (1)'],
      ['svc@2026.1'],
      'One thing to do, because of a conflict. Then nothing is due before 1 Jun 2027.',
    ],
    // Both could go up; one server resolves more than two others.
    [
      'svc 2025.4\nedge 2.0\nagent 4.3',
      ['svc 2025.4 > 2026.3 2026-12-31: ends-soon (1)'],
      ['edge@2.0', 'agent@4.3'],
      'One thing to do by 31 Dec 2026. Then nothing is due before 30 Dec 2027.',
    ],
    // No step back: an old plugin that no server from 2026.1 on takes.
    ['svc 2026.3\nold 1.1', [], [], 'One conflict remains. Nothing is due before 30 Dec 2027.'],
    [
      'svc 2025.1\nold 1.1',
      ['svc 2025.1 > 2026.3 now: ended'],
      [],
      'One thing to do now. One conflict remains. Then nothing is due before 30 Dec 2027.',
    ],
    ['forge 15.0', ['forge 15.0 > 15.11.9 then 17.1 now: ended'], [], 'One thing to do now.'],
    ['forge 15.11', ['forge 15.11 > 16.3.4 then 17.1 now: ended'], [], 'One thing to do now.'],
    ['forge 16.3.4', ['forge 16.3.4 > 17.1 now: ended'], [], 'One thing to do now.'],
    ['lib 1.2', ['lib 1.2 > 1.2.3 now: affected'], [], 'One thing to do now.'],
    ['lib 2.0', [], ['lib@2.0'], 'Nothing to do.'],
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
      'Nothing to do. Nothing is due before 1 Jun 2027.',
    ],
    [
      'caching 1.0\nsvc 2026.3',
      [],
      ['caching@1.0', 'svc@2026.3'],
      'Nothing to do. Nothing is due before 30 Dec 2027.',
    ],
    // Not tested is not refused.
    [
      'tool 1.0\nsvc 2026.3',
      [],
      ['tool@1.0', 'svc@2026.3'],
      'Nothing to do. Nothing is due before 30 Dec 2027.',
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
  expect(items[2]).not.toHaveProperty('lastStated');
});

test('a plan says what it did not read, what it does not know, and what has nothing to move to', async () => {
  const plan = await planOf('svc 2025.1\n\ngone 1.0\nleft-pad 1.0\nlib 2.0');

  expect(plan.notRead.map(({ line, reason }) => [line, reason])).toContainEqual([4, 'not-ours']);
  expect(plan.notes).toContain('Advisories: not known for 2 of 3.');
  expect(plan.notes).toContainEqual(expect.stringContaining('There is nothing to move to yet.'));
});

test('the plan of a longer list is missing, and that is said', async () => {
  const versions = Array.from({ length: 201 }, (_, place) => `1.${place}`);
  const plan = await planInMemory(
    versions.map((version) => ['many', version] as const),
    { many: definition() },
    { many: listing(...versions) },
  );

  expect(plan.text).toBe('There is no plan: it has at most 200 versions, and 201 were read.');
  expect([plan.items.length, plan.steps]).toEqual([201, []]);
});

const svcVersion = fc.constantFrom('2024.3', '2025.1', '2025.4', '2026.1', '2026.3');
const agentVersion = fc.constantFrom('3.9', '4.2', '4.3', '4.3.1', '4.5');
const edgeVersion = fc.constantFrom('1.9', '2.0', '2.1');
const entry = fc.oneof(
  fc.record({ versions: agentVersion, from: svcVersion }),
  fc.record({ versions: agentVersion, before: svcVersion }),
  fc.record({ versions: agentVersion, from: svcVersion, testedTo: svcVersion }),
);

/** The plan for versions of components that are judged in memory: hundreds of sites would take minutes. */
async function planInMemory(
  versions: readonly (readonly [component: string, version: string])[],
  definitions: Readonly<Record<string, object>>,
  recorded: Readonly<Record<string, { releases: readonly { version: string }[] }>>,
): Promise<Plan> {
  const all = new Map(
    Object.entries(definitions).map(
      ([name, stated]) => [name, { value: definitionOf(stated) }] as const,
    ),
  );
  const details = new Map<string, DetailsOn>();

  for (const [name, stated] of Object.entries(definitions)) {
    const { releases } = recorded[name]!;
    const component = componentOf(releases, stated, { name, day });
    const statedBy = statementsOn(name, all);
    details.set(name, detailsOn(detailsOf({ ...component, statedBy }), day));
  }

  const inMemory = {
    day: () => Promise.resolve(day),
    staleness: () => Promise.resolve(undefined),
    silence: () => Promise.resolve({}),
    details: (name: string) => Promise.resolve(details.get(name)),
  };
  const read = versions.map(([component, version], place) => ({
    ...{ component, version, line: place + 1, text: `${component} ${version}` },
  }));
  const text = { versions: read, notRead: [], others: 0, notes: [] } as unknown as IdentifiedText;

  return Plan.parse(await planFor(inMemory, await judgeRead(inMemory, text.versions), text));
}

const recordedOf = {
  svc: files['data/svc.json'],
  agent: files['data/agent.json'],
  edge: files['data/edge.json'],
};

/** An index with these statements of the agent, on the server and on the edge node. */
function definitionsWith(onServer: readonly Compatibility[], onEdge: readonly Compatibility[]) {
  const worksWith = {
    ...(onServer.length > 0 && { svc: onServer }),
    ...(onEdge.length > 0 && { edge: onEdge }),
  };

  return {
    svc: files['components/svc.json'],
    agent: definition({ title: 'Agent', worksWith }),
    edge: definition({ title: 'Edge node' }),
  };
}

const isLower = (one: string, other: string) =>
  compareVersions(parseVersion(one)!, parseVersion(other)!) < 0;

describe('more knowledge', () => {
  test('never makes the plan worse', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 3 }),
        svcVersion,
        agentVersion,
        edgeVersion,
        async (statements, svc, agent, edge) => {
          const list = [
            ['svc', svc],
            ['agent', agent],
            ['edge', edge],
          ] as const;
          const without = await planInMemory(list, definitionsWith(statements, []), recordedOf);
          // A condition that is met, a good word for every pair, and sources that know no advisory.
          const met: Compatibility = { versions: '*', from: '1.0', feature: 'caching' };
          const good: Compatibility = { versions: '*', from: '1.0' };
          const {
            svc: server,
            agent: own,
            edge: node,
          } = definitionsWith([...statements, met], [good]);
          const known = {
            svc: { ...server, advisories: [] },
            agent: { ...own, advisories: [] },
            edge: { ...node, advisories: [] },
          };
          const more = await planInMemory(list, known, recordedOf);

          expect(more.conflicts.length).toBeLessThanOrEqual(without.conflicts.length);
          expect(shortSteps(more)).toEqual(shortSteps(without));
          expect(more.nothingToDo).toEqual(without.nothingToDo);
          expect(without.notes).toEqual(['Advisories: not known for 3 of 3.']);
          expect(more.notes).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('never leads below what somebody runs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 4 }),
        svcVersion,
        agentVersion,
        async (statements, svc, agent) => {
          const { steps, items, nothingToDo, conflicts } = await planInMemory(
            [
              ['svc', svc],
              ['agent', agent],
            ],
            definitionsWith(statements, []),
            recordedOf,
          );

          for (const { component, from, to } of steps) {
            expect(to.component === component && isLower(to.version, from)).toBe(false);
          }

          const accounted = [
            ...steps.map(({ component, from }) => `${component}@${from}`),
            ...nothingToDo,
            ...conflicts.flatMap(({ between }) => between),
          ];
          expect(
            items.every((item) => accounted.includes(`${item.component}@${item.version}`)),
          ).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });
});
