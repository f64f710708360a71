import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { client, failureOf, JSON_ONLY, json, serve, status } from './harness.ts';

test('the HTTP client requests a document once in a run', async () => {
  const server = await serve((_request, response) => json(response, { ok: true }));
  const http = client();
  const wanted = { url: `${server.origin}/x`, accept: JSON_ONLY };

  const [first, second] = await Promise.all([
    http.fetch(wanted),
    http.fetch({ ...wanted, url: `${wanted.url}#part` }),
  ]);
  const third = await http.fetch(wanted);

  expect([first, second, third].map((response) => response.json())).toEqual([
    { ok: true },
    { ok: true },
    { ok: true },
  ]);
  expect(server.requests).toHaveLength(1);
});

test('the HTTP client returns a large document again', async () => {
  const values = Array.from({ length: 100_000 }, (_, index) => index);
  const server = await serve((_request, response) => json(response, values));
  const http = client();
  const wanted = { url: server.origin, accept: JSON_ONLY };
  await http.fetch(wanted);

  const again = await http.fetch(wanted);

  expect(again.json()).toEqual(values);
  expect(server.requests).toHaveLength(1);
});

test('the HTTP client shares the failure of a document', async () => {
  const server = await serve((_request, response) => status(response, 404));
  const http = client();
  const wanted = { url: `${server.origin}/x`, accept: JSON_ONLY };

  const errors = [await failureOf(http.fetch(wanted)), await failureOf(http.fetch(wanted))];

  expect(errors.map(({ kind }) => kind)).toEqual(['absent', 'absent']);
  expect(server.requests).toHaveLength(1);
});

test('the HTTP client distinguishes documents by accepted types, method and headers', async () => {
  const server = await serve((_request, response) => json(response, {}));
  const http = client();
  const url = server.origin;

  await http.fetch({ url, accept: JSON_ONLY });
  await http.fetch({ url, accept: ['application/vnd.example+json', 'application/json'] });
  await http.fetch({ url, accept: JSON_ONLY, method: 'HEAD' });
  await http.fetch({ url, accept: JSON_ONLY, headers: { 'x-view': 'full' } });

  expect(server.requests).toHaveLength(4);
});

test('the HTTP client sends at most eight requests at a time to a host', async () => {
  const eight = Promise.withResolvers<void>();
  const held: ServerResponse[] = [];
  const busy = await serve((_request, response) => {
    held.push(response);
    if (held.length === 8) eight.resolve();
  });
  const other = await serve((_request, response) => json(response, {}));
  const http = client();
  const urls = Array.from({ length: 20 }, (_, index) => `${busy.origin}/${index}`);
  const all = urls.map((url) => http.fetch({ url, accept: JSON_ONLY }));
  await eight.promise;
  // A ninth concurrent request would arrive before these finish.
  for (const path of ['/1', '/2', '/3'])
    await http.fetch({ url: `${other.origin}${path}`, accept: JSON_ONLY });

  const atOnce = held.length;
  const answering = setInterval(() => held.splice(0).forEach((response) => json(response, {})), 1);
  await Promise.all(all);
  clearInterval(answering);

  expect(atOnce).toBe(8);
  expect(busy.requests).toHaveLength(20);
});

test('the HTTP client requests from a fast host while many requests wait for a slow host', async () => {
  const held: (() => void)[] = [];
  const slow = await serve((_request, response) => held.push(() => json(response, {})));
  const fast = await serve((_request, response) => json(response, { fast: true }));
  const http = client();
  const urls = Array.from({ length: 40 }, (_, index) => `${slow.origin}/${index}`);
  const all = urls.map((url) => http.fetch({ url, accept: JSON_ONLY }));

  const response = await http.fetch({ url: fast.origin, accept: JSON_ONLY });

  expect(response.json()).toEqual({ fast: true });
  const answering = setInterval(() => held.splice(0).forEach((answer) => answer()), 1);
  await Promise.all(all);
  clearInterval(answering);
});

test('the HTTP client names the project in each request', async () => {
  const server = await serve((_request, response) => json(response, {}));

  await client().fetch({ url: server.origin, accept: JSON_ONLY });

  expect(server.requests[0]?.headers['user-agent']).toBe('release-index-test (https://example.org)');
});
