import { expect, test } from 'vitest';
import { client, failureOf, get, json, serve, serveStatus } from './harness.ts';

const question = (text: string) => ({ method: 'POST' as const, body: { type: 'text/plain', text } });

test('the HTTP client sends the body of a question, once for the same text', async () => {
  const server = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => json(response, { method: request.method, sent: Buffer.concat(chunks).toString() }));
  });
  const http = client();

  const texts = ['which tags?', 'which tags?', 'which heads?'];
  const answers = [];
  for (const text of texts) answers.push((await get(server.url, http, question(text))).json());

  expect(answers).toEqual(texts.map((sent) => ({ method: 'POST', sent })));
  expect(server.requests.map(({ headers }) => headers['content-type'])).toEqual(['text/plain', 'text/plain']);
});

test('the HTTP client names the method of a question that fails', async () => {
  const server = await serveStatus(404);

  const error = await failureOf(get(server.url, client(), question('which tags?')));

  expect(error.message).toBe(`POST ${server.url} answered 404`);
});
