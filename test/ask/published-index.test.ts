import { expect, test } from 'vitest';
import { keep, openIndex } from '../../src/ask/published-index.ts';
import { openSite, type SiteReader } from '../../src/core/site-reader.ts';
import { openFiles } from '../harness/api.ts';
import { buildExample } from '../harness/site.ts';

const site = openSite(buildExample());

/** Opens the index of a site. `paths` collects the paths that it reads. */
function watch({ read }: SiteReader) {
  const paths: string[] = [];
  const index = openIndex({ read: (path) => read(paths[paths.push(path) - 1]!) });
  return { index, paths };
}

/** A site with four runs. Run `c` began in 2025 and ended in 2026, so it is in the file of 2025. */
const years = openFiles({
  'status.json': { years: { builds: ['2024', '2025', '2026'], changes: [] } },
  'builds/2024.json': { builds: [{ id: 'a', finishedAt: '2024-06-01T00:00:00.000Z' }] },
  'builds/2025.json': {
    builds: [
      { id: 'c', finishedAt: '2026-01-01T00:00:01.000Z' },
      { id: 'b', finishedAt: '2025-06-01T00:00:00.000Z' },
    ],
  },
  'builds/2026.json': { builds: [{ id: 'd', finishedAt: '2026-06-01T00:00:00.000Z' }] },
});

test.each<[since: string | undefined, ids: string, read: string[]]>([
  [undefined, 'abcd', ['2024', '2025', '2026']],
  ['2025-06-01T00:00:00.000Z', 'bcd', ['2025', '2026']],
  ['2025-06-01T00:00:00.001Z', 'cd', ['2025', '2026']],
  ['2026-01-01T00:00:00.000Z', 'cd', ['2025', '2026']],
  ['2026-02-01T00:00:00.000Z', 'd', ['2026']],
])(
  'for runs that ended since %s, finds the runs %s, and reads only the files %j',
  async (since, ids, files) => {
    const { index, paths } = watch(years);
    const runs = await index.runs(since === undefined ? undefined : Date.parse(since));

    expect(runs.map(({ id }) => id).join('')).toEqual(ids);
    expect(paths.slice(1)).toEqual(files.map((year) => `builds/${year}.json`).reverse());
  },
);

test('an index requests the details of a component only once', async () => {
  const { index, paths } = watch(site);

  expect(await index.details('svc')).toBe(await index.details('svc'));
  for (const name of ['../status', 'A', '', '.', 'status.json?']) {
    expect(await index.details(name)).toBeUndefined();
  }
  expect(paths).toEqual(['details/svc.json']);
});

test('a cache computes a value only once until the cache is full', async () => {
  const made: string[] = [];
  const get = keep((key) => Promise.resolve(made.push(key)), 2);

  for (const key of ['a', 'b', 'a', 'b', 'c', 'c', 'a']) {
    await get(key);
  }

  // The store is full when c is made. It then drops all values, so a is made again.
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});

test('returns no attestations for a component that has no file of attestations', async () => {
  const { index } = watch({ read: () => Promise.resolve(undefined) });

  expect(await index.statements('svc')).toEqual([]);
});

test('an error about a broken attestation names the file and line of the attestation', async () => {
  const { index } = watch({ read: () => Promise.resolve(Buffer.from('{}\n')) });

  await expect(index.statements('svc')).rejects.toThrow(
    'statements/svc.ndjson: line 1: expected a statement',
  );
});
