import { expect, test } from 'vitest';
import { createHosts, type Hosts } from '../../../src/io/http/hosts.ts';
import { fakeClock } from './harness.ts';

const url = new URL('https://registry.example/');
const { signal } = new AbortController();

test('a request waits on if the host asks for more time meanwhile', async () => {
  let now = 0;
  const hosts: Hosts = createHosts({
    now: () => now,
    sleep(ms) {
      now += ms;
      hosts.hold(url, 5_000 - now);
      return Promise.resolve();
    },
  });
  hosts.hold(url, 1_000);

  expect(await hosts.run(url, signal, () => Promise.resolve({ at: now }))).toEqual({ at: 5_000 });
});

test('a request waits if the host asks for time while other hosts have all places', async () => {
  const clock = fakeClock(0);
  const hosts = createHosts(clock);
  const busy = Promise.withResolvers<object>();
  const others = Array.from({ length: 32 }, (_, index) =>
    hosts.run(new URL(`https://${index % 4}.example/`), signal, () => busy.promise),
  );
  const waiting = hosts.run(url, signal, () => Promise.resolve({ at: clock.now() }));
  await Promise.resolve();

  hosts.hold(url, 3_000);
  busy.resolve({});
  await Promise.all(others);

  expect(await waiting).toEqual({ at: 3_000 });
});
