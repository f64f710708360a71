import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Run } from '../../../../src/core/schemas/recorded/runs.ts';
import { apiOf } from '../../../harness/api.ts';
import { definition, makeRoot, pathsIn } from '../../../harness/root.ts';
import { siteOf } from '../../../harness/site.ts';
import {
  allRuns as all,
  dayAfterRuns as day,
  failedAt,
  old,
  publicationsIn,
  rootWithRuns,
  sound,
  troubled,
} from './recorded-runs.ts';
import { messagesOf, type Message } from './server-sent-events.ts';
import { covers } from '../../../harness/covers.ts';

let root: string;
let out: string;
let ask: ReturnType<typeof apiOf>;

beforeAll(() => {
  root = rootWithRuns();
  out = siteOf(root, day);
  ask = apiOf(out);
});

const get = (path: string, headers: Record<string, string> = {}) => ask(path, { headers });

async function streamed(path: string, headers: Record<string, string> = {}): Promise<Message[]> {
  const answer = await get(path, headers);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  return messagesOf(await answer.text());
}

const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => id);
const v2 = '/build-export/v2';
const v1 = '/build-export/v1';

test('the runs of each year are in a file, as recorded, newest first', () => {
  const read = (year: string): unknown =>
    JSON.parse(readFileSync(join(out, 'builds', `${year}.json`), 'utf8'));

  expect(pathsIn(join(out, 'builds')).sort()).toEqual(['2025.json', '2026.json']);
  expect(read('2025')).toEqual({ builds: [old] });
  expect(read('2026')).toEqual({ builds: [troubled, sound] });
  expect(pathsIn(siteOf(root, '2026-03-01')).filter((path) => path.startsWith('builds/'))).toEqual([
    'builds/2025.json',
    'builds/2026.json',
  ]);
});

test('version 2 of the export streams every run since 0, oldest first, in the shape of a Build', async () => {
  covers(
    'Server-Sent Events at /build-export/ list the builds',
    'A public index is open by intention.',
    'Message of version 2: id of the build, event Build, a JSON object',
    'timestamp: integer, epoch milliseconds, when the service finished receiving and processing the build (not when it ran): no earlier than the last event of the run',
    'toolType (one of five), toolVersion, agentVersion',
    'A run that npm did not start has the tool unknown, as none of the five fits.',
    'GET, text/event-stream',
    'All set id on every message',
    '0 streams all',
    'Ordered by receive-and-process time',
    'Without stream: all, then closed',
    'Version 2 adds toolType, and clients of version 1 can move to it',
    'Messages Build and BuildEvent, with examples of event types',
  );
  const expected = [
    { run: old, toolType: 'unknown', toolVersion: 'unknown', agentVersion: '1.0.0' },
    { run: sound, toolType: 'npm', toolVersion: '11.6.2', agentVersion: '1.1.0' },
    { run: troubled, toolType: 'npm', toolVersion: '11.7.0', agentVersion: '1.1.0' },
  ].map(({ run: { id }, ...tool }, place) => ({
    ...{ id, event: 'Build' },
    data: { buildId: id, timestamp: publicationsIn(out)[place], ...tool },
  }));

  expect(await streamed(`${v2}/builds/since/0`)).toEqual(expected);
});

test('version 2 of the export starts at an instant in milliseconds, inclusive, and has no builds since now', async () => {
  covers(
    'since/:date: epoch milliseconds of when processing completed; a millisecond after the last timestamp goes on behind it, loses nothing and gives nothing twice',
    'now',
  );
  const since = async (date: string | number) =>
    idsOf(await streamed(`${v2}/builds/since/${date}`));

  for (const [place, timestamp] of publicationsIn(out).entries()) {
    expect(await since(timestamp)).toEqual(all.slice(place).map(({ id }) => id));
    expect(await since(timestamp + 1)).toEqual(all.slice(place + 1).map(({ id }) => id));
  }
  expect(await since('now')).toEqual([]);
});

test.each([String(Date.now() + 86_400_000), 'tomorrow', '2026'])(
  'version 2 of the export rejects the date %s',
  async (date) => {
    covers('A future time is invalid', 'Future date is an error');
    for (const version of [v1, v2]) {
      const answer = await get(`${version}/builds/since/${date}`);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ parameter: 'date' });
    }
  },
);

