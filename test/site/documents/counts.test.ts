/** What a script counts in the files, by JSON.parse alone, and at the API. */
import { expect, test } from 'vitest';
import type { Search } from '../../../src/core/search.ts';
import { openDoors } from '../../harness/api.ts';
import { judgeComponents, renderFiles, writeFiles } from '../../harness/components.ts';
import { exampleRoot, loadExample } from '../../harness/example.ts';

interface Fact {
  version: string;
  isDeprecated?: boolean;
  state?: string;
  isSupported?: boolean;
  releasesBehind?: number;
}

/** Each kind of release that leaves something out: withdrawn, of a prerelease, of no stated end, of a line that may have ended. */
const made = judgeComponents({
  term: {
    definition: {
      support: { policy: 'term', months: 18 },
      prereleases: true,
      deprecated: [{ versions: ['3.1'], reason: 'Broken.', url: 'https://example.com/broken' }],
    },
    releases: {
      '1.0': '2024-01-01',
      '2.0': '2025-05-28',
      '3.0': '2026-08-01',
      '3.1': '2026-09-01',
    },
  },
  ended: { definition: { support: { policy: 'ended' } }, releases: { '1.0': '2024-01-01' } },
  plain: {
    releases: [
      { version: '1.0', sources: [] },
      { version: '1.1', sources: [], withdrawnSince: '2026-01-01' },
      { version: '1.2-rc1', sources: [], isPrerelease: true },
      { version: '1.2', sources: [], releaseTimestamp: '2026-01-01', timestampKind: 'observed' },
    ],
  },
  empty: {},
});
const indexes = [
  ['the example', renderFiles(loadExample(), exampleRoot)],
  ['a made index', renderFiles(made, writeFiles({}))],
] as const;

function count(releases: readonly Fact[]) {
  return {
    releases: releases.length,
    deprecated: releases.filter(({ isDeprecated }) => isDeprecated).length,
    notDeprecated: releases.filter(({ isDeprecated }) => isDeprecated === false).length,
    ended: releases.filter(({ state }) => state === 'ended').length,
    supported: releases.filter(({ isSupported }) => isSupported).length,
    notSupported: releases.filter(({ isSupported }) => isSupported === false).length,
    behind: releases.reduce((sum, { releasesBehind = 0 }) => sum + releasesBehind, 0),
  };
}

/** As the contract describes `search.json`. */
function readSearched({ lines, releases }: Search['components'][string]): Fact[] {
  return releases.map(({ version, line, without = [], ...own }) => {
    const ofLine = lines.find((each) => each.line === line)!;
    const isOver = ofLine.state === 'ended' && ofLine.reason !== undefined;
    const { isSupported = without.includes('isSupported') ? undefined : ofLine.isSupported } = own;
    const { state = ofLine.state, isDeprecated = isOver } = own;
    return { version, state, isDeprecated, ...(isSupported !== undefined && { isSupported }) };
  });
}

test.each(indexes)('counts of %s are equal in every file, and at the API', async (_, files) => {
  const read = (path: string): any => JSON.parse(files.get(path)!);
  const ask = openDoors('', { read: (path) => Promise.resolve(files.get(path)) });
  const all = read('all.json').components;
  const search = read('search.json').components;
  const totals: ReturnType<typeof count>[] = [];
  for (const name of read('index.json') as string[]) {
    const { releases } = read(`details/${name}.json`);
    const counts = count(releases);
    const { deprecated, notDeprecated, behind, ...others } = counts;
    totals.push(counts);

    const asked = await ask(`/api/releases?maxReleases=1000&query=component:${name}`);
    expect(count((await asked.json()) as Fact[]), name).toEqual(counts);
    expect(count(readSearched(search[name])), name).toEqual({ ...counts, behind: 0 });
    for (const file of [read(`${name}.json`), all[name]]) {
      expect(count(file.releases), name).toMatchObject({ deprecated, notDeprecated });
    }
    for (const { version, ...release } of releases) {
      const answer = await ask(`/api/components/${name}/releases/${version}`);
      expect(await answer.json(), `${name} ${version}`).toMatchObject(release);
    }
    expect(deprecated + notDeprecated, name).toBe(others.releases);
  }
  for (const key of ['deprecated', 'ended', 'supported', 'behind'] as const) {
    expect(
      totals.some((counts) => counts[key] > 0),
      key,
    ).toBe(true);
  }
});

test.each(indexes)('the keys of each release of %s are in the same order', (_, files) => {
  const orders = [...files].flatMap(([path, text]) =>
    path.startsWith('details/')
      ? (JSON.parse(text) as { releases: object[] }).releases.map((each) => Object.keys(each))
      : [],
  );
  const order = Object.keys(made.components.at(-1)!.releases[0]!);

  expect(orders.length).toBeGreaterThan(5);
  for (const keys of orders) {
    expect(keys).toEqual(order.filter((key) => keys.includes(key)));
  }
});
