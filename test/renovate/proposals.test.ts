import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import site from '../fixtures/index/site/site.json' with { type: 'json' };
import { runRenovate, type Run } from './client.ts';
import {
  dockerfile,
  expectedProposals,
  looseVersioning,
  newestSupported,
  pinsOf,
  type Versioning,
} from './pins.ts';
import { buildAndServe, writeFolder, type ServedSite } from './site.ts';

let loose: Versioning;

beforeAll(async () => {
  loose = await looseVersioning();
});

describe('the components of an ordinary index', () => {
  let served: ServedSite;
  let pins: (readonly [component: string, version: string])[];
  let run: Run;

  beforeAll(async () => {
    served = await buildAndServe();
    ({ pins, run } = await pinEverything(served));
  });

  afterAll(() => served?.close());

  test('are each proposed in exactly their newest supported version, to every version ever published and to some unknown', () => {
    expect(proposals(run)).toEqual(expected(served, pins));
  });

  test('are never proposed in a deprecated version', () => {
    const deprecated = run.lookups.flatMap(({ component, pin, proposed }) =>
      proposed
        .filter((version) => releaseOf(served, component, version)?.isDeprecated !== false)
        .map((version) => `${component}: ${pin} to ${version}`),
    );

    expect(deprecated).toEqual([]);
  });

  test('cover what is to be proved: supported, deprecated and unknown pins, and a component that is no longer supported', () => {
    const kinds = new Set(pins.map(([component, pin]) => releaseOf(served, component, pin)?.isDeprecated));
    const withoutNewest = [...served.components.values()].filter(
      (file) => file.releases.length > 0 && !file.tags,
    );

    expect(kinds).toEqual(new Set([false, true, undefined]));
    expect(withoutNewest).not.toEqual([]);
  });

  test('are read without a warning, and from this site alone', () => {
    expect(run.problems).toEqual([]);
    expect(run.lookups.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(run.attempts).toEqual([]);
    expect(served.requests.filter((path) => !servedFiles(served).has(path))).toEqual([]);
  });
});

describe('components as they may come to be', () => {
  const definitions: Record<string, object> = {
    // The newest two releases turned out bad: a pin on one of them is ahead of the newest supported version.
    'bad-head': { deprecated: [{ versions: ['3.4.1', '3.4.2'], reason: 'Loses data.' }] },
    calendar: { support: { policy: 'latest-lines', count: 3 } },
    candidates: { prereleases: true },
    ended: { support: { policy: 'ended', reason: 'Replaced.' } },
    'many-groups': {},
    'only-candidates': { prereleases: true },
    prefixed: {},
    undated: {},
  };
  const versions: Record<string, string[]> = {
    'bad-head': ['3.3.0', '3.4.0', '3.4.1', '3.4.2'],
    calendar: ['2023.1', '2023.2', '2024.1', '2024.1.7', '2024.2', '2024.10', '2025.1', '2025.1.1'],
    candidates: ['1.8.0', '1.9.0', '2.0.0-rc-2', '2.0.0-rc-10'],
    ended: ['1.0', '1.1', '2.0'],
    'many-groups': ['1.2.3.4.5.6', '1.2.3.4.5.10', '1.2.3.4.5.10-jre'],
    'only-candidates': ['1.0.0-alpha.1', '1.0.0-beta.1'],
    prefixed: ['v1.2', 'v1.10', '1.9'],
    undated: ['1.0', '1.1'],
  };
  let root: string;
  let served: ServedSite;
  let pins: (readonly [component: string, version: string])[];
  let run: Run;

  beforeAll(async () => {
    const files = Object.entries(definitions).flatMap(([name, definition]) => [
      [`components/${name}.json`, JSON.stringify({ ...common, ...definition })],
      [`data/${name}.json`, JSON.stringify({ releases: versions[name]!.map((version) => ({ version })) })],
    ]);
    root = writeFolder(Object.fromEntries(files) as Record<string, string>);
    served = await buildAndServe(root);
    ({ pins, run } = await pinEverything(served));
  });

  afterAll(async () => {
    await served?.close();
    rmSync(root, { recursive: true, force: true });
  });

  test('are proposed in exactly their newest supported version', () => {
    expect(proposals(run)).toEqual(expected(served, pins));
    expect(run.problems).toEqual([]);
  });

  test.each([
    ['bad-head', '3.3.0', ['3.4.0']],
    ['bad-head', '3.4.1', []],
    ['calendar', '2023.1', ['2025.1.1']],
    ['candidates', '1.8.0', ['1.9.0']],
    ['candidates', '2.0.0-rc-2', []],
    ['ended', '1.0', []],
    ['many-groups', '1.2.3.4.5.6', ['1.2.3.4.5.10']],
    ['only-candidates', '1.0.0-alpha.1', []],
    ['prefixed', '1.9', ['v1.10']],
    ['undated', '1.0', ['1.1']],
  ])('%s at %s is proposed %j', (component, pin, expectedVersions) => {
    const lookup = run.lookups.find((lookup) => lookup.component === component && lookup.pin === pin);

    expect(lookup?.proposed).toEqual(expectedVersions);
  });
});

const common = {
  title: 'Component',
  homepage: 'https://example.com/',
  changelogUrl: 'https://example.com/changelog',
  sources: [],
};

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
  return lookups.map(({ component, pin, proposed }) => `${component}: ${pin} to ${proposed.join(', ')}`);
}

function expected(served: ServedSite, pins: readonly (readonly [string, string])[]): string[] {
  return pins.map(([component, pin]) => {
    const newest = newestSupported(served.components.get(component)!, loose);
    return `${component}: ${pin} to ${expectedProposals(pin, newest, loose).join(', ')}`;
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
