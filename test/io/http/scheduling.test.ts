import { expect, test } from 'vitest';
import { createHosts } from '../../../src/io/http/http-run.ts';

test('a request waits on if the host asks for more time meanwhile', async () => {
  const url = new URL('https://registry.example/');
  const { signal } = new AbortController();
  let now = 0;
  const hosts = createHosts({
    now: () => now,
    random: () => 0,
    sleep(ms) {
      now += ms;
      hosts.holdUntil(url, 5_000);
      return Promise.resolve();
    },
  });
  hosts.holdUntil(url, 1_000);

  expect(await hosts.run(url, signal, () => Promise.resolve(now))).toBe(5_000);
});
