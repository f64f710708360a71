import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { client, failureOf, get, json, serve, serveJson, serveStatus } from './harness.ts';

test('the HTTP client requests a document once in a run, however large', async () => {
  const values = Array.from({ length: 100_000 }, (_, index) => index);
  const server = await serveJson(values);
  const http = client();

  const answers = await Promise.all([get(server.url, http), get(`${server.url}#part`, http)]);
  answers.push(await get(server.url, http));

  for (const answer of answers) {
    expect(answer.json()).toEqual(values);
  }
  expect(server.requests).toHaveLength(1);
});

test('the HTTP client shares the failure of a document', async () => {
  const server = await serveStatus(404);
  const http = client();

  const errors = [await failureOf(get(server.url, http)), await failureOf(get(server.url, http))];

  expect(errors.map(({ kind }) => kind)).toEqual(['absent', 'absent']);
  expect(server.requests).toHaveLength(1);
});

test('the HTTP client distinguishes documents by accepted types, method and headers', async () => {
  const server = await serveJson({});
  const http = client();

  await get(server.url, http);
  await get(server.url, http, { accept: ['application/vnd.example+json', 'application/json'] });
  await get(server.url, http, { method: 'HEAD' });
  await get(server.url, http, { headers: { 'x-view': 'full' } });

  expect(server.requests).toHaveLength(4);
  expect(server.requests[0]?.headers['user-agent']).toBe('release-index (+https://test.example)');
});

test('the HTTP client sends at most eight requests at a time to a host, and goes on with other hosts', async () => {
  const eight = Promise.withResolvers<void>();
  const held: ServerResponse[] = [];
  const busy = await serve((_request, response) => {
    held.push(response);
    if (held.length === 8) {
      eight.resolve();
    }
  });
  const other = await serveJson({});
  const http = client();
  const all = Array.from({ length: 40 }, (_, index) => get(`${busy.origin}/${index}`, http));
  await eight.promise;
  // A ninth concurrent request would arrive before these finish.
  for (const path of ['/1', '/2', '/3']) {
    await get(`${other.origin}${path}`, http);
  }

  const atOnce = held.length;
  const answering = setInterval(() => held.splice(0).forEach((response) => json(response, {})), 1);
  await Promise.all(all);
  clearInterval(answering);

  expect(atOnce).toBe(8);
  expect(busy.requests).toHaveLength(40);
});

test('the HTTP client counts its requests, and keeps the latest date that a host stated, in any time zone', async () => {
  vi.stubEnv('TZ', 'America/New_York');
  onTestFinished(() => void vi.unstubAllEnvs());
  const dates = [
    'Sun, 01 Mar 2026 10:00:00 GMT',
    'Sat, 28 Feb 2026 10:00:00 GMT',
    'Sun Mar  1 09:00:00 2026',
    'today',
  ];
  const { origin } = await serve((request, response) =>
    json(response, {}, { date: dates[Number(request.url!.slice(1))]! }),
  );
  const http = client();

  for (const index of dates.keys()) {
    await get(`${origin}/${index}`, http);
  }

  expect(http.counts).toEqual({ requests: 4, latestDate: Date.parse(dates[0]!) });
});

const question = (text: string) => ({
  method: 'POST' as const,
  body: { type: 'text/plain', text },
});

test('the HTTP client sends the body of a question, once for the same text', async () => {
  const server = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () =>
        json(response, { method: request.method, sent: Buffer.concat(chunks).toString() }),
      );
  });
  const http = client();

  const texts = ['which tags?', 'which tags?', 'which heads?'];
  const answers = [];
  for (const text of texts) {
    answers.push((await get(server.url, http, question(text))).json());
  }

  expect(answers).toEqual(texts.map((sent) => ({ method: 'POST', sent })));
  expect(server.requests.map(({ headers }) => headers['content-type'])).toEqual([
    'text/plain',
    'text/plain',
  ]);
});

test('the HTTP client names the method of a question that fails', async () => {
  const server = await serveStatus(404);

  const error = await failureOf(get(server.url, client(), question('which tags?')));

  expect(error.message).toBe(`POST ${server.url} answered 404`);
});
