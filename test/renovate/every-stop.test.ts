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

/** Releases, oldest first: that in use, the stop, and one above it. Renovate cannot read each of them in a range. */
const forms = [
  ['7', '8', '9'],
  ['v1.1.0', 'v1.2.3', 'v1.3.0'],
  ['2024.03.1', '2024.04.1', '2025.01.1'],
  ['1.1.0.1', '1.2.3.4', '1.3.0.0'],
  ['1.2.3.1', '1.2.3.4', '1.3.0.0'],
  ['1.1', '1.2.20240101123456789', '1.3'],
  ['4.1.0.Final', '4.2.0.Final', '4.3.0.Final'],
  ['1.1.0-alpine', '1.2.3-alpine', '1.3.0-alpine'],
  ['v1.1.0-alpine', 'v1.2.3-alpine', 'v1.3.0-alpine'],
  ['1.1.0+k3s1', '1.2.3+k3s1', '1.3.0+k3s1'],
  ['v1.1.0-1', 'v1.2.3-2', 'v1.3.0-1'],
] as const;

let served: ServedSite;

beforeAll(async () => {
  served = await serveComponents({
    ...Object.fromEntries(
      forms.map(([own, stop, above], index) => [
        `form-${index}`,
        listing({ upgradeStops: [stop] }, own, stop, above),
      ]),
    ),
    forge: listing(forge, '14.0.12', '14.10.5', '15.0.5', '15.4.6', '16.3.9', '17.1.0', '17.3.7'),
  });
});

afterAll(() => served?.close());

function look(...pins: readonly Pin[]) {
  const { origin } = served;
  const configuration = { extends: [`${origin}/renovate.json`] };

  return runOverPins(pins, { origin, datasource: siteConfig.datasource }, configuration);
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

test('a version of any form reaches its stop, and then what is above it', async () => {
  const below = await look(...forms.map(([own], index): Pin => [`form-${index}`, own]));
  expect(below.problems).toEqual([]);
  expect(below.lookups.map(({ values }) => values)).toEqual(forms.map(([, stop]) => [stop]));

  const at = await look(...forms.map(([, stop], index): Pin => [`form-${index}`, stop]));
  expect(at.problems).toEqual([]);
  expect(at.lookups.map(({ values }) => values)).toEqual(forms.map(([, , above]) => [above]));
});
