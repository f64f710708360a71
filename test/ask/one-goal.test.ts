import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import jsonata from 'jsonata';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask } from '../../src/ask/answers/ask.ts';
import { askExactly } from '../../src/ask/answers/version-answer.ts';
import { judgeVersion } from '../../src/ask/answers/judge-version.ts';
import type { PublishedIndex } from '../../src/ask/answers/published-index.ts';
import { isBelow } from '../../src/ask/plan/pairs.ts';
import { formatDay } from '../../src/core/model/dates.ts';
import type { Plan, PlanMove, PlanStep } from '../../src/core/schemas/published/plan-answer.ts';
import { siteOf } from '../harness/site.ts';
import { tools } from '../../src/ask/server/mcp/tools.ts';
import { openFolder } from '../../src/cli/open-published.ts';
import type { DetailsFile } from '../../src/core/schemas/published/details-file.ts';
import type { PolicyScan } from '../../src/core/schemas/published/policy-scan.ts';
import type { VersionAnswer } from '../../src/core/schemas/published/answer-schemas.ts';
import { apiOf } from '../harness/api.ts';
import { checkout, fixtureDay } from '../harness/checkout.ts';
import { runCli } from '../harness/cli.ts';
import {
  copyOfFixtureIndex,
  definition,
  makeRoot,
  readJsonIn,
  temporaryFolder,
} from '../harness/root.ts';

const listing = (...versions: string[]) => ({
  releases: versions.map((version, index) => ({
    version,
    releaseTimestamp: `2025-0${(index % 9) + 1}-10`,
  })),
});

/** Policies, stops, advisories, replacements and conflicts that stand against each other. */
function hurting(): string {
  const { releases } = listing('1.0', '1.1', '2.0', '2.1');
  return makeRoot({
    'components/none.json': definition(),
    'data/none.json': listing('1.0', '1.1', '2.0-rc.1', '2.0'),
    'components/stops.json': definition({
      support: { policy: 'latest-lines', count: 2 },
      deprecated: [{ versions: '1.3', reason: 'Old.' }],
      upgradeStops: ['1.3', { at: '2.0', reason: 'It migrates.' }, '9.9'],
    }),
    'data/stops.json': listing('1.0', '1.3', '1.3.1', '2.0', '2.0.4', '3.0', '3.1'),
    'components/affected.json': definition({
      support: { policy: 'dated', lines: { '1.0': '2026-12-24', '1.1': '2028-01-01' } },
      advisories: [
        { id: 'CVE-2026-1', affected: '>=1.1 <1.1.2', fixed: ['1.1.2'] },
        { id: 'CVE-2026-2', affected: '>=1.2' },
      ],
    }),
    'data/affected.json': listing('1.0', '1.1', '1.1.1', '1.1.2', '1.2', '1.3'),
    'components/hopeless.json': definition({ advisories: [{ id: 'CVE-2026-3', affected: '*' }] }),
    'data/hopeless.json': listing('1.0', '1.1'),
    'components/pulled.json': definition(),
    'data/pulled.json': {
      releases: [...releases.slice(0, 3), { ...releases[3], withdrawnSince: '2026-01-01' }],
    },
    'components/replaced.json': definition({
      support: { policy: 'ended', until: '2026-12-31', deprecatedFrom: '2026-01-01' },
      replacedBy: 'affected',
    }),
    'data/replaced.json': listing('1.0', '2.0'),
    'components/ended.json': definition({ support: { policy: 'ended' }, replacedBy: 'replaced' }),
    'data/ended.json': listing('1.0', '2.0'),
    'components/bounds.json': definition({ support: { policy: 'term', months: 12 } }),
    'data/bounds.json': {
      releases: [
        { version: '1.0', releaseTimestamp: '2025-08-01', timestampKind: 'observed' },
        {
          version: '2.0',
          releaseTimestamp: '2026-06-01',
          timestampKind: 'observed',
          notListedOn: '2025-12-15',
        },
      ],
    },
    'components/apart.json': definition({
      worksWith: {
        stops: [
          { versions: '1.0', before: '3.0' },
          { versions: '2.0', from: '3.0' },
        ],
      },
    }),
    'data/apart.json': listing('1.0', '2.0'),
  });
}

/** The example itself. */
function example(): string {
  const root = temporaryFolder();
  for (const folder of ['components', 'data', 'site']) {
    cpSync(join(checkout, folder), join(root, folder), { recursive: true });
  }
  return root;
}

type Goal = Pick<
  VersionAnswer,
  'moveReason' | 'moveTo' | 'goal' | 'moveBy' | 'latestOfLine' | 'newest'
>;

