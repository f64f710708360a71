import { afterAll, beforeAll, expect, test } from 'vitest';
import siteConfig from '../../site/site.json' with { type: 'json' };
import { runOverPins, type Pin } from './pins.ts';
import { serveComponents, type ServedSite } from './site.ts';

const listing = (definition: object, ...versions: string[]) => ({
  definition,
  releases: versions.map((version) => ({ version, releaseTimestamp: '2025-01-31' })),
});

const forge = {
  deprecated: [{ versions: '15.0', reason: 'Old.' }],
  upgradeStops: ['14.10', { at: '15.0', reason: 'It rewrites the configuration.' }, '16.3'],
};

let served: ServedSite;

beforeAll(async () => {
  served = await serveComponents({
    forge: listing(forge, '14.0.12', '14.10.5', '15.0.5', '15.4.6', '16.3.9', '17.1.0', '17.3.7'),
  });
});

afterAll(() => served?.close());

function look(pin: Pin) {
  const { origin } = served;
  const configuration = { extends: [`${origin}/renovate.json`] };

  return runOverPins([pin], { origin, datasource: siteConfig.datasource }, configuration);
}

test('a pin reaches the newest release through every stop, even a deprecated one', async () => {
  const way = ['14.0.12'];
  while (way.length < 10) {
    const run = await look(['forge', way.at(-1)!]);
    const proposed = run.lookups.flatMap((lookup) => lookup.proposed);
    const next = proposed.sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b)).at(-1);
    if (next === undefined) {
      break;
    }
    way.push(next);
  }

  expect(way).toEqual(['14.0.12', '14.10.5', '15.0.5', '16.3.9', '17.3.7']);
});