test('version 2 of the export streams the runs after a run, exclusive', async () => {
  covers('sinceBuild/:id: strictly after');
  expect(idsOf(await streamed(`${v2}/builds/sinceBuild/${old.id}`))).toEqual([
    sound.id,
    troubled.id,
  ]);
  expect(idsOf(await streamed(`${v2}/builds/sinceBuild/${sound.id}`))).toEqual([troubled.id]);
  expect(await streamed(`${v2}/builds/sinceBuild/${troubled.id}`)).toEqual([]);
});

test('version 2 of the export rejects an unknown build and an invalid id', async () => {
  covers(
    'buildId: string, 13 characters, of what is made and of what is asked for',
    'A build id has 13 characters',
  );
  for (const path of ['builds/sinceBuild/zzzzzzzzzzzzz', 'build/zzzzzzzzzzzzz/events']) {
    for (const version of [v1, v2]) {
      expect((await get(`${version}/${path}`)).status, path).toBe(404);
    }
  }
  for (const path of ['builds/sinceBuild/short', 'build/AAAAAAAAAAAA1/events']) {
    const answer = await get(`${v2}/${path}`);
    expect(answer.status, path).toBe(400);
    expect(await answer.json()).toMatchObject({ expected: 'an id of 13 letters and digits' });
  }
  expect((await get(`${v2}/builds/since/0`, { 'Last-Event-ID': 'zzzzzzzzzzzzz' })).status).toBe(
    404,
  );
});

test('version 2 of the export gives the Build, then its events by number', async () => {
  covers(
    'They stream the raw events of one build',
    'BuildEvent: id = sequence number, event BuildEvent',
    'timestamp of an event: when the event occurred',
    'type {majorVersion, minorVersion, eventType}, to parse data by',
    'data: object by type, may be empty',
    'All set id on every message',
    '/build/:id/events: one Build, then n events',
    'Messages Build and BuildEvent, with examples of event types',
  );
  const [build, ...events] = await streamed(`${v2}/build/${troubled.id}/events`);
  const [started, at, finished] = [troubled.startedAt, troubled.at, troubled.finishedAt].map(
    (instant) => Date.parse(instant),
  );

  expect(build).toMatchObject({ id: troubled.id, event: 'Build', data: { buildId: troubled.id } });
  const ofTool = (source: string, reason: string) => ({ component: 'tool', source, reason });
  const expected: [timestamp: number | undefined, eventType: string, data: object][] = [
    [started, 'BuildStarted', {}],
    [started, 'BuildRequestedTasks', { requested: ['daily'], excluded: [] }],
    [Date.parse(failedAt), 'SourceFailed', ofTool('pypi:tool', 'pypi answered 503')],
    [
      at,
      'ChangeHeld',
      {
        ...{ component: 'tool', id: 'tool-0f1e2d3c4b', since: '2026-03-01' },
        ...{ causes: ['npm:tool'], reason: '3 releases would be withdrawn' },
      },
    ],
    [
      finished,
      'BuildFinished',
      { outcome: 'failed', asked: 2, answered: 1, events: 0, commit: troubled.commit },
    ],
  ];
  expect(events).toEqual(
    expected.map(([timestamp, eventType, data], place) => ({
      ...{ id: String(place + 1), event: 'BuildEvent' },
      data: { timestamp, type: { majorVersion: 1, minorVersion: 0, eventType }, data },
    })),
  );
});

test('version 2 of the export names requested and excluded tasks', async () => {
  const tasks = async ({ id }: Run) =>
    (await streamed(`${v2}/build/${id}/events?eventTypes=BuildRequestedTasks`))[1]!.data;

  expect(await tasks(sound)).toMatchObject({
    data: { requested: ['daily', '--push'], excluded: ['publish'] },
  });
  expect(await tasks(old)).toMatchObject({ data: { requested: ['record'], excluded: [] } });
});

