/** What a script counts in the files, by JSON.parse alone, and at the API. */
import { expect, test } from 'vitest';
import type { Release } from '../../../src/core/schema/published.ts';
import type { Search } from '../../../src/core/short-releases.ts';
import { openDoors } from '../../harness/api.ts';
import { judgeComponents, renderFiles, type Facts } from '../../harness/components.ts';
import { loadExample } from '../../harness/example.ts';

const deprecated = [{ versions: ['3.1'], reason: 'Broken.' }];
const made = judgeComponents({
  term: {
    definition: { support: { policy: 'term', months: 18 }, deprecated },
    releases: { '1.0': '2024-01-01', '3.0': '2026-08-01', '3.1': '2026-09-01' },
  },
  plain: {
    releases: [
      { version: '1.1', sources: [], withdrawnSince: '2026-01-01' },
      { version: '1.2-rc1', sources: [], isPrerelease: true },
    ],
  },
});
const indexes = [
  ['the example', renderFiles(loadExample())],
  ['a made index', renderFiles(made)],
] as const;

type Fact = Partial<Release>;

function count(releases: readonly Fact[]) {
  return {
    deprecated: releases.filter(({ isDeprecated }) => isDeprecated).length,
    current: releases.filter(({ isDeprecated }) => isDeprecated === false).length,
    ended: releases.filter(({ state }) => state === 'ended').length,
    supported: releases.filter(({ isSupported }) => isSupported).length,
    behind: releases.reduce((sum, { releasesBehind = 0 }) => sum + releasesBehind, 0),
  };
}

/** As the contract describes `search.json`. */
function readSearched({ lines, releases }: Search['components'][string]) {
  return releases.map(({ line, without = [], ...own }): Fact => {
    const { state, isSupported, reason } = lines.find((each) => each.line === line)!;
    const isDeprecated = state === 'ended' && reason !== undefined;
    const ofLine = { state, isDeprecated, isSupported: isSupported! };
    return { ...ofLine, ...Object.fromEntries(without.map((key) => [key, undefined])), ...own };
  });
}

test.each(indexes)('counts of %s are equal in every file, and at the API', async (_, files) => {
  const read = (path: string): any => JSON.parse(files.get(path)!);
  const ask = openDoors('', { read: (path) => Promise.resolve(files.get(path)) });
  const total: Fact[] = [];
  for (const name of read('index.json') as string[]) {
    const { releases } = read(`details/${name}.json`);
    const counts = count(releases);
    const asked = await ask(`/api/releases?maxReleases=1000&query=component:${name}`);
    const ofFiles = [read(`${name}.json`), read('all.json').components[name]];

    expect(counts.deprecated + counts.current, name).toBe(releases.length);
    expect(count((await asked.json()) as Fact[]), name).toEqual(counts);
    const searched = count(readSearched(read('search.json').components[name]));
    expect(searched, name).toEqual({ ...counts, behind: 0 });
    for (const file of ofFiles.map((each) => count(each.releases))) {
      expect(file, name).toEqual({ ...counts, ended: 0, supported: 0, behind: 0 });
    }
    total.push(...releases);
  }
  expect(Object.values(count(total))).not.toContain(0);

  const order = Object.keys(made.components[0]!.releases[0]!);
  for (const keys of total.map(Object.keys)) {
    expect(keys).toEqual(order.filter((key) => keys.includes(key)));
  }
});

/** Events such as `2026-11-10 deprecated 1.1 Broken`. Those of the first day are what the component began with. */
function tell(definition: object, ...lines: string[]): Facts {
  const journal = ['2026-11-01 released 1.0', '2026-11-01 released 1.1', ...lines].map((line) => {
    const [on, type = '', subject, reason] = line.split(' ');
    const key = type === 'support-ended' ? 'line' : 'version';
    const initial = on === '2026-11-01' || undefined;
    return { at: `${on}T06:00:00Z`, type, on, [key]: subject, reason, initial };
  });
  return {
    definition,
    releases: ['1.0', '1.1'].map((version) => ({ version, sources: [] })),
    journal,
  };
}

const broken = { versions: ['1.0', '1.1'], reason: 'Broken.' };
const deprecatedNow = { deprecated: [broken] };
const told = {
  began: tell(
    deprecatedNow,
    '2026-11-01 deprecated 1.0 Broken',
    '2026-11-10 deprecated 1.0 Worse',
    '2026-10-01 deprecated 1.1 Broken',
  ),
  again: tell(
    deprecatedNow,
    '2026-11-10 deprecated 1.0 Broken',
    '2026-11-20 deprecated 1.0 Worse',
    '2026-09-20 deprecated 1.1 Broken',
    '2026-09-30 restored 1.1',
    '2026-11-12 deprecated 1.1 Broken',
  ),
  stated: tell(
    { deprecated: [{ ...broken, since: '2026-10-03' }] },
    '2026-11-05 deprecated 1.0 Broken',
  ),
  over: tell({ support: { policy: 'ended' } }, '2026-11-08 support-ended 1.1'),
  // Deprecated before the end of its support, since an unknown day.
  early: tell(
    { support: { policy: 'ended', until: '2026-11-06' } },
    '2026-11-06 support-ended 1.0',
  ),
};

test('what was deprecated this month is what the journal says', async () => {
  const files = renderFiles(judgeComponents(told));
  const ask = openDoors('', { read: (path) => Promise.resolve(files.get(path)) });
  const answer = await ask('/api/releases?query=deprecatedSince:%3E-31d');
  const list = (releases: any[]) => releases.map((each) => each.deprecatedSince ?? 'unknown');
  const days = Object.keys(told).map((name) =>
    list(JSON.parse(files.get(`details/${name}.json`)!).releases),
  );

  expect(days).toEqual([
    ['unknown', '2026-10-01'],
    ['2026-11-10', '2026-11-12'],
    ['2026-10-03', '2026-10-03'],
    ['unknown', '2026-11-08'],
    ['unknown', 'unknown'],
  ]);
  expect(list((await answer.json()) as any[])).toEqual(['2026-11-10', '2026-11-12', '2026-11-08']);
});
