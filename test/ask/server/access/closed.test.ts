import { expect, onTestFinished, test } from 'vitest';
import worker from '../../../../src/ask/server/worker/auth-worker.ts';

/** The values that the bundler inserts into the Worker. */
const place = 'RELEASE_INDEX_ACCESS';
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
