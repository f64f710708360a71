import { afterAll, beforeAll, expect, test } from 'vitest';
import site from '../fixtures/index/site/site.json' with { type: 'json' };
import { accessTo, keyOf, recorded } from '../ask/server/access/private-index.ts';
import { fixtureDay, fixtureIndex } from '../harness/checkout.ts';
import { openAddress, type OpenAddress } from '../harness/open-address.ts';
import { siteOf } from '../harness/site.ts';
import { serveSite, type ServedSite } from '../harness/worker.ts';
import { runOverPins } from './pins.ts';

const key = keyOf('a');
let address: OpenAddress;
let served: ServedSite;

beforeAll(async () => {
  address = await openAddress();
  const out = siteOf(fixtureIndex, fixtureDay, address.origin);
  const vars = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([recorded(key)]) };
  served = await serveSite(out, address.origin, vars, accessTo('everything'));
  address.leadTo(served.url);
});

afterAll(async () => {
  await served?.close();
  await address?.close();
});

const run = (token?: string) =>
  runOverPins([['svc', '2024.1']], {
    ...{ origin: address.origin, datasource: site.datasource },
    ...(token !== undefined && { token }),
  });

test('Renovate reads a private index with a key as the token of a host rule', async () => {
  const { lookups, problems, attempts } = await run(key);

  expect(lookups).toEqual([
    expect.objectContaining({ component: 'svc', pin: '2024.1', warnings: [] }),
  ]);
  expect(lookups[0]!.proposed).not.toEqual([]);
  expect(problems).toEqual([]);
  expect(attempts).toEqual([]);
});

test('Renovate without a key cannot read the preset of a private index', async () => {
  await expect(run()).rejects.toThrow('Renovate did not get as far as looking anything up');
});
