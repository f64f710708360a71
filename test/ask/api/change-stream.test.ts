import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { EventSource } from 'eventsource';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { PublishedChange } from '../../../src/core/schemas/published/changes-file.ts';
import { apiOf } from '../../harness/api.ts';
import { definition, makeRoot, pathsIn, writeIn } from '../../harness/root.ts';
import { recordOn, siteOf, siteOfFixtureIndex } from '../../harness/site.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';
import { messagesOf, quick } from './server-sent-events.ts';
import { covers } from '../../harness/covers.ts';

let out: string;
let site: ServedSite;
/** In the order of the journal. */
let all: PublishedChange[];

beforeAll(async () => {
  out = siteOfFixtureIndex();
  site = await serveSite(out, undefined, quick);
  all = pathsIn(join(out, 'changes')).flatMap((file) => {
    const { changes } = JSON.parse(readFileSync(join(out, 'changes', file), 'utf8')) as {
      changes: PublishedChange[];
    };
    return changes.toReversed();
  });
});

afterAll(() => site.close());

const base = '/export/v1/changes';
const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(base + path, site.url), { headers });
const after = (id: string) => `/sinceChange?id=${encodeURIComponent(id)}`;

async function changesOf(answer: Response): Promise<PublishedChange[]> {
  const messages = messagesOf(await answer.text());
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(answer.headers.get('cache-control')).toContain('no-store');
  const changes = messages.map(({ data }) => data as PublishedChange);
  expect(messages.map(({ id, event }) => [id, event])).toEqual(
    changes.map(({ id }) => [id, 'Change']),
  );
  return changes;
}

test('changes since 0 are all changes as recorded, oldest first', async () => {
  expect(new Set(all.map(({ at }) => at.slice(0, 4))).size).toBeGreaterThan(1);
  expect(await changesOf(await ask('/since/0'))).toEqual(all);
});

test('changes since a day include the day itself, in ISO 8601 and in milliseconds', async () => {
  const days = [...new Set(all.map(({ at }) => at.slice(0, 10)))];
  for (const day of [days[0]!, days[9]!, days.at(-1)!]) {
    const expected = all.filter(({ at }) => at >= day);
    for (const from of [day, `${day}T00:00:00Z`, String(Date.parse(day))]) {
      expect(await changesOf(await ask(`/since/${from}`)), from).toEqual(expected);
    }
    expect(await changesOf(await ask(`/since/${day}T00:00:01Z`))).toEqual(
      all.filter(({ at }) => at > `${day}T00:00:01`),
    );
  }
});

test('changes since now are empty, with the id where to resume', async () => {
  const text = await (await ask('/since/now')).text();

  expect(messagesOf(text)).toEqual([]);
  expect(text).toContain(`id: ${all.at(-1)!.id}\n\n`);
  expect(text).toMatch(/^retry: \d+$/m);
});

test.each(['2026-02-30', '9999-01-01', '-1', '9'.repeat(15), '9'.repeat(16)])(
  'changes since "%s" are rejected, with the expected value',
  async (date) => {
    const answer = await ask(`/since/${date}`);

    expect(answer.status).toBe(400);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toMatchObject({
      detail: expect.stringContaining(
        'date: expected 0, now, or a time up to now in ISO 8601',
      ) as string,
      parameter: 'date',
    });
  },
);

test('changes since a change are the later changes, with any characters in the id', async () => {
  expect(all.every(({ id }) => id.includes('/'))).toBe(true);
  for (const index of [0, Math.floor(all.length / 2), all.length - 1]) {
    const { id } = all[index]!;
    expect(await changesOf(await ask(after(id))), id).toEqual(all.slice(index + 1));
  }
  expect(await changesOf(await ask('/since/0', { 'Last-Event-ID': all[0]!.id }))).toEqual(
    all.slice(1),
  );
});

test('changes since a change are 404 for an unknown change, with the address of all changes', async () => {
  for (const answer of [
    await ask(after('svc/nothing')),
    await ask('/since/0', { 'Last-Event-ID': 'svc/nothing' }),
  ]) {
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      detail: expect.stringMatching(/"svc\/nothing".*\/export\/v1\/changes\/since\/0$/) as string,
    });
  }
});

test.each([
  ['/sinceChange', 'id: expected the id of a change, as in changes.json; got nothing'],
  ['/sinceChange?id=', 'id: expected the id of a change, as in changes.json; got ""'],
  ['/sinceChange?id=a&id=b', 'id: expected this parameter once; got it repeatedly'],
  [`/sinceChange?id=${'x'.repeat(1001)}`, 'id: expected at most 1,000 characters; got 1,001'],
  [
    '/since/0?streem',
    'streem: expected only component, eventTypes, types, stream; got the parameter "streem"',
  ],
])('%s is rejected with the expected value', async (path, detail) => {
  const answer = await ask(path);

  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ detail });
});

test('a stream is compressed on request', async () => {
  covers(124);
  const raw = async (encoding: string) => {
    const asked = request(new URL(`${base}/since/0`, site.url), {
      headers: { 'accept-encoding': encoding },
    });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { answer, bytes: Buffer.concat(await answer.toArray()) };
  };

  const plain = await raw('identity');
  const zipped = await raw('br;q=0, gzip');

  expect(plain.answer.headers['content-encoding']).toBeUndefined();
  expect(zipped.answer.headers['content-encoding']).toBe('gzip');
  expect(zipped.answer.headers.vary).toBe('Accept-Encoding');
  expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
  expect(zipped.bytes.length).toBeLessThan(plain.bytes.length / 3);
  expect((await raw('gzip;q=0')).answer.headers['content-encoding']).toBeUndefined();
});

