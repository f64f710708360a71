import { expect, test } from 'vitest';
import {
  keep,
  openIndex,
  requireComponent,
  requireVerdict,
} from '../../src/ask/published-index.ts';
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

test.each(['svc', 'SVC', 'Server', 'pkg:helm/gradle-enterprise-standalone'])(
  'the name "%s" finds one component',
  async (name) => {
    expect(await requireComponent(openIndex(site), name)).toMatchObject({ component: 'svc' });
  },
);

/** An index in which two components share a title, and another component has this title as its name. */
const shared = openFiles({
  'status.json': {
    asOf: '2026-11-27',
    components: {
      'agent-npm': { title: 'Agent', aliases: ['robot'] },
      'agent-pypi': { title: 'Agent', aliases: ['robot'] },
      agent: { title: 'The agent' },
    },
  },
  'details/agent.json': { component: 'agent' },
});

test('an exact name comes before a title that other components share', async () => {
  const index = openIndex(shared);

  expect(await requireComponent(index, 'Agent')).toMatchObject({ component: 'agent' });
  await expect(requireComponent(index, 'robot')).rejects.toThrow(
    '"robot" can mean agent-npm and agent-pypi',
  );
});

test.each([
  ['svcc', '"svcc" names no component of this index. Did you mean "svc"?'],
  ['zzz', '"zzz" names no component of this index.'],
])('the name "%s" is rejected', async (name, message) => {
  const index = openIndex(site);
  const item = { text: name, name, version: '1.0' };

  await expect(requireComponent(index, name)).rejects.toThrow(message);
  await expect(requireVerdict(index, item)).rejects.toThrow(message);
});

test('a verdict belongs to the component and version of the item', async () => {
  const item = { text: 'x', name: 'Server', version: '2025.1.0' };

  expect(await requireVerdict(openIndex(site), item)).toMatchObject({
    component: 'svc',
    verdict: { version: '2025.1', isSupported: false },
  });
});
