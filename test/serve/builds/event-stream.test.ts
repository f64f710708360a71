import { EventSource } from 'eventsource';
import { expect, onTestFinished, test } from 'vitest';
import { openSiteApi, openRuns } from '../../harness/api.ts';
import { listen } from '../../harness/listen.ts';

const ids = Array.from({ length: 40 }, (_, position) => `run${String(position).padStart(10, '0')}`);

/** Opens the API of an index with this many runs. */
function open(count: number, more: object = {}) {
  const runs = ids.slice(0, count).map((id, position) => {
    const instant = new Date(Date.UTC(2026, 0, 1, position)).toISOString();
    const run = { id, program: '1.0.0', requested: ['daily'] };
    return { ...run, at: instant, startedAt: instant, finishedAt: instant };
  });
  return openSiteApi(openRuns(runs), more);
}

const v2 = '/build-export/v2';
const since = (date: string, query = '') => `${v2}/builds/since/${date}${query}`;

/** Returns the ids of the messages in an answer, or its status if that is not 200. */
async function listIds(path: string, lastId?: string): Promise<string[] | number> {
  const headers: Record<string, string> = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
  const answer = await open(4)(path, { headers });
  const text = await answer.text();
  return answer.status === 200
    ? Array.from(text.matchAll(/^id: (.*)\nevent: /gm), ([, id = '']) => id)
    : answer.status;
}

const [first, second, third, fourth] = ids as [string, string, string, string];

const events = `${v2}/build/${second}/events`;

test.each<[path: string, lastId: string | undefined, expected: string[] | number]>([
  [since('0'), undefined, [first, second, third, fourth]],
  [since(String(Date.UTC(2026, 0, 1, 2) + 1)), undefined, [fourth]],
  [since('now'), undefined, []],
  [since('0'), second, [third, fourth]],
  [since('0'), fourth, 204],
  [`${v2}/builds/sinceBuild/${second}`, undefined, [third, fourth]],
  [events, undefined, [second, '1', '2', '3']],
  [events, second, ['1', '2', '3']],
  [events, '2', ['3']],
  [events, 'x', 404],
  [`${events}?eventTypes=BuildFinished`, undefined, [second, '3']],
  [`${events}?eventTypes=BuildStarted,x&eventTypes=BuildFinished`, undefined, [second, '1', '3']],
  ['/build-export/v1/builds/since/0', undefined, []],
])(
  'the stream %s, resumed after the message %s, has the messages %j',
  async (path, lastId, expected) => {
    expect(await listIds(path, lastId)).toEqual(expected);
  },
);

test('a stream without messages gives the client an id from which to resume', async () => {
  const text = await (await open(4)(since('now'))).text();

  expect(text).toBe(`retry: 10\n\nid: ${fourth}\n\n`);
});

test('an open stream sends a heartbeat, and ends after its time limit', async () => {
  const text = await (await open(1)(since('now', '?stream'))).text();

  expect(text).toBe(`retry: 10\n\nid: ${first}\n\n${': still here\n\n'.repeat(4)}`);
});

test('an open stream without messages is answered with 200, not 204', async () => {
  const answer = await open(1)(since('0', '?stream=true'), { headers: { 'Last-Event-ID': first } });
  await answer.body!.cancel();

  expect(answer.status).toBe(200);
});

test('a HEAD request for a stream is answered at once', async () => {
  const endpoints = open(0, { heartbeatMs: 1_000_000_000 });
  const answer = await endpoints(since('0', '?stream'), { method: 'HEAD' });

  expect([answer.status, await answer.text()]).toEqual([200, '']);
});

/** Starts a proxy that passes requests to `endpoints.ask`, and cuts each answer after `cutAfter` bytes. */
async function serve(endpoints: { ask: ReturnType<typeof open>; cutAfter: number }) {
  const asked: (string | undefined)[] = [];
  const origin = await listen(async (incoming, response) => {
    asked.push(incoming.headers['last-event-id'] as string | undefined);
    const headers = incoming.headers as Record<string, string>;
    const answer = await endpoints.ask(incoming.url!, { headers });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    let left = endpoints.cutAfter;
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      await new Promise((written) => response.write(chunk.subarray(0, left), written));
      left -= chunk.length;
      if (left < 0) {
        response.destroy();
        return;
      }
    }
    response.end();
  });
  return { origin, asked };
}

test('an EventSource whose connection breaks gets each run once', async () => {
  // The proxy cuts each answer within its third or fourth message.
  const endpoints = { ask: open(20), cutAfter: 600 };
  const { origin, asked } = await serve(endpoints);
  const source = new EventSource(`${origin}${since('0', '?stream')}`, {
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...init.headers, 'accept-encoding': 'identity' } }),
  });
  onTestFinished(() => source.close());
  const seen: string[] = [];
  source.addEventListener('Build', ({ data }) => {
    seen.push((JSON.parse(data as string) as { buildId: string }).buildId);
    if (seen.length === 20) {
      // From now on, the Worker has 20 more runs, as if a new version of it had been deployed.
      endpoints.ask = open(40);
    }
  });

  await expect.poll(() => seen.length).toBe(40);
  const requests = asked.length;
  await expect.poll(() => asked.length).toBeGreaterThan(requests + 2);
  expect(seen).toEqual(ids);
  expect(asked[0]).toBeUndefined();
  expect(asked.slice(1).every((id) => seen.includes(id!))).toBe(true);
  expect(asked.length).toBeGreaterThan(10);
});

test('a stream is compressed if the client accepts gzip', async () => {
  const readHeaders = async (accepted: string) => {
    const answer = await open(4)(since('0'), { headers: { 'accept-encoding': accepted } });
    return [answer.headers.get('content-encoding'), answer.headers.get('vary')];
  };

  expect(await readHeaders('br;q=0, gzip')).toEqual(['gzip', 'Accept-Encoding']);
  expect(await readHeaders('gzip;q=0')).toEqual([null, 'Accept-Encoding']);
  expect(await readHeaders('identity')).toEqual([null, 'Accept-Encoding']);
});
