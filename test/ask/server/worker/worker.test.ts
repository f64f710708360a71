import { expect, test } from 'vitest';
import { openWorkerHere } from '../../../harness/worker-here.ts';

const baseUrl = 'https://releases.example.com';
const files = new Map([
  ['index.html', Buffer.from('home')],
  ['svc.json', Buffer.from('{}')],
]);
const ask = openWorkerHere({ files }, baseUrl);

test.each([
  ['GET', '/', 200],
  ['GET', '/?x=1', 200],
  ['POST', '/', 405],
  ['POST', '/svc.json', 405],
  ['POST', '/no.json', 404],
  ['POST', '//', 404],
  ['POST', '//other.example/svc.json', 404],
])('%s %s has status %i', async (method, path, status) => {
  expect((await ask(baseUrl + path, { method })).status).toBe(status);
});