test('version 2 of the export selects events by case-sensitive types, and keeps their numbers', async () => {
  covers('eventTypes: comma-separated filter');
  const path = `${v2}/build/${troubled.id}/events`;

  for (const types of [
    'eventTypes=BuildFinished,ChangeHeld',
    'eventTypes=BuildFinished&eventTypes=ChangeHeld',
    'eventTypes=BuildFinished,%20ChangeHeld',
  ]) {
    expect(idsOf(await streamed(`${path}?${types}`))).toEqual([troubled.id, '4', '5']);
  }
  expect(idsOf(await streamed(`${path}?eventTypes=buildfinished,TestStarted`))).toEqual([
    troubled.id,
  ]);
});

test('version 2 of the export continues after the Last-Event-ID, and ends with 204 if nothing follows', async () => {
  covers(
    'A stream with nothing more answers a reconnect with 204',
    'Last-Event-ID resumes, also streaming',
    '204 on a completed stream',
  );
  const path = `${v2}/build/${sound.id}/events`;
  const back = (at: string, id: string) => get(at, { 'Last-Event-ID': id });

  expect(idsOf(await streamed(path, { 'Last-Event-ID': '2' }))).toEqual(['3']);
  expect(idsOf(await streamed(path, { 'Last-Event-ID': sound.id }))).toEqual(['1', '2', '3']);
  expect((await back(path, '3')).status).toBe(204);
  expect((await back(path, '99')).status).toBe(404);
  expect(idsOf(await streamed(`${v2}/builds/since/0`, { 'Last-Event-ID': old.id }))).toEqual([
    sound.id,
    troubled.id,
  ]);
  for (const list of ['builds/since/0', `builds/sinceBuild/${old.id}`]) {
    expect((await back(`${v2}/${list}`, troubled.id)).status).toBe(204);
  }
});

test('version 2 of the export stays open with any value of stream, and sends comments', async () => {
  covers(
    'stream: any value enables',
    'With stream: stays open, new data is pushed',
    'A stream ends after some minutes, and the client gets new data when it connects again: files change only with a publication.',
    'Heartbeat as SSE comment',
  );
  for (const value of ['stream', 'stream=1', 'stream=false', 'stream=no', 'stream=0']) {
    const text = await (await get(`${v2}/builds/since/0?${value}`)).text();
    expect(idsOf(messagesOf(text))).toEqual(all.map(({ id }) => id));
    expect(text.match(/^: /gm), value).toHaveLength(5);
  }
  const back = (id: string) => streamed(`${v2}/builds/since/now?stream`, { 'Last-Event-ID': id });
  expect(idsOf(await back(old.id))).toEqual([sound.id, troubled.id]);
  expect(idsOf(await back(troubled.id))).toEqual([]);
});

test('version 1 of the export lists no builds, and rejects a request for the events of a run', async () => {
  covers(
    'Version 1 has the same paths, for builds of Gradle',
    'Events of version 1 of a build that is not of Gradle: 400',
    '400 for events of version 1 of a build that is not of Gradle',
    'Prefixes v1 and v2',
    'Left out: version 1 covers only Gradle builds, and the runs of an index are none.',
  );
  expect(await streamed(`${v1}/builds/since/0`)).toEqual([]);
  expect(await streamed(`${v1}/builds/sinceBuild/${old.id}`)).toEqual([]);
  const text = await (await get(`${v1}/builds/since/0?stream`)).text();
  expect(messagesOf(text)).toEqual([]);
  expect(text).toContain(': still here');

  const answer = await get(`${v1}/build/${sound.id}/events`);
  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await answer.json()).toMatchObject({
    detail: `buildId: expected a build of Gradle; /build-export/v2 has all builds; got ${sound.id}, a build of another tool`,
  });
});

test('an index without a run has empty lists', async () => {
  const askEmpty = apiOf(siteOf(makeRoot({ 'components/svc.json': definition() }), day));

  expect(messagesOf(await (await askEmpty(`${v2}/builds/since/0`)).text())).toEqual([]);
  expect(await (await askEmpty('/api/builds')).json()).toEqual([]);
});

test('the export is 503 if a file of the runs cannot be read', async () => {
  covers('503 while data is being stored; client retries');
  const broken = siteOf(root, day);
  rmSync(join(broken, 'builds/2026.json'));
  const askBroken = apiOf(broken);

  for (const path of [`${v2}/builds/since/0`, `${v2}/build/${sound.id}/events`, '/api/builds']) {
    const answer = await askBroken(path);
    expect(answer.status, path).toBe(503);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'retry-after': '10',
    });
  }
});
