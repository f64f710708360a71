import { afterAll, beforeAll, expect, test } from 'vitest';
import site from '../fixtures/index/site/site.json' with { type: 'json' };
import { expectedProposals, looseVersioning, pinsOf, runOverPins } from './pins.ts';
import { buildAndServe, type ServedSite } from './site.ts';

let served: ServedSite;

beforeAll(async () => {
  served = await buildAndServe();
});

afterAll(() => served?.close());

test('Renovate proposes to each pin the newest supported version of its own major and of all', async () => {
  const loose = await looseVersioning();
  const pins = [...served.components].flatMap(([component, file]) =>
    pinsOf(file).map((version) => [component, version] as const),
  );

  const run = await runOverPins(pins, { origin: served.origin, datasource: site.datasource });

  const found = run.lookups.map(
    ({ component, pin, proposed }) => `${component}: ${pin} to ${proposed.toSorted().join(', ')}`,
  );
  const expected = pins.map(([component, pin]) => {
    const proposed = expectedProposals(pin, served.components.get(component)!, loose);
    return `${component}: ${pin} to ${proposed.toSorted().join(', ')}`;
  });
  expect(found).toEqual(expected);
  const kinds = pins.map(([component, pin]) => {
    const { releases } = served.components.get(component)!;
    return releases.find(({ version }) => version === pin)?.isDeprecated;
  });
  expect(new Set(kinds)).toEqual(new Set([false, true, undefined]));
  expect(run.problems).toEqual([]);
  expect(run.lookups.flatMap(({ warnings }) => warnings)).toEqual([]);
  expect(run.attempts).toEqual([]);
  const files = new Set([
    '/renovate.json',
    ...Array.from(served.components.keys(), (name) => `/${name}.json`),
  ]);
  expect(served.requests.filter((path) => !files.has(path))).toEqual([]);
});
