import { planVersions } from '../../../src/ask/plan/plan-versions.ts';
import { computeDetailsOn, type DetailsOn } from '../../../src/ask/answers/component-on.ts';
import type { IdentifiedText } from '../../../src/ask/texts/identified-text.ts';
import { listMoves } from '../../../src/ask/plan/plan-outcomes.ts';
import { Plan, type PlanMove } from '../../../src/core/schemas/published/plan-answer.ts';
import { describeDetails } from '../../../src/decide/details.ts';
import { collectStatedBy } from '../../../src/core/model/pair-answers.ts';
import { componentOf, definitionOf } from '../../site/render/sites.ts';
import { definition } from '../../harness/root.ts';

export const day = '2026-11-22';

export const listing = (...versions: string[]) => ({
  releases: versions.map((version) => ({ version })),
});

/** The files of components `a` (Title A), `b`, …, each with its definition and its versions. */
export function filesOf(components: Record<string, [about: object, versions: string]>) {
  return Object.fromEntries(
    Object.entries(components).flatMap(([name, [about, versions]]) => [
      [`components/${name}.json`, definition({ title: name.toUpperCase(), ...about })],
      [`data/${name}.json`, listing(...versions.split(' '))],
    ]),
  );
}

/** A server with an end a year, its agents, and components that end, stop, conflict or are affected. */
export const files = {
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
    support: { policy: 'ended', until: '2026-12-31', deprecatedFrom: '2026-01-01' },
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
    support: { policy: 'ended', until: '2025-01-01' },
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

/** Each step as `svc 2025.1 > 2026.3 now: ended`; moves that are done together are joined by a plus sign. */
export function shortSteps({ steps }: Plan): string[] {
  return steps.map((step) => {
    const { by = 'now', reason, resolves } = step;
    const over = resolves.length > 0 ? ` (${resolves.length})` : '';
    return `${listMoves(step).map(shortMove).join(' + ')} ${by}: ${reason}${over}`;
  });
}

function shortMove({ component, from, to, goal }: PlanMove): string {
  const elsewhere = to.component === component ? '' : `${to.component} `;
  const then = goal ? ` then ${goal.version}` : '';

  return `${component} ${from} > ${elsewhere}${to.version}${then}`;
}

/** Components as they are published, judged in memory: hundreds of sites would take minutes. */
function publishInMemory(
  definitions: Readonly<Record<string, object>>,
  recorded: Readonly<Record<string, { releases: readonly { version: string }[] }>>,
): ReadonlyMap<string, DetailsOn> {
  const all = new Map(
    Object.entries(definitions).map(
      ([name, stated]) => [name, { value: definitionOf(stated) }] as const,
    ),
  );
  const statements = collectStatedBy(all);

  return new Map(
    Object.entries(definitions).map(([name, stated]) => {
      const component = componentOf(recorded[name]!.releases, stated, { name, day });
      const statedBy = statements.get(name);
      return [name, computeDetailsOn(describeDetails({ ...component, statedBy }), day)];
    }),
  );
}

/** The plan for versions of components that are judged in memory. */
export async function planInMemory(
  versions: readonly (readonly [component: string, version: string])[],
  definitions: Readonly<Record<string, object>>,
  recorded: Readonly<Record<string, { releases: readonly { version: string }[] }>>,
): Promise<Plan> {
  const details = publishInMemory(definitions, recorded);
  const inMemory = {
    day: () => Promise.resolve(day),
    staleness: () => Promise.resolve(undefined),
    silence: () => Promise.resolve({}),
    details: (name: string) => Promise.resolve(details.get(name)),
  };
  const read = versions.map(([component, version], place) => ({
    ...{ component, version, line: place + 1, text: `${component} ${version}` },
  }));
  const text = {
    versions: read,
    notRead: [],
    otherCount: 0,
    notes: [],
  } as unknown as IdentifiedText;

  const { plan } = await planVersions(inMemory, text);
  return Plan.parse(plan);
}

/** The plan for a list such as `svc@2025.1 agent@1.0`, from the files of an index. */
export function planFiles(files: Files, list: string): Promise<Plan> {
  const versions = list.split(' ').map((each) => each.split('@') as [string, string]);
  const { definitions, recorded } = splitFiles(files);

  return planInMemory(versions, definitions, recorded);
}

/** The published details of a component, from the files of an index. */
export function detailsIn(files: Files, component: string): DetailsOn {
  const { definitions, recorded } = splitFiles(files);
  return publishInMemory(definitions, recorded).get(component)!;
}

type Files = Readonly<Record<string, object>>;

function splitFiles(files: Files) {
  const inFolder = (folder: string) =>
    Object.fromEntries(
      Object.entries(files)
        .filter(([path]) => path.startsWith(`${folder}/`))
        .map(([path, content]) => [path.slice(folder.length + 1, -'.json'.length), content]),
    );
  return {
    definitions: inFolder('components'),
    recorded: inFolder('data') as Record<string, ReturnType<typeof listing>>,
  };
}