function goalIn({ moveReason, moveTo, goal, moveBy, latestOfLine, newest }: Goal): Goal {
  return JSON.parse(
    JSON.stringify({ moveReason, moveTo, goal, moveBy, latestOfLine, newest }),
  ) as Goal;
}

/** The index of a folder that reads each component once: the test asks thousands of questions. */
function openOnce(out: string, day: string): PublishedIndex {
  const { index } = openFolder(out, () => day);
  const read = new Map<string, ReturnType<PublishedIndex['details']>>();

  return {
    ...index,
    details(component) {
      const details = read.get(component) ?? index.details(component);
      read.set(component, details);
      return details;
    },
  };
}

/** The releases that the preset offers to a version, the replacement that it proposes, by Renovate's own expressions. */
async function openPreset(out: string) {
  const { customDatasources, packageRules } = readJsonIn<Preset>(out, 'renovate.json');
  const [{ transformTemplates }] = Object.values(customDatasources) as [Transformed];

  return async (component: string) => {
    const transform = jsonata(transformTemplates[0]!.replaceAll('{{{packageName}}}', component));
    const offered = (await transform.evaluate(readJsonIn(out, `${component}.json`))) as Offered;
    const versions = [offered.releases ?? []].flat().map(({ version }) => version);
    const rules = packageRules.filter(
      ({ matchDatasources = [], matchPackageNames = [] }) =>
        matchDatasources[0]?.startsWith('custom.') && matchPackageNames.includes(component),
    );
    const bounds = rules
      .filter(({ allowedVersions }) => allowedVersions !== undefined)
      .map(({ matchJsonata = [], allowedVersions = '' }) => {
        return { condition: jsonata(matchJsonata[0]!), most: allowedVersions.replace('<=', '') };
      });
    const replacement = rules.find(({ replacementName }) => replacementName !== undefined);

    return {
      replacement: replacement && {
        component: replacement.replacementName,
        version: replacement.replacementVersion,
      },
      async offeredTo(version: string): Promise<string[]> {
        let within = versions.filter((each) => isBelow(version, each));
        for (const { condition, most } of bounds) {
          if (await condition.evaluate({ currentValue: version })) {
            within = within.filter((each) => !isBelow(most, each));
          }
        }
        return within;
      },
    };
  };
}

interface Transformed {
  readonly transformTemplates: readonly string[];
}

interface Offered {
  readonly releases?: { readonly version: string } | readonly { readonly version: string }[];
}

interface Preset {
  readonly customDatasources: Readonly<Record<string, Transformed>>;
  readonly packageRules: readonly {
    readonly matchDatasources?: readonly string[];
    readonly matchPackageNames?: readonly string[];
    readonly matchJsonata?: readonly string[];
    readonly allowedVersions?: string;
    readonly replacementName?: string;
    readonly replacementVersion?: string;
  }[];
}

/** What a page names for a release line: `Move to 2026.3`. */
interface NamedMove {
  readonly component: string;
  readonly line: string;
  readonly words: string;
}

