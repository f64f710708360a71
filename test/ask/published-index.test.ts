import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSite, type SiteReader } from '../../src/core/site-reader.ts';
import { openIndex } from '../../src/ask/published-index.ts';
import { openDoors, openFiles } from '../harness/api.ts';
import { buildFolder, writeIndex } from '../harness/components.ts';
import { describeAnswer, knock, type Door } from '../harness/doors.ts';
import { buildExample } from '../harness/site.ts';

const out = buildExample();
const site = openSite(out);
const everyDoor = ['read', 'export', 'scan'] satisfies Door[];

/** The index of a site, and the paths that are read of it. */
function watch({ read }: SiteReader) {
  const paths: string[] = [];
  const index = openIndex({ read: (path) => read(paths[paths.push(path) - 1]!) });
  return { index, paths };
}

/** Runs that ended at these instants, of which the last began in the year before. */
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
  ['2026-02-01T00:00:00.000Z', 'd', ['2026']],
])('the runs since %s are %j, and no older file is read', async (since, ids, files) => {
  const { index, paths } = watch(years);
  const runs = await index.runs(since === undefined ? undefined : Date.parse(since));

  expect(runs.map(({ id }) => id).join('')).toEqual(ids);
  expect(paths.slice(1)).toEqual(files.map((year) => `builds/${year}.json`).reverse());
});

test.each<[name: string, bytes: Buffer | undefined, detail: RegExp]>([
  ['missing', undefined, /^503 \S+\.json is missing in the index\.$/],
  ['cut', Buffer.from('{"asOf"'), /^503 \S+\.json is not JSON: /],
])('doors ask a client to come again while a file is %s', async (_name, bytes, detail) => {
  for (const door of everyDoor) {
    const ask = openDoors({ read: () => Promise.resolve(bytes) });
    const answer = await knock(ask, door, undefined);

    expect(answer.headers.get('retry-after')).toBe('10');
    expect(await describeAnswer(answer)).toMatch(detail);
  }
});

test('a file that could not be read once is read again', async () => {
  let isDown = true;
  const ask = openDoors({ read: async (path) => (isDown ? undefined : site.read(path)) });
  expect((await knock(ask, 'read', undefined)).status).toBe(503);

  isDown = false;
  expect((await knock(ask, 'read', undefined)).status).toBe(200);
});

test('the details of a component are read and parsed once, and no other file by its name', async () => {
  const { index, paths } = watch(site);

  expect(await index.details('svc')).toBe(await index.details('svc'));
  for (const name of ['../status', 'A', '', '.', 'status.json?']) {
    expect(await index.details(name)).toBeUndefined();
  }
  expect(paths).toEqual(['details/svc.json']);
});

test('statements that are none stop a door in a sentence', async () => {
  const { index } = watch({ read: () => Promise.resolve(Buffer.from('{}\n')) });

  await expect(index.statements('svc')).rejects.toThrow(
    'statements/svc.ndjson: line 1: expected a statement',
  );
});

const note = 'This index was last updated on 2026-11-27; newer releases may be missing.';

test.each([
  ['2026-11-30T23:59:59.999Z', null],
  ['2026-12-01T00:00:00.000Z', note],
])('an index that is stale after 3 days, at every door on %s', async (now, expected) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  onTestFinished(() => void vi.useRealTimers());
  const status = { ...(await openIndex(site).status()), staleAfterDays: 3 };
  const ask = openDoors(openFiles({ 'status.json': status }, out));
  for (const door of everyDoor) {
    const answer = await knock(ask, door, undefined);

    expect(answer.headers.get('release-index-as-of')).toBe('2026-11-27');
    expect(answer.headers.get('release-index-note')).toBe(expected);
    if (door === 'export') {
      expect((await answer.text()).split('\n\n')[1]).toMatch(expected ? `: ${expected}` : /^id: /);
    }
  }
});

test('what an answer notes of a title in any script is a header in ASCII', async () => {
  const root = writeIndex({
    svc: { definition: { title: 'サーバー' }, releases: { '1.0': '2026-01-01' } },
  });
  buildFolder(root, '2026-11-27');
  const { headers } = await openDoors(join(root, 'dist'))('/api/releases?query=svc%209.9');

  const encoded = headers.get('release-index-note')!;
  expect(encoded).toMatch(/^[ -~]+$/);
  expect(decodeURIComponent(encoded)).toContain('サーバー 9.9 is not');
});
