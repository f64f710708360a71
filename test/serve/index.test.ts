import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openIndex } from '../../src/serve/index.ts';
import { openDoors } from '../harness/api.ts';
import { knock, type Door } from '../harness/doors.ts';
import { buildExample } from '../harness/site.ts';

const out = buildExample();
const readFile = (path: string) => Promise.resolve(readFileSync(join(out, path), 'utf8'));

/** Runs that ended at these instants, of which the last began in the year before. */
const years = {
  'status.json': { years: { builds: ['2024', '2025', '2026'], changes: [] } },
  'builds/2024.json': { builds: [{ id: 'a', finishedAt: '2024-06-01T00:00:00.000Z' }] },
  'builds/2025.json': {
    builds: [
      { id: 'c', finishedAt: '2026-01-01T00:00:01.000Z' },
      { id: 'b', finishedAt: '2025-06-01T00:00:00.000Z' },
    ],
  },
  'builds/2026.json': { builds: [{ id: 'd', finishedAt: '2026-06-01T00:00:00.000Z' }] },
};

test.each<[since: string | undefined, ids: string[], read: string[]]>([
  [undefined, ['a', 'b', 'c', 'd'], ['2024', '2025', '2026']],
  ['2025-06-01T00:00:00.000Z', ['b', 'c', 'd'], ['2025', '2026']],
  ['2025-06-01T00:00:00.001Z', ['c', 'd'], ['2025', '2026']],
  ['2026-01-01T00:00:00.000Z', ['c', 'd'], ['2025', '2026']],
  ['2026-02-01T00:00:00.000Z', ['d'], ['2026']],
])('the runs since %s are %j, and no older file is read', async (since, ids, years_) => {
  const read: string[] = [];
  const index = openIndex({
    read(path) {
      read.push(path);
      return Promise.resolve(JSON.stringify(years[path as 'status.json']));
    },
  });
  const runs = await index.runs(since === undefined ? undefined : Date.parse(since));

  expect(runs.map(({ id }) => id)).toEqual(ids);
  expect(read.slice(1)).toEqual(years_.map((year) => `builds/${year}.json`));
});

test.each<[name: string, text: string | undefined, detail: RegExp]>([
  ['missing', undefined, /^\S+\.json is missing in the index\.$/],
  ['cut', '{"asOf"', /^\S+\.json cannot be read: it is no JSON\.$/],
])('doors ask a client to come again while a file is %s', async (_name, text, detail) => {
  for (const door of ['read', 'export', 'scan'] satisfies Door[]) {
    const answer = await knock(
      openDoors(out, { read: () => Promise.resolve(text) }),
      door,
      undefined,
    );

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
    expect(((await answer.json()) as { detail: string }).detail).toMatch(detail);
  }
});

test('a file that could not be read once is read again', async () => {
  let isDown = true;
  const ask = openDoors(out, {
    read: (path) => (isDown ? Promise.resolve(undefined) : readFile(path)),
  });
  expect((await knock(ask, 'read', undefined)).status).toBe(503);

  isDown = false;
  expect((await knock(ask, 'read', undefined)).status).toBe(200);
});

test('the details of a component are read and parsed once for several requests', async () => {
  const read: string[] = [];
  const index = openIndex({
    read: (path) => readFile(read[read.push(path) - 1]!),
  });

  expect(await index.details('svc')).toBe(await index.details('svc'));
  expect(read).toEqual(['details/svc.json']);
});

test('a name that is no name of a file is not looked for', async () => {
  const index = openIndex({ read: () => Promise.reject(new Error('was read')) });

  for (const name of ['../status', 'a/b', 'A', '', '.', 'status.json?']) {
    expect(await index.details(name)).toBeUndefined();
  }
});

const note = 'This index was last updated on 2026-11-27; newer releases may be missing.';

test.each<[door: Door, now: string, note: string | null]>([
  ['read', '2026-11-30T23:59:59.999Z', null],
  ['read', '2026-12-01T00:00:00.000Z', note],
  ['export', '2026-11-30T23:59:59.999Z', null],
  ['export', '2026-12-01T00:00:00.000Z', note],
  ['scan', '2026-11-30T23:59:59.999Z', null],
  ['scan', '2026-12-01T00:00:00.000Z', note],
])('an index that is stale after 3 days, at the door %s on %s', async (door, now, expected) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
  onTestFinished(() => void vi.useRealTimers());
  const status = { ...(JSON.parse(await readFile('status.json')) as object), staleAfterDays: 3 };
  const ask = openDoors(out, {
    read: (path) =>
      path === 'status.json' ? Promise.resolve(JSON.stringify(status)) : readFile(path),
  });
  const answer = await knock(ask, door, undefined);

  expect(answer.headers.get('release-index-as-of')).toBe('2026-11-27');
  expect(answer.headers.get('release-index-note')).toBe(expected);
  if (door === 'export') {
    expect((await answer.text()).split('\n\n')[1]).toMatch(expected ? `: ${expected}` : /^id: /);
  }
});
