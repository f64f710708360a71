import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { computeFreshnessOn } from '../../../src/ask/answers/silence.ts';
import { addDays } from '../../../src/core/model/dates.ts';
import { ask } from '../../../src/ask/answers/ask.ts';
import { searchByQuery } from '../../../src/ask/search/search-releases.ts';
import { openIndex } from '../../../src/ask/answers/published-index.ts';
import { openRows } from '../../../src/ask/scan/judge-release.ts';
import type { StatusFile } from '../../../src/core/schemas/published/status-file.ts';
import { openDocumentsIn } from '../../../src/deliver/publish/index-documents.ts';
import { fixtureDay as day } from '../../harness/checkout.ts';
import { apiOf } from '../../harness/api.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';

let folder: string;

beforeAll(() => {
  folder = siteOfFixtureIndex();
});

/** Opens the index of the folder, and records the documents that it reads. */
function opened(maxSearched = Infinity) {
  const read: string[] = [];
  const documents = openDocumentsIn(folder);
  const recording = {
    read(path: string) {
      read.push(path);
      return documents.read(path);
    },
  };
  return { index: openIndex(recording, { maxSearched }), read };
}

test('a query that names one component reads only its document, and finds the same releases', async () => {
  const names = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as string[];
  const { index: whole } = opened();
  await whole.catalogue();
  expect(names.length).toBeGreaterThan(5);

  for (const name of names) {
    for (const query of [
      `component:${name}`,
      `isSupported COMPONENT:${name.toUpperCase()} age:>1d`,
    ]) {
      const { index, read } = opened();
      const { total, releases } = await searchByQuery(whole, query, day);
      expect(await searchByQuery(index, query, day), query).toMatchObject({ total, releases });
      expect(new Set(read)).toEqual(new Set([`details/${name}.json`, 'status.json']));
    }
  }
});

test.each([
  'component:build-*',
  'component:"build-agent" or svc',
  '-component:svc',
  'build-agent',
  '',
])('a query that may select several components, "%s", reads all', async (query) => {
  const { index, read } = opened();

  await searchByQuery(index, query, day);

  expect(read).toEqual(['status.json', 'search.json']);
});

test('reading all releases needs the consent of a person', async () => {
  const { index, read } = opened();

  for (const text of [
    'component:build-* isLatest',
    'component:svc or isLatest',
    'isLatest',
    '2025.1',
    'build-agent with 2025.1',
  ]) {
    expect(await ask(index, text, { maySearch: false }), text).toMatchObject({ kind: 'search' });
  }
  expect(read).not.toContain('search.json');
});

test.each(['constructor', '__proto__', 'nothing', '../index', 'x'.repeat(1000)])(
  'nothing is known of a component "%s"',
  async (name) => {
    const { index } = opened();

    expect(await searchByQuery(index, `component:"${name}"`, day)).toMatchObject({
      total: 0,
      releases: [],
    });
    expect(await index.details(name)).toBeUndefined();
  },
);

test('a search in too much data is rejected, but not a search in one component', async () => {
  const { index } = opened(1000);

  await expect(searchByQuery(index, 'isLatest', day)).rejects.toMatchObject({
    reason: 'too-large',
    message: 'the search data has more than 1,000 characters, the limit here',
  });
  expect(await searchByQuery(index, 'component:build-agent isLatest', day)).toMatchObject({
    total: 1,
  });
});

test('fifteen requests at once on a new index read and parse each document once', async () => {
  // A request waits 3 s for another before it reads by itself; here, no time passes.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { index, read } = opened();
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());

  const answers = await Promise.all(
    Array.from({ length: 15 }, () => searchByQuery(index, 'isLatest', day)),
  );

  expect(read).toEqual(['status.json', 'search.json']);
  expect(parse).toHaveBeenCalledTimes(2);
  expect(new Set(answers.map(({ total }) => total)).size).toBe(1);
});

