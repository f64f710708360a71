import { expect, test } from 'vitest';
import { Hosts } from '../../../src/io/http/http-run.ts';

test('a request waits on if the host asks for more time meanwhile', async () => {
  const url = new URL('https://registry.example/');
  const { signal } = new AbortController();
  let now = 0;
  const hosts: Hosts = new Hosts({
    now: () => now,
    random: () => 0,
    sleep(ms) {
      now += ms;
      hosts.hold(url, 5_000 - now);
      return Promise.resolve();
    },
  });
  hosts.hold(url, 1_000);

  expect(await hosts.run(url, signal, () => Promise.resolve(now))).toBe(5_000);
});
