/** What a script counts in the files, by JSON.parse alone, and at the API. */
import { expect, test } from 'vitest';
import type { Release } from '../../../src/core/schema/published.ts';
import type { Search } from '../../../src/core/search.ts';
import { openDoors } from '../../harness/api.ts';
import { judgeComponents, renderFiles, writeFiles } from '../../harness/components.ts';
import { exampleRoot, loadExample } from '../../harness/example.ts';

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
  ['the example', renderFiles(loadExample(), exampleRoot)],
  ['a made index', renderFiles(made, writeFiles({}))],
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