function movesOn(page: string): NamedMove[] {
  const form = /data-move="([^"]+)" data-line="([^"]+)"[^>]*>(.*?)<\/span>/g;
  return Array.from(page.matchAll(form), ([, component = '', line = '', words = '']) => ({
    ...{ component, line, words: words.replaceAll(/<[^>]+>/g, '') },
  }));
}

describe.each([
  ['the index of the fixtures', copyOfFixtureIndex, fixtureDay],
  ['the example', example, '2026-11-22'],
  ['an index made to hurt', hurting, '2026-11-22'],
])('%s', (_, makeIndex, day) => {
  let root: string;
  let out: string;
  let index: PublishedIndex;
  let releases: { component: string; version: string }[];
  let answers: Map<string, VersionAnswer>;

  beforeAll(async () => {
    root = makeIndex();
    out = siteOf(root, day, undefined, join(root, 'dist'));
    index = openOnce(out, day);
    const names = readJsonIn<string[]>(out, 'index.json');
    releases = names.flatMap((component) =>
      readJsonIn<DetailsFile>(out, `details/${component}.json`).releases.map(({ version }) => ({
        component,
        version,
      })),
    );
    answers = new Map();
    for (const { component, version } of releases) {
      const { answer } = await askExactly(index, component, version);
      answers.set(`${component}@${version}`, answer);
    }
  }, 60_000);

  test('the box and the API name one goal for each release', async () => {
    const api = apiOf(out, index);

    for (const { component, version } of releases) {
      const item = `${component}@${version}`;
      const goal = goalIn(answers.get(item)!);
      const boxed = await ask(index, `${component} ${version}`);
      const url = `/api/components/${component}/releases/${encodeURIComponent(version)}`;
      const body = (await (await api(url)).json()) as Goal;

      expect(boxed.kind === 'version' && goalIn(boxed.answer), `box ${item}`).toEqual(goal);
      expect(goalIn(body), `API ${item}`).toEqual(goal);
      expect('moveReason' in body, item).toBe('moveTo' in body);
    }
  });

  test('scan, explain, the tool and the plan name the same', async () => {
    const items = [...answers.keys()];
    const scanned = await runCli(['scan', ...items, '--json', '--root', root, '--as-of', day]);
    const { results } = JSON.parse(scanned.stdout) as { results: PolicyScan[] };
    const scans = new Map(results.map((result) => [result.thing, result.details.moveTo]));
    const check = tools.find(({ name }) => name === 'check_versions')!;

    for (const [item, { moveTo }] of answers) {
      expect(scans.get(item), `scan ${item}`).toEqual(moveTo);
    }

    for (const item of items) {
      const { content } = await check.answer({ text: item } as never, { index, day } as never);
      const { steps } = content as unknown as Plan;
      const { moveReason, moveTo, goal, moveBy } = answers.get(item)!;
      const [step] = steps as readonly (PlanStep & PlanMove)[];

      expect(steps, `check_versions ${item}`).toHaveLength(moveTo ? 1 : 0);
      expect([step?.reason, step?.to, step?.goal, step?.by], `check_versions ${item}`).toEqual([
        moveReason,
        moveTo,
        goal,
        moveBy,
      ]);
    }

    for (const item of items.filter((_, place) => place % 40 === 0)) {
      const { stdout } = await runCli(['explain', item, '--json', '--root', root, '--as-of', day]);
      const { answer } = JSON.parse(stdout) as { answer: Goal };
      expect(goalIn(answer), `explain ${item}`).toEqual(goalIn(answers.get(item)!));
    }
  });

  test('the pages name it at the head and in each row', async () => {
    for (const component of new Set(releases.map((release) => release.component))) {
      const details = (await index.details(component))!;
      const page = readFileSync(join(out, `${component}.html`), 'utf8');
      const [, head = ''] = /<p class="headline">.*?<\/p>(.*?)<form/s.exec(page) ?? [];
      const { moveTo, advice = '' } = answers.get(`${component}@${details.latest?.version}`) ?? {};
      const words = head.replaceAll(/<[^>]+>/g, '');

      expect(
        /\bMove (?:back )?to /.test(words) ? 'a move' : 'no move',
        `${component}: ${words}`,
      ).toBe(moveTo ? 'a move' : 'no move');
      if (moveTo) {
        expect(words).toContain(advice.replaceAll(/\d{4}-\d\d-\d\d/g, formatDay));
      }
    }

    const shown = movesOn(readFileSync(join(out, 'index.html'), 'utf8'));
    expect(shown.some(({ words }) => words !== '')).toBe(true);
    for (const { component, line, words } of shown) {
      const details = (await index.details(component))!;
      const { replacedBy } = details;
      const replacement = replacedBy === undefined ? undefined : await index.details(replacedBy);
      const { moveTo } = judgeVersion(details, { line, replacement });
      const title = moveTo && moveTo.component !== component ? `${replacement!.title} ` : '';

      expect(words, `${component} ${line}`).toBe(moveTo ? `Move to ${title}${moveTo.version}` : '');
    }
  });

  test('the preset offers it, and no stop is skipped', async () => {
    const presetOf = await openPreset(out);
    let compared = 0;

    for (const component of new Set(releases.map((release) => release.component))) {
      const { replacement, offeredTo } = await presetOf(component);

      for (const { version } of releases.filter((release) => release.component === component)) {
        const { moveTo, goal } = answers.get(`${component}@${version}`)!;
        const item = `${component}@${version}`;

        if (moveTo && moveTo.component !== component) {
          expect(replacement, `preset ${item}`).toEqual(moveTo);
          compared += 1;
        } else if (moveTo && isBelow(version, moveTo.version)) {
          const offered = await offeredTo(version);
          compared += 1;
          expect(offered, `preset ${item}`).toContain(moveTo.version);
          expect(goal === undefined || offered.at(-1), `stop for ${item}`).toBe(
            goal === undefined || moveTo.version,
          );
        }
      }
    }

    expect(compared).toBeGreaterThan(3);
  });
});

test('a calendar names the goal as it is on the day of the end', async () => {
  const root = hurting();
  await runCli(['build', '--root', root, '--as-of', '2026-11-22']);
  const calendar = readFileSync(join(root, 'dist/support.ics'), 'utf8').replaceAll('\r\n ', '');

  expect(calendar).toContain('SUMMARY:A component 1.0: support ends. Move to 1.1.2');
  expect(calendar).toContain(
    'SUMMARY:A component 1.0\\, 2.0: support ends. Move to A component 1.1.2',
  );
});
