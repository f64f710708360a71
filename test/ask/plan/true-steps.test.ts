import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DetailsOn } from '../../../src/ask/answers/details-on.ts';
import type { PublishedIndex } from '../../../src/ask/answers/published-index.ts';
import { conflictBetween, fittingWith, isBelow } from '../../../src/ask/plan/pairs.ts';
import { movesIn } from '../../../src/ask/plan/plan-outcome.ts';
import { judgeRead, planFor } from '../../../src/ask/plan/plan-versions.ts';
import type { IdentifiedText } from '../../../src/ask/texts/identify.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import { candidatesIn } from '../../../src/core/model/move-to.ts';
import { Plan } from '../../../src/core/schemas/published/plan-answer.ts';
import { checkout } from '../../harness/checkout.ts';
import { definition, makeRoot, temporaryFolder } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { siteOf } from '../../harness/site.ts';
import { day, listing, shortSteps } from './planning.ts';

const url = 'https://example.com/';

/** Stops, a replacement, conflicts, bounds, and no way out. */
const stops = {
  'components/core.json': definition({
    title: 'Core',
    support: { policy: 'latest-lines', count: 1 },
    upgradeStops: ['2.3'],
  }),
  'data/core.json': listing('1.0', '2.0', '2.3', '2.3.1', '3.0', '4.0', '4.1'),
  'components/agent.json': definition({
    title: 'Agent',
    worksWith: {
      core: [
        { versions: '1', with: '<2', url },
        { versions: '2', from: '2.0', before: '4.0', url },
        { versions: '3', from: '4.0', url },
      ],
    },
  }),
  'data/agent.json': listing('1.0', '2.0', '2.0.1', '3.0'),
  'components/plug.json': definition({
    title: 'Plug',
    worksWith: { core: [{ versions: '*', before: '2.0', url }] },
  }),
  'data/plug.json': listing('1.0', '1.1'),
  'components/probe.json': definition({
    title: 'Probe',
    support: {
      policy: 'dated',
      lines: { '1.0': '2026-12-20', '1.1': '2026-12-20', '2.0': '2028-01-01' },
    },
    worksWith: {
      agent: [
        { versions: '1', before: '2.0', url },
        { versions: '2', from: '2.0', url },
      ],
    },
  }),
  'data/probe.json': listing('1.0', '1.1', '2.0'),
};

const replaced = {
  'components/server.json': definition({
    title: 'Server',
    support: {
      policy: 'dated',
      lines: {
        '1.0': '2026-01-01',
        '2.0': '2027-01-14',
        '3.0': '2027-06-01',
        '4.0': '2028-01-01',
        '5.0': '2028-06-01',
      },
    },
  }),
  'data/server.json': listing('1.0', '2.0', '3.0', '4.0', '5.0'),
  'components/node.json': definition({
    title: 'Node',
    replacedBy: 'edge',
    support: { policy: 'ended', until: '2026-12-31', deprecatedFrom: '2026-01-01' },
    worksWith: { server: [{ versions: '*', before: '5.0', url }] },
  }),
  'data/node.json': listing('20.0', '21.0'),
  'components/edge.json': definition({
    title: 'Edge',
    worksWith: {
      server: [
        { versions: '1.0', from: '2.0', before: '4.0', url },
        { versions: '1.7', from: '3.0', url },
        { versions: '2.0', from: '5.0', url },
      ],
    },
  }),
  'data/edge.json': listing('1.0', '1.7', '2.0'),
  'components/tool.json': definition({
    title: 'Tool',
    worksWith: {
      server: [
        { versions: '1', before: '4.0', url },
        { versions: '2', from: '4.0', url },
      ],
      edge: [
        { versions: '1', before: '2.0', url },
        { versions: '2', from: '1.7', url },
      ],
    },
  }),
  'data/tool.json': listing('1.0', '1.5', '2.0'),
  'components/lib.json': definition({
    title: 'Library',
    advisories: [{ id: 'CVE-2026-11', affected: '>=2.0', severity: 'high' }],
  }),
  'data/lib.json': listing('2.0', '2.1'),
};

interface OpenedIndex {
  readonly index: PublishedIndex;
  readonly details: readonly DetailsOn[];
}

async function open(folder: string, on = day): Promise<OpenedIndex> {
  const { index } = openFolder(folder, () => on);
  const names = (await index.named()).map(({ name }) => name);
  const details = await Promise.all(names.map((name) => index.details(name)));

  return { index, details: details.map((each) => each!) };
}

type Version = readonly [component: string, version: string];

