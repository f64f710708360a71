import { expect, onTestFinished, test, vi } from 'vitest';
import worker from '../../../../src/ask/server/worker/auth-worker.ts';
import { accessTo, keyOf, recorded } from './private-index.ts';

/** The values that the bundler inserts into the Worker. */
const place = 'RELEASE_INDEX_ACCESS';
const key = keyOf('a');
const asked: string[] = [];
const env = {
  BASE_URL: 'https://releases.example.com',
  VERSION: { timestamp: '2026-11-20T00:00:00Z' },
  ASSETS: {
    fetch(request: Request) {
      asked.push(request.url);
      return Promise.resolve(new Response('content'));
    },
  },
};

test('a Worker without its access configuration serves nothing', async () => {
  onTestFinished(() => void Reflect.deleteProperty(globalThis, place));
  const paths = ['/', '/svc.json', '/mcp', '/.well-known/oauth-protected-resource/mcp'];
  for (const method of ['GET', 'POST', 'OPTIONS']) {
    for (const path of paths) {
      const ask = () => worker.fetch(new Request(env.BASE_URL + path, { method }), env);
      Reflect.set(globalThis, place, 'null');
      expect((await ask()).status).toBe(503);
      Reflect.set(globalThis, place, '{');
      await expect(ask()).rejects.toThrow();
    }
  }

  expect(asked).toEqual([]);
});

/** The status of a request with a key, to a Worker with these secrets. */
async function askWith(secrets: object): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const request = new Request(`${env.BASE_URL}/svc.json`, { headers });
  return (await worker.fetch(request, { ...env, ...secrets })).status;
}

test('a Worker accepts only the keys of its environment', async () => {
  onTestFinished(() => void Reflect.deleteProperty(globalThis, place));
  Reflect.set(globalThis, place, JSON.stringify(accessTo('everything')));

  expect(await askWith({ RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([recorded(key)]) })).toBe(200);
  expect(await askWith({})).toBe(401);
});

test('a secret that is not a list of keys gives no access, and the log names it', async () => {
  onTestFinished(() => void Reflect.deleteProperty(globalThis, place));
  Reflect.set(globalThis, place, JSON.stringify(accessTo('everything')));
  const log = vi.spyOn(console, 'error').mockReturnValue();

  expect(await askWith({ RELEASE_INDEX_ACCESS_KEYS: 'hunter2' })).toBe(401);
  expect(log.mock.calls).toEqual([
    ['The secret RELEASE_INDEX_ACCESS_KEYS is not a list of access keys.'],
  ]);
});
