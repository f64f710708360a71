import { afterAll, beforeAll, expect, test } from 'vitest';
import site from '../fixtures/index/site/site.json' with { type: 'json' };
import { runRenovate, type Run } from './client.ts';
import { dockerfile, expectedProposals, looseVersioning, pinsOf, type Versioning } from './pins.ts';
import { buildAndServe, type ServedSite } from './site.ts';

let loose: Versioning;
let served: ServedSite;
let pins: (readonly [component: string, version: string])[];
let run: Run;

beforeAll(async () => {
  loose = await looseVersioning();
  served = await buildAndServe();
  ({ pins, run } = await pinEverything(served));
});

afterAll(() => served?.close());

test('Renovate proposes to each pin the newest supported version of its own major and of all', () => {
  expect(proposals(run)).toEqual(expected(served, pins));
});

test('Renovate never proposes a deprecated version', () => {
  const deprecated = run.lookups.flatMap(({ component, pin, proposed }) =>
    proposed
      .filter((version) => releaseOf(served, component, version)?.isDeprecated !== false)
      .map((version) => `${component}: ${pin} to ${version}`),
  );

  expect(deprecated).toEqual([]);
});

test('the pins are supported, deprecated and unknown, and one component is no longer supported', () => {
  const kinds = new Set(pins.map(([component, pin]) => releaseOf(served, component, pin)?.isDeprecated));
  const withoutNewest = [...served.components.values()].filter(
    (file) => file.releases.length > 0 && !file.tags,
  );

  expect(kinds).toEqual(new Set([false, true, undefined]));
  expect(withoutNewest).not.toEqual([]);
});

test('Renovate reads the files without a warning, and asks no other host', () => {
  expect(run.problems).toEqual([]);
  expect(run.lookups.flatMap(({ warnings }) => warnings)).toEqual([]);
  expect(run.attempts).toEqual([]);
  expect(served.requests.filter((path) => !servedFiles(served).has(path))).toEqual([]);
});

/** Nothing is configured but the preset. */
async function pinEverything(served: ServedSite): Promise<{ pins: (readonly [string, string])[]; run: Run }> {
  const pins = [...served.components].flatMap(([component, file]) =>
    pinsOf(file).map((version) => [component, version] as const),
  );
  const run = await runRenovate(
    {
      'renovate.json': JSON.stringify({ extends: [`${served.origin}/renovate.json`] }),
      Dockerfile: dockerfile(site.datasource, pins),
    },
    { origin: served.origin, datasource: site.datasource },
  );
  return { pins, run };
}

function proposals({ lookups }: Run): string[] {
  return lookups.map(
    ({ component, pin, proposed }) => `${component}: ${pin} to ${proposed.toSorted().join(', ')}`,
  );
}

function expected(served: ServedSite, pins: readonly (readonly [string, string])[]): string[] {
  return pins.map(([component, pin]) => {
    const proposed = expectedProposals(pin, served.components.get(component)!, loose);
    return `${component}: ${pin} to ${proposed.toSorted().join(', ')}`;
  });
}

function releaseOf(
  served: ServedSite,
  component: string,
  version: string,
): { isDeprecated: boolean } | undefined {
  return served.components.get(component)!.releases.find((release) => release.version === version);
}

function servedFiles({ components }: ServedSite): Set<string> {
  return new Set(['/renovate.json', ...Array.from(components.keys(), (name) => `/${name}.json`)]);
}
