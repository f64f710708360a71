import { expect, test } from 'vitest';
import { endpoints, answerFromTable } from '../../../../src/ask/server/api/router.ts';
import { openIndex } from '../../../../src/ask/answers/published-index.ts';
import { addDays, type Day } from '../../../../src/core/model/dates.ts';
import type { Run } from '../../../../src/core/schemas/recorded/runs.ts';
import { openDocumentsIn } from '../../../../src/deliver/publish/index-documents.ts';
import { openRoot } from '../../../../src/io/files/root.ts';
import { recordJournal } from '../../../../src/record/journal/record-journal.ts';
import { loadComponent } from '../../../../src/site/load-component.ts';
import { apiOf } from '../../../harness/api.ts';
import { checkout, fixtureDay } from '../../../harness/checkout.ts';
import { covers } from '../../../harness/covers.ts';
import { openTools } from '../../../harness/mcp-clients.ts';
import { addComponent, createRoot, type TestRoot } from '../../../harness/root.ts';
import { siteOf, siteOfFixtureIndex } from '../../../harness/site.ts';

const baseUrl = 'https://releases.example.com';
const settings = { baseUrl, retryMs: 1, heartbeatMs: 1, lifetimeMs: 1 };
const hourMs = 3_600_000;

/** A published state of the index. */
interface Version {
  readonly publishedAt: number;
  ask(path: string): Promise<Response>;
  /** The same version at a host that states another instant. */
  publishAt(publishedAt: number): (path: string) => Promise<Response>;
}

const firstDay = '2026-11-01';
const days = Array.from({ length: 4 }, (_, index) => addDays(firstDay, index));
const at = (day: Day, time: string) => `${day}T${time}Z`;

async function record(root: TestRoot, day: Day, before: Partial<Run>): Promise<void> {
  const opened = openRoot(root.dir, checkout);
  recordJournal({
    root: opened,
    day,
    components: new Map([['svc', loadComponent(opened, 'svc', day).component]]),
    now: new Date(at(day, '04:23:00.000')),
    run: {
      id: `run-${day}`.replaceAll('-', '').padEnd(13, 'x'),
      startedAt: at(day, '04:22:00.000'),
      requested: ['record'],
      program: '1.0.0',
      node: '24.0.0',
      components: 1,
      asked: 0,
      ...before,
    },
  });
}

/** A release a day, recorded at 4:23 and published at 4:31. `knows`: what each run knows of the one before. */
async function publishDaily(knows: readonly ('published' | 'publishedAt')[]): Promise<Version[]> {
  const root = createRoot();
  const versions: Version[] = [];
  for (const [index, day] of days.entries()) {
    const released = days.slice(0, index + 1).map((_, minor) => ({ version: `1.${minor}` }));
    addComponent(root, 'svc', released);
    const previous = addDays(day, -1);
    const facts = {
      published: at(previous, '04:23:00.000'),
      publishedAt: at(previous, '04:31:07.000'),
    };
    const known = knows.map((key) => [key, facts[key]]);
    await record(root, day, index === 0 ? {} : Object.fromEntries(known));
    const publishedAt = Date.parse(at(day, '04:31:07.000'));
    const documents = openDocumentsIn(siteOf(root.dir, day));
    const publishAt = (instant: number) => {
      const published = { ...documents, publishedAt: () => Promise.resolve(instant) };
      const opened = openIndex(published, { today: () => day });
      return async (path: string) =>
        (await answerFromTable(endpoints, {
          request: new Request(baseUrl + path),
          index: opened,
          settings,
        }))!;
    };
    versions.push({ publishedAt, publishAt, ask: publishAt(publishedAt) });
  }
  return versions;
}

