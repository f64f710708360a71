import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { DetailsOn } from '../../../src/ask/answers/component-on.ts';
import type { PublishedIndex } from '../../../src/ask/answers/published-index.ts';
import { findConflict, listFittingWith, isBelow } from '../../../src/ask/plan/pairs.ts';
import { listMoves } from '../../../src/ask/plan/plan-outcomes.ts';
import { planVersions } from '../../../src/ask/plan/plan-versions.ts';
import type { IdentifiedText } from '../../../src/ask/texts/identified-text.ts';
import { identifyForPerson } from '../../../src/ask/texts/identify.ts';
import { longestTexts, readText } from '../../../src/ask/texts/read-text.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import { listCandidates } from '../../../src/core/model/move-to.ts';
import { Plan } from '../../../src/core/schemas/published/plan-answer.ts';
import { checkout } from '../../harness/checkout.ts';
import { sourceForPerson } from '../../harness/person.ts';
import { definition, makeRoot, temporaryFolder } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { siteOf } from '../../harness/site.ts';
import { day, listing, shortSteps } from './planning.ts';

const url = 'https://example.com/';

/** Stops, a replacement, conflicts, bounds, and no way out. */
export const stops = {
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

export const replaced = {
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

export interface OpenedIndex {
  readonly index: PublishedIndex;
  readonly details: readonly DetailsOn[];
}

async function open(folder: string, on = day): Promise<OpenedIndex> {
  const { index } = openFolder(folder, () => on);
  const names = (await index.names()).components.map(({ name }) => name);
  const details = await Promise.all(names.map((name) => index.details(name)));

  return { index, details: details.map((each) => each!) };
}

export type Version = readonly [component: string, version: string];

export async function planOf({ index }: OpenedIndex, list: readonly Version[]): Promise<Plan> {
  const versions = list.map(([component, version], place) => {
    return { component, version, line: place + 1, text: `${component} ${version}` };
  });
  const read = { versions, notRead: [], otherCount: 0, notes: [] } as unknown as IdentifiedText;

  const { plan } = await planVersions(index, read);
  return Plan.parse(plan);
}

/** The plan for a text that a person pastes. */
export async function planOfText({ index }: OpenedIndex, text: string): Promise<Plan> {
  const read = await readText(index, text, longestTexts.page);
  const identified = await identifyForPerson(sourceForPerson(index), read);

  const { plan } = await planVersions(index, identified);
  return plan;
}

/** Checks each state of a plan. */
export function checkPlan({ details }: OpenedIndex, list: readonly Version[], plan: Plan): void {
  const position = ([component, version]: Version) => {
    return { details: details.find((each) => each.component === component)!, version };
  };
  const isBad = (one: Version, other: Version) =>
    findConflict(position(one), position(other)) !== undefined;
  const words = `${JSON.stringify(list)}: ${shortSteps(plan).join('; ')}`;
  let state = [...list];

  for (const [number, step] of plan.steps.entries()) {
    const next = state.map((each, place): Version => {
      const move = listMoves(step).find(
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
      const fitting = listFittingWith(details, position(second));
      const others = state.filter((_, index) => index !== place);
      const mending = details.upgradeStops
        ? []
        : listCandidates(details).filter(
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

export function versionsOf({ details }: OpenedIndex): Version[] {
  return details.flatMap(({ component, releases }) =>
    releases.map(({ version }): Version => [component, version]),
  );
}

/** Checks the plan of each pair of versions of two components. */
export async function checkPairs(index: OpenedIndex, versions: readonly Version[]): Promise<void> {
  for (const one of versions) {
    for (const other of versions) {
      if (one[0] < other[0]) {
        checkPlan(index, [one, other], await planOf(index, [one, other]));
      }
    }
  }
}

/** Checks the plans of lists of two to seven versions, in either order. */
export async function checkRandomLists(index: OpenedIndex, numRuns: number): Promise<void> {
  const version = fc.constantFrom(...versionsOf(index));
  const list = fc.uniqueArray(version, {
    minLength: 2,
    maxLength: 7,
    selector: (each) => each.join('@'),
  });

  await fc.assert(
    fc.asyncProperty(list, async (each) => {
      const plan = await planOf(index, each);
      checkPlan(index, each, plan);
      const reversed = await planOf(index, each.toReversed());
      expect(movesOf(reversed), 'the order of the list does not matter').toEqual(movesOf(plan));
    }),
    { numRuns },
  );
}

/** The moves of each step, in the order of their names. */
function movesOf({ steps }: Plan): string[] {
  return steps.map((step) => {
    const moves = listMoves(step).map(({ component, from, to }) => {
      return `${component} ${from} > ${to.component} ${to.version}`;
    });
    return `${step.by}: ${moves.sort().join(' + ')}`;
  });
}

export const exampleDay = '2026-11-23';

export type IndexName = 'stops' | 'replaced' | 'example';

/** The two indexes made to hurt, and the example. */
export async function openAll(): Promise<Record<IndexName, OpenedIndex>> {
  const example = join(temporaryFolder(), 'site');
  const options = ['--root', checkout, '--out', example, '--as-of', exampleDay];
  expect((await runHere(['build', ...options])).status).toBe(0);

  return {
    stops: await open(siteOf(makeRoot(stops), day)),
    replaced: await open(siteOf(makeRoot(replaced), day)),
    example: await open(example, exampleDay),
  };
}
