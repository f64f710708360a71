import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { searchReleases } from '../../src/ask/search-releases.ts';
import { openIndex, TooMuchToSearchError } from '../../src/ask/published-index.ts';
import { fixtureDay as day } from '../harness/checkout.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';

let folder: string;

beforeAll(() => {
  folder = siteOfFixtureIndex();
});

/** The index of the folder, and which of its documents were read. */
function opened(mostSearched?: number) {
  const read: string[] = [];
  const documents = {
    read(path: string) {
      read.push(path);
      const file = join(folder, path);
      return Promise.resolve(existsSync(file) ? readFileSync(file, 'utf8') : undefined);
    },
  };
  return { index: openIndex(documents, mostSearched), read };
}

test('a query that names one component reads its document alone, and finds what the others find', async () => {
  const names = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as string[];
  const { index: whole } = opened();
  await whole.catalogue();
  expect(names.length).toBeGreaterThan(5);

  for (const name of names) {
    for (const query of [`component:${name}`, `isSupported COMPONENT:${name.toUpperCase()} age:>1d`]) {
      const { index, read } = opened();
      expect(await searchReleases(index, query, day), query).toEqual(await searchReleases(whole, query, day));
      expect(new Set(read)).toEqual(new Set([`details/${name}.json`, 'status.json']));
    }
  }
});

test.each(['component:build-*', 'component:"build-agent" or svc', '-component:svc', 'build-agent', ''])(
  'a query that may select more, "%s", looks at all',
  async (query) => {
    const { index, read } = opened();

    await searchReleases(index, query, day);

    expect(read).toEqual(['search.json', 'status.json']);
  },
);

test.each(['constructor', '__proto__', 'nothing', '../index', 'x'.repeat(1000)])(
  'nothing is known of a component "%s"',
  async (name) => {
    const { index } = opened();

    expect(await searchReleases(index, `component:"${name}"`, day)).toEqual([]);
    expect(await index.details(name)).toBeUndefined();
  },
);

test('more than fits is refused, one component of it is not', async () => {
  const { index } = opened(1000);

  await expect(searchReleases(index, 'isLatest', day)).rejects.toThrow(TooMuchToSearchError);
  expect(await searchReleases(index, 'component:build-agent isLatest', day)).toHaveLength(1);
});

test('what could not be read is asked for again', async () => {
  let isBroken = true;
  const documents = {
    read(path: string) {
      if (isBroken) return Promise.reject(new Error('gone'));
      return Promise.resolve(readFileSync(join(folder, path), 'utf8'));
    },
  };
  const index = openIndex(documents);
  await expect(index.status()).rejects.toThrow('gone');

  isBroken = false;

  expect((await index.status()).asOf).toBe(day);
});