/** What a client gets that asks each hour for everything since `later`, which reads the last answer. */
async function pollHourly(
  versions: readonly Version[],
  later: (now: number, last: number | undefined) => number | undefined,
) {
  const end = Date.parse(at(addDays(days.at(-1)!, 1), '00:00:00.000'));
  const start = Date.parse(at(firstDay, '04:00:00.000'));
  const poll = async <T>(
    path: string,
    read: (answer: Response) => Promise<T[]>,
    instantOf: (each: T) => number | string,
  ) => {
    const found: T[] = [];
    let since = start;
    for (let now = start + hourMs; now < end; now += hourMs) {
      const live = versions.findLast(({ publishedAt }) => publishedAt <= now)!;
      const answered = await read(await live.ask(`${path}${since}`));
      found.push(...answered);
      const last = answered.at(-1);
      since = later(now, last && new Date(instantOf(last)).getTime()) ?? since;
    }
    return found;
  };
  const json = async <T>(answer: Response) => (await answer.json()) as T[];
  const messages = async (answer: Response) =>
    Array.from(
      (await answer.text()).matchAll(/^data: (.+)$/gm),
      ([, data]) => JSON.parse(data!) as { buildId: string; timestamp: number },
    );
  const releases = await poll(
    '/api/releases?since=',
    json<{ version: string; availableAt: string }>,
    ({ availableAt }) => availableAt,
  );
  const builds = await poll(
    '/api/builds?since=',
    json<{ id: string; availableAt: number }>,
    ({ availableAt }) => availableAt,
  );
  const streamed = await poll(
    '/build-export/v2/builds/since/',
    messages,
    ({ timestamp }) => timestamp,
  );
  return {
    releases: releases.map(({ version }) => version),
    builds: builds.map(({ id }) => id),
    streamed: streamed.map(({ buildId }) => buildId),
  };
}

const sinceLastAsked = (now: number) => now;

test.each([
  ['since it last asked', sinceLastAsked],
  [
    'since a millisecond after the last entry',
    (_: number, last?: number) => (last === undefined ? undefined : last + 1),
  ],
])('a client that asks each hour %s gets each release and each run once', async (_, later) => {
  covers(
    'since/:date: epoch milliseconds of when processing completed; a millisecond after the last timestamp goes on behind it, loses nothing and gives nothing twice',
  );
  const versions = await publishDaily(['published', 'publishedAt']);
  const { releases, builds, streamed } = await pollHourly(versions, later);

  expect(releases).toEqual(['1.0', '1.1', '1.2', '1.3']);
  expect(builds).toEqual(days.map((day) => `run${day.replaceAll('-', '')}`.padEnd(13, 'x')));
  expect(streamed).toEqual(builds);
});

test('nobody gets a version before everybody can have it', async () => {
  const [version] = await publishDaily([]);
  const found = async (publishedAt: number) => {
    const ask = version!.publishAt(publishedAt);
    const releases = (await (await ask('/api/releases')).json()) as unknown[];
    const stream = await (await ask('/build-export/v2/builds/since/0')).text();
    return [releases.length, stream.includes('id: run')];
  };

  expect(await found(Date.now() + hourMs)).toEqual([0, false]);
  expect(await found(Date.now())).toEqual([1, true]);
});

test.each<[string, readonly 'published'[]]>([
  ['only what was public before', ['published']],
  ['nothing of what was public before', []],
])('a client misses nothing where runs know %s', async (_, knows) => {
  covers(
    'since/:date: epoch milliseconds of when processing completed; a millisecond after the last timestamp goes on behind it, loses nothing and gives nothing twice',
  );
  const { releases, builds } = await pollHourly(await publishDaily(knows), sinceLastAsked);

  expect(new Set(releases)).toEqual(new Set(['1.0', '1.1', '1.2', '1.3']));
  expect(new Set(builds).size).toBe(days.length);
});

const ask = apiOf(siteOfFixtureIndex());

test('an instant after the publication gives nothing, at every door', async () => {
  covers(
    'since/:date: epoch milliseconds of when processing completed; a millisecond after the last timestamp goes on behind it, loses nothing and gives nothing twice',
  );
  const since = Date.now();
  const stream = await (await ask(`/build-export/v2/builds/since/${since}`)).text();

  expect(await (await ask(`/api/builds?since=${since}`)).json()).toEqual([]);
  expect(await (await ask(`/api/releases?since=${since}`)).json()).toEqual([]);
  expect(stream).not.toContain('event: Build');
  expect(await (await ask('/api/builds?since=0')).json()).not.toEqual([]);
});

test('an instant in the future is rejected at every door', async () => {
  covers('Future date is an error');
  const future = '9999999999999';
  for (const path of [
    `/api/builds?since=${future}`,
    `/api/releases?since=${future}`,
    `/build-export/v2/builds/since/${future}`,
    `/build-export/v1/builds/since/${future}`,
  ]) {
    const answer = await ask(path);
    const { detail } = (await answer.json()) as { detail: string };
    expect([path, answer.status]).toEqual([path, 400]);
    expect(detail).toMatch(/expected .*a time up to now .*; got "9999999999999"$/);
  }
  const client = await openTools(siteOfFixtureIndex(), fixtureDay);
  const { isError, text } = await client.callTool('changes_since', { date: '2999-01-01' });
  await client.close();

  expect([isError, text]).toEqual([
    true,
    expect.stringMatching(/^date: expected a time up to now .*; got "2999-01-01"$/),
  ]);
});
