import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ask, askExactly } from '../../src/ask/answers/ask.ts';
import { judgeRead } from '../../src/ask/plan/plan-versions.ts';
import { tools } from '../../src/ask/server/mcp/tools.ts';
import { openFolder } from '../../src/cli/open-index.ts';
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
      support: { policy: 'ended', since: '2026-12-31', deprecatedFrom: '2026-01-01' },
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

describe.each([
  ['the index of the fixtures', copyOfFixtureIndex, fixtureDay],
  ['the example', example, '2026-11-22'],
  ['an index made to hurt', hurting, '2026-11-22'],
])('%s', (_, makeIndex, day) => {
  test('names one goal for a release at every door', { timeout: 120_000 }, async () => {
    const root = makeIndex();
    const built = await runCli(['build', '--root', root, '--as-of', day]);
    expect(built.status, built.stderr).toBe(0);
    const out = join(root, 'dist');
    const { index } = openFolder(out, () => day);
    const api = apiOf(out);
    const names = readJsonIn<string[]>(root, 'dist/index.json');
    const releases = names.flatMap((name) =>
      readJsonIn<DetailsFile>(root, `dist/details/${name}.json`).releases.map(({ version }) => ({
        component: name,
        version,
      })),
    );
    const items = releases.map(({ component, version }) => `${component}@${version}`);
    const scanned = await runCli(['scan', ...items, '--json', '--root', root, '--as-of', day]);
    const { results } = JSON.parse(scanned.stdout) as { results: PolicyScan[] };
    const scans = new Map(results.map((result) => [result.thing, result.details.moveTo]));
    const read = releases.slice(0, 200).map((each) => ({ ...each, text: '' }));
    const mine = new Map(
      (await judgeRead(index, read)).map(({ answer }) => [
        `${answer.component}@${answer.version}`,
        answer,
      ]),
    );
    const rows = readFileSync(join(out, 'releases.csv'), 'utf8').trimEnd().split('\r\n').slice(1);
    const check = tools.find(({ name }) => name === 'check_versions')!;

    for (const [place, item] of items.entries()) {
      const { component, version } = releases[place]!;
      const { answer } = await askExactly(index, component, version);
      const goal = goalIn(answer);
      const boxed = await ask(index, `${component} ${version}`);
      const url = `/api/components/${component}/releases/${encodeURIComponent(version)}`;
      const body = (await (await api(url)).json()) as { verdict?: Goal } & Goal;

      const { moveTo } = goal;
      const cell = moveTo ? `${moveTo.component}@${moveTo.version}` : '';
      expect(rows[place]!.split(',').at(-1), `table ${item}`).toBe(cell);
      expect(scans.get(item), `scan ${item}`).toEqual(goal.moveTo);
      expect(boxed.kind === 'version' && goalIn(boxed.answer), `box ${item}`).toEqual(goal);
      expect(goalIn(body.verdict ?? body), `API ${item}`).toEqual(goal);

      const listed = mine.get(item);
      expect(listed === undefined || goalIn(listed), `my versions ${item}`).toEqual(
        listed === undefined || goal,
      );
    }

    const text = items.slice(0, 200).join('\n');
    const { content } = await check.answer({ text } as never, { index, day } as never);
    const checked = (content as { items: VersionAnswer[] }).items;
    expect(checked).toHaveLength(Math.min(items.length, 200));
    for (const item of checked) {
      const name = `${item.component}@${item.version}`;
      expect(item.moveTo, `check_versions ${name}`).toEqual(scans.get(name));
    }

    for (const item of items.filter((_, place) => place % 40 === 0)) {
      const { stdout } = await runCli(['explain', item, '--json', '--root', root, '--as-of', day]);
      const { answer } = JSON.parse(stdout) as { answer: Goal };
      expect(answer.moveTo, `explain ${item}`).toEqual(scans.get(item));
    }
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