async function planOf({ index }: OpenedIndex, list: readonly Version[]): Promise<Plan> {
  const versions = list.map(([component, version], place) => {
    return { component, version, line: place + 1, text: `${component} ${version}` };
  });
  const read = { versions, notRead: [], others: 0, notes: [] } as unknown as IdentifiedText;

  return Plan.parse(await planFor(index, await judgeRead(index, versions), read));
}

/** Checks each state of a plan. */
function checkPlan({ details }: OpenedIndex, list: readonly Version[], plan: Plan): void {
  const position = ([component, version]: Version) => {
    return { details: details.find((each) => each.component === component)!, version };
  };
  const isBad = (one: Version, other: Version) =>
    conflictBetween(position(one), position(other)) !== undefined;
  const words = `${JSON.stringify(list)}: ${shortSteps(plan).join('; ')}`;
  let state = [...list];

  for (const [number, step] of plan.steps.entries()) {
    const next = state.map((each, place): Version => {
      const move = movesIn(step).find(
        ({ component, from }) => component === list[place]![0] && from === list[place]![1],
      );
      return move ? [move.to.component, move.to.version] : each;
    });

    for (const [place, one] of next.entries()) {
      const [component, version] = list[place]!;
      const isUp = one[0] !== component || one[1] === version || !isBelow(one[1], version);
      const { reason } = step;
      expect(isUp || reason !== 'conflict', `steps back: ${words}`).toBe(true);

      for (const [other, second] of next.entries()) {
        const isBroken = isBad(one, second) && !isBad(state[place]!, state[other]!);
        expect(isBroken, `step ${number + 1} breaks ${one} with ${second}: ${words}`).toBe(false);
      }
    }

    state = next;
  }

  checkEnd({ state, list, plan, words, position, isBad });
}

interface Checked {
  readonly state: readonly Version[];
  readonly list: readonly Version[];
  readonly plan: Plan;
  readonly words: string;
  position(version: Version): { details: DetailsOn; version: string };
  isBad(one: Version, other: Version): boolean;
}

/** A bad pair at the end is named, and no version that goes up could mend it. */
function checkEnd({ state, plan, words, position, isBad }: Checked): void {
  for (const [place, one] of state.entries()) {
    for (const [other, second] of state.entries()) {
      if (place === other || !isBad(one, second)) {
        continue;
      }

      const between = [one.join('@'), second.join('@')].sort();
      expect(
        plan.conflicts.map((conflict) => conflict.between.toSorted()),
        words,
      ).toContainEqual(between);

      const { details } = position(one);
      const fitting = fittingWith(details, position(second));
      const others = state.filter((_, index) => index !== place);
      const mending = details.upgradeStops
        ? []
        : candidatesIn(details).filter(
            ({ version }) =>
              isBelow(one[1], version) &&
              fitting.has(version) &&
              !others.some((each) => isBad([one[0], version], each)),
          );
      expect(mending, `could be avoided: ${words}`).toEqual([]);
    }
  }

  const isNow = ({ by }: Plan['steps'][number]) => by === undefined;
  const days = plan.steps.map((step) => (isNow(step) ? '' : step.by!));
  expect(days, words).toEqual(days.toSorted());

  for (const step of plan.steps.filter(({ resolves }) => resolves.length > 0)) {
    expect(isNow(step), `a conflict of today is due now: ${words}`).toBe(true);
  }
}

function versionsOf({ details }: OpenedIndex, isEach: boolean): Version[] {
  return details.flatMap(({ component, lines, releases }) => {
    const last = lines.map((line) => releases.findLast((each) => each.line === line.line)!.version);
    const all = releases.map(({ version }) => version);
    return (isEach ? all : last).map((version): Version => [component, version]);
  });
}

let opened: Record<'stops' | 'replaced' | 'example', OpenedIndex>;

const exampleDay = '2026-11-23';

beforeAll(async () => {
  const example = join(temporaryFolder(), 'site');
  const options = ['--root', checkout, '--out', example, '--as-of', exampleDay];
  expect((await runHere(['build', ...options])).status).toBe(0);

  opened = {
    stops: await open(siteOf(makeRoot(stops), day)),
    replaced: await open(siteOf(makeRoot(replaced), day)),
    example: await open(example, exampleDay),
  };
});