test('a day that begins while the releases of the day before are read has states of its own', async () => {
  const documents = openDocumentsIn(folder);
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let today = day;
  const read = async (path: string) => {
    if (path === 'search.json') {
      asked.resolve();
      await answered.promise;
    }
    return documents.read(path);
  };
  const index = openIndex({ read }, { today: () => today });
  const later = addDays(day, 4000);

  const first = index.catalogue();
  await asked.promise;
  today = later;
  const second = index.catalogue();
  answered.resolve();

  const fresh = openIndex(documents, { today: () => later });
  expect(await second).toEqual(await fresh.catalogue());
  expect(await second).not.toEqual(await first);
});

test('of two days whose releases are read at the same time, only the later is kept', async () => {
  const documents = openDocumentsIn(folder);
  const answered = Promise.withResolvers<void>();
  const paths: string[] = [];
  let today = day;
  const read = async (path: string) => {
    paths.push(path);
    if (path === 'search.json') {
      await answered.promise;
    }
    return documents.read(path);
  };
  const index = openIndex({ read }, { today: () => today });

  const catalogues = [];
  for (const each of [day, addDays(day, 1)]) {
    today = each;
    catalogues.push(index.catalogue());
    await vi.waitFor(() => expect(paths).toContain('search.json'));
  }
  answered.resolve();
  await Promise.all(catalogues);
  today = day;
  await index.catalogue('svc');

  // A kept catalogue of the first day would answer without this document.
  expect(paths.at(-1)).toBe('details/svc.json');
});

test('a request that never gets its document does not block others', async () => {
  let reads = 0;
  const { read } = openDocumentsIn(folder);
  const index = openIndex({
    read: (path) => (reads++ === 0 ? new Promise(() => undefined) : read(path)),
  });

  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  void index.status();
  const second = index.status();
  await vi.advanceTimersByTimeAsync(3000);

  expect((await second).asOf).toBe(day);
  expect(reads).toBe(2);
});

test('a failed read is repeated', async () => {
  let isBroken = true;
  const { read } = openDocumentsIn(folder);
  const index = openIndex({
    read: (path) => (isBroken ? Promise.reject(new Error('gone')) : read(path)),
  });
  await expect(index.status()).rejects.toThrow('gone');

  isBroken = false;

  expect((await index.status()).asOf).toBe(day);
});

test('what was live at the build is stale once the index is too old', async () => {
  const { index } = opened();
  const status = await index.status();
  const checked = { ...status.components['svc']!, state: 'live' as const, lastChecked: day };
  const built = { ...status, components: { svc: checked } };

  expect(computeFreshnessOn(built, 'svc', addDays(day, status.staleAfterDays))).toBe('live');
  expect(computeFreshnessOn(built, 'svc', addDays(day, status.staleAfterDays + 1))).toBe('stale');
  expect(computeFreshnessOn(built, 'nothing', day)).toBeUndefined();
});

test('a policy of a scan sees the freshness that a query sees', async () => {
  const { read } = openDocumentsIn(folder);
  const status = JSON.parse((await read('status.json'))!) as StatusFile;
  Object.assign(status.components['svc']!, { state: 'live', lastChecked: day });
  const today = () => addDays(day, status.staleAfterDays + 1);
  const index = openIndex({ read, status: () => status }, { today });

  const details = (await index.details('svc'))!;
  const rows = (await openRows(index))(details);
  const row = rows.get(details.releases[0]!.version)!;

  const { releases } = await searchByQuery(index, 'component:svc', today(), 1);
  expect(row.freshness).toBe('stale');
  expect(row.freshness).toBe(releases[0]!.freshness);
});

test.each([
  ['/api/components', undefined],
  ['/api/answers?question=ended', 'question'],
  ['/api/releases?query=isLatest', 'query'],
])('%s of an index that is too large is 503, with the remedy', async (path, parameter) => {
  const { index } = opened(1000);
  const api = apiOf(folder, index);

  const tooLarge = await api(path);
  const problem = (await tooLarge.json()) as { detail: string; parameter?: string };

  expect([tooLarge.status, problem.parameter]).toEqual([503, parameter]);
  expect(problem.detail).toMatch(
    /^The index is too large: .* the limit here\. Ask about one component by its exact name/,
  );
  expect((await api('/api/releases?query=component:svc')).status).toBe(200);
});
