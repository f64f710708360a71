import { expect, test } from 'vitest';
import { client, failureOf, JSON_ONLY, json, serve, status } from './harness.ts';

/** Echoes the request. */
const echo = () =>
  serve((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => json(response, { method: request.method, sent: Buffer.concat(chunks).toString() }));
  });
const question = (text: string) => ({ method: 'POST' as const, body: { type: 'text/plain', text } });

test('the HTTP client sends the body of a question, once for the same text', async () => {
  const server = await echo();
  const http = client();
  const asked = (text: string) => http.fetch({ url: server.origin, accept: JSON_ONLY, ...question(text) });

  const answers = [await asked('which tags?'), await asked('which tags?'), await asked('which heads?')];

  expect(answers.map((answer) => answer.json())).toEqual([
    { method: 'POST', sent: 'which tags?' },
    { method: 'POST', sent: 'which tags?' },
    { method: 'POST', sent: 'which heads?' },
  ]);
  expect(server.requests.map(({ headers }) => headers['content-type'])).toEqual(['text/plain', 'text/plain']);
});

test('the HTTP client repeats a question after a temporary failure', async () => {
  let count = 0;
  const server = await serve((request, response) => {
    request.resume();
    if (count++ === 0) status(response, 503);
    else json(response, { length: request.headers['content-length'] });
  });

  const answer = await client().fetch({ url: server.origin, accept: JSON_ONLY, ...question('which tags?') });

  expect(answer.json()).toEqual({ length: '11' });
});

test('the HTTP client names the method of a question that fails', async () => {
  const server = await serve((_request, response) => status(response, 404));

  const error = await failureOf(
    client().fetch({ url: `${server.origin}/x`, accept: JSON_ONLY, ...question('which tags?') }),
  );

  expect(error.message).toBe(`POST ${server.origin}/x answered 404`);
});