test('a stream answers 204 to a client that reconnects and has seen all changes', async () => {
  covers(117);
  const newest = { 'Last-Event-ID': all.at(-1)!.id };
  for (const path of ['/since/0', '/since/now', after(all[0]!.id)]) {
    const answer = await ask(path, newest);
    expect(answer.status, path).toBe(204);
    expect(await answer.text()).toBe('');
  }
  expect((await ask(after(all.at(-1)!.id))).status).toBe(200);
  expect((await ask('/since/0?stream', newest)).status).toBe(200);
});

test('a stream sends known changes immediately, compressed or not', async () => {
  const slow = await serveSite(out, undefined, {
    STREAM_HEARTBEAT_MS: '60000',
    STREAM_LIFETIME_MS: '60000',
  });
  onTestFinished(() => slow.close());

  for (const encoding of ['identity', 'gzip']) {
    const abort = new AbortController();
    const answer = await fetch(new URL(`${base}/since/0?stream`, slow.url), {
      headers: { 'Accept-Encoding': encoding },
      signal: abort.signal,
    });
    expect(answer.headers.get('content-encoding') ?? 'identity').toBe(encoding);
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform');
    let text = '';
    for await (const chunk of answer.body!) {
      text += Buffer.from(chunk).toString();
      if (text.endsWith('\n\n') && messagesOf(text).length === all.length) {
        break;
      }
    }

    expect(text).not.toMatch(/^:/m);
    abort.abort();
  }
});

test('a stream with stream=false ends', async () => {
  expect(await (await ask('/since/0?stream=false')).text()).not.toMatch(/^:/m);
});

test('a stream selects components and types, with commas or repeated parameters', async () => {
  const wanted = all.filter(
    ({ component, type }) => component === 'svc' && (type === 'deprecated' || type === 'released'),
  );

  expect(wanted.length).toBeGreaterThan(3);
  for (const types of ['eventTypes=deprecated,released', 'types=deprecated&types=released']) {
    expect(await changesOf(await ask(`/since/0?component=svc&${types}`))).toEqual(wanted);
  }
  expect((await ask('/since/0?types=deleted')).status).toBe(400);
  expect(
    (await ask('/since/0?types=renamed', { 'Last-Event-ID': all[0]!.id })).status,
    'nothing new of these',
  ).toBe(204);
});

test('the stream of a release begins with the release itself', async () => {
  covers(8, 125);
  const { component, version } = all.findLast(
    ({ type }) => type === 'deprecated' || type === 'withdrawn',
  )!;
  const text = await (
    await fetch(new URL(`/export/v1/releases/${component}/${version}/events`, site.url))
  ).text();
  const [release, ...events] = messagesOf(text);

  expect(release).toMatchObject({
    ...{ event: 'Release', id: `${component}@${version}` },
    data: { component, version },
  });
  expect(events.map(({ data }) => data)).toEqual(
    all.filter((change) => change.component === component && change.version === version),
  );
  expect((await fetch(new URL('/export/v1/releases/svc/99/events', site.url))).status).toBe(404);
});

test('an EventSource gets each change once despite new sites, second runs of a day and republications', async () => {
  const releases = ['1.0', '1.1'].map((version) => ({ version, firstSeen: '2026-03-01' }));
  const root = makeRoot({ 'components/svc.json': definition(), 'data/svc.json': { releases } });
  const deprecate = (...versions: string[]) =>
    writeIn(
      root,
      'components/svc.json',
      definition({ deprecated: [{ versions, reason: 'Malicious' }] }),
    );
  const republished = { on: '2026-03-02', from: 'a.zip sha256:1', to: 'a.zip sha256:2' };
  const later = [
    { ...releases[0], republished },
    releases[1],
    { version: '1.2', firstSeen: '2026-03-02' },
  ];
  const published: readonly (readonly [day: string, edit: () => void])[] = [
    // The same site once more.
    ['2026-03-01', () => undefined],
    // Two more runs on the same day; the second reverts a part of the first.
    ['2026-03-01', () => deprecate('1.0', '1.1')],
    ['2026-03-01', () => deprecate('1.1')],
    ['2026-03-02', () => writeIn(root, 'data/svc.json', { releases: later })],
  ];
  await recordOn(root, '2026-03-01');
  let answer = apiOf(siteOf(root, '2026-03-01'));
  const requests: (string | null)[] = [];
  const source = new EventSource(`https://site.invalid${base}/since/0?stream`, {
    fetch(_, init) {
      requests.push(new Headers(init?.headers).get('Last-Event-ID'));
      return answer(`${base}/since/0?stream`, init as RequestInit) as never;
    },
  });
  onTestFinished(() => source.close());
  const seen: string[] = [];
  source.addEventListener('Change', ({ data }) =>
    seen.push((JSON.parse(data as string) as PublishedChange).id),
  );

  const counts: number[] = [];
  for (const [day, edit] of published) {
    edit();
    await recordOn(root, day);
    answer = apiOf(siteOf(root, day));
    const whole = await changesOf(await answer(`${base}/since/0`));
    await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(whole.length);
    // It reconnects twice more and gets nothing again.
    const asked = requests.length;
    await expect.poll(() => requests.length, { timeout: 20_000 }).toBeGreaterThan(asked + 1);
    expect(seen).toEqual(whole.map(({ id }) => id));
    expect(requests.at(-1)).toBe(whole.at(-1)!.id);
    counts.push(whole.length);
  }

  expect(counts).toEqual([2, 4, 5, 7]);
  expect(requests[0]).toBeNull();
});