describe.each(['stops', 'replaced', 'example'] as const)('each state of a plan: %s', (name) => {
  test('for all pairs', async () => {
    const index = opened[name];
    const versions = versionsOf(index, name !== 'example');
    const isAsked = ([component, version]: Version) =>
      name !== 'example' || (component === 'svc' && version >= '2025.1');

    for (const one of versions.filter(isAsked)) {
      for (const other of versions.filter(([component]) => component !== one[0])) {
        checkPlan(index, [one, other], await planOf(index, [one, other]));
      }
    }
  });

  test('for random lists', async () => {
    const index = opened[name];
    const version = fc.constantFrom(...versionsOf(index, true));
    const list = fc.uniqueArray(version, {
      minLength: 2,
      maxLength: 7,
      selector: (each) => each.join('@'),
    });

    await fc.assert(
      fc.asyncProperty(list, async (each) => {
        checkPlan(index, each, await planOf(index, each));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the plans of what most customers run', () => {
  test.each<[list: string, steps: string[], words: RegExp]>([
    [
      'svc@2025.2 build-cache-node@20.0',
      [
        'svc 2025.2 > 2026.3 2026-12-31: ends-soon',
        'build-cache-node 20.0 > edge-node 2.1.0 2026-12-31: deprecated',
      ],
      /^Two things to do by 31 Dec 2026\..*Move to 2026\.3 by 2026-12-31, before Build cache node moves to Edge node 2\.1\.0\./s,
    ],
    ...['svc@2025.3', 'svc@2025.4'].map((svc): [string, string[], RegExp] => [
      `${svc} build-cache-node@21.2`,
      ['build-cache-node 21.2 > edge-node 1.7.0 2026-12-31: deprecated'],
      /^One thing to do by 31 Dec 2026\..*The newest is 2\.1\.0\. Edge node 2\.1\.0 needs Server 2026\.1\.0 or later\./s,
    ]),
    [
      'edge-node@2.1.0 svc@2025.2',
      ['svc 2025.2 > 2026.3 now: ends-soon (1)'],
      /^One thing to do now\..*Move to 2026\.3 now\./s,
    ],
    [
      'build-agent-gradle@4.4.0 svc@2025.4',
      [],
      /build-agent-gradle 4\.4\.0 with svc 2025\.4: not stated; the vendor last stated 4\.3\.3\. Advisories: not known\.\n/,
    ],
    [
      'svc@2025.1 edge-node@2.1.0 build-agent-npm@4.1.1 build-cache-node@20.0',
      [
        'svc 2025.1 > 2026.3 now: ended (1)',
        'build-cache-node 20.0 > edge-node 2.1.0 2026-12-31: deprecated',
      ],
      /^Two things to do: one now, one by 31 Dec 2026\. Then nothing is due before .*\nbuild-agent-npm 4\.1\.1 with svc 2026\.3: not stated; the vendor last stated 4\.1\.0\.\n/s,
    ],
  ])('%s', async (list, steps, words) => {
    const versions = list.split(' ').map((each) => each.split('@') as unknown as Version);
    const plan = await planOf(opened.example, versions);

    expect(shortSteps(plan)).toEqual(steps);
    expect([plan.text, ...plan.steps.map(({ text }) => text), ...plan.notes].join('\n')).toMatch(
      words,
    );
  });
});

describe('hard cases', () => {
  test.each<[name: 'stops' | 'replaced', list: string, steps: string[], words: RegExp]>([
    // The agent goes with the stop, not with what comes after it.
    [
      'stops',
      'core@1.0 agent@1.0',
      ['core 1.0 > 2.3.1 then 4.1 + agent 1.0 > 2.0.1 now: ended'],
      /Move Core 1\.0 to 2\.3\.1 and Agent 1\.0 to 2\.0\.1 together now: no order keeps them working\. .*Then go on to Core 4\.1\./,
    ],
    ['stops', 'core@1.0 plug@1.0', [], /^One conflict remains\./],
    [
      'replaced',
      'lib@2.1',
      [],
      /^Library 2\.1 is affected by CVE-2026-11, and nothing fixes it yet\.\n.*nothing fixes it yet\./s,
    ],
    ['replaced', 'server@3.0 node@20.0', ['node 20.0 > edge 1.7 2026-12-31: deprecated'], /^/],
    [
      'replaced',
      'server@1.0 node@20.0',
      ['server 1.0 > 5.0 + node 20.0 > edge 2.0 now: ended'],
      /^One thing to do now\./,
    ],
  ])('%s: %s', async (name, list, steps, words) => {
    const versions = list.split(' ').map((each) => each.split('@') as unknown as Version);
    const plan = await planOf(opened[name], versions);

    expect(shortSteps(plan)).toEqual(steps);
    expect([plan.text, ...plan.steps.map(({ text }) => text), ...plan.notes].join('\n')).toMatch(
      words,
    );
  });
});
