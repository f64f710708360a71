import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { EventSource } from 'eventsource';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Run } from '../../../../src/core/schemas/recorded/runs.ts';
import { apiOf } from '../../../harness/api.ts';
import { covers } from '../../../harness/covers.ts';
import { siteOf } from '../../../harness/site.ts';
import { serveSite, type ServedSite } from '../../../harness/worker.ts';
import { allRuns, dayAfterRuns as day, rootWithRuns } from './recorded-runs.ts';
import { messagesOf } from './server-sent-events.ts';

const path = '/build-export/v2/builds/since/0';
/** Enough to be worth compressing. */
const manyRuns: Run[] = Array.from({ length: 100 }, (_, index) => ({
  ...allRuns[2]!,
  id: `bbbbbbbbbb${String(index).padStart(3, '0')}`,
}));

let site: ServedSite;

beforeAll(async () => {
  site = await serveSite(siteOf(rootWithRuns(manyRuns), day));
});

afterAll(() => site.close());

test('a stream is compressed on request', async () => {
  covers('All support Accept-Encoding: gzip, with stream, too');
  const raw = async (encoding: string) => {
    const asked = request(new URL(path, site.url), { headers: { 'accept-encoding': encoding } });
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

test('a stream sends known runs immediately, compressed or not', async () => {
  for (const encoding of ['identity', 'gzip']) {
    const abort = new AbortController();
    const answer = await fetch(new URL(`${path}?stream`, site.url), {
      headers: { 'Accept-Encoding': encoding },
      signal: abort.signal,
    });
    expect(answer.headers.get('content-encoding') ?? 'identity').toBe(encoding);
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform');
    let text = '';
    for await (const chunk of answer.body!) {
      text += Buffer.from(chunk).toString();
      if (text.endsWith('\n\n') && messagesOf(text).length === manyRuns.length) {
        break;
      }
    }

    expect(text).not.toMatch(/^:/m);
    abort.abort();
  }
});

test('a stream without the parameter stream ends without a comment', async () => {
  const answer = await fetch(new URL(path, site.url));

  expect(await answer.text()).not.toMatch(/^:/m);
});

test('a request for the headers of a stream keeps nothing open', async () => {
  const ask = apiOf(siteOf(rootWithRuns(allRuns), day));
  const countTimers = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const init = { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } };
  await ask(`${path}?stream`, init);
  await setTimeout(300);

  const timers = countTimers();
  await Promise.all(Array.from({ length: 20 }, () => ask(`${path}?stream`, init)));
  await setTimeout(20);

  expect(countTimers()).toBeLessThan(timers + 10);
});

test('an EventSource gets each run once, although the site changes and it reconnects', async () => {
  let answer = apiOf(siteOf(rootWithRuns(allRuns.slice(0, 1)), day));
  const requests: (string | null)[] = [];
  const source = new EventSource(`https://site.invalid${path}?stream`, {
    fetch(_, init) {
      requests.push(new Headers(init?.headers).get('Last-Event-ID'));
      return answer(`${path}?stream`, init as RequestInit) as never;
    },
  });
  onTestFinished(() => source.close());
  const seen: string[] = [];
  source.addEventListener('Build', ({ data }) =>
    seen.push((JSON.parse(data as string) as { buildId: string }).buildId),
  );

  for (const [index, { id }] of allRuns.entries()) {
    answer = apiOf(siteOf(rootWithRuns(allRuns.slice(0, index + 1)), day));
    await expect.poll(() => seen.length).toBe(index + 1);
    // It reconnects twice more and gets nothing again.
    const asked = requests.length;
    await expect.poll(() => requests.length).toBeGreaterThan(asked + 1);
    expect(requests.at(-1)).toBe(id);
  }

  expect(seen).toEqual(allRuns.map(({ id }) => id));
  expect(requests[0]).toBeNull();
});
