import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import jsonata from 'jsonata';
import { describe, expect, test } from 'vitest';
import { readBaseUrl } from '../../../../src/deliver/publish/live.ts';
import type { TypedSource } from '../../../../src/record/sources/index.ts';
import type { Definition } from '../../../../src/core/schemas/definition/definition.ts';
import type { RecordedRelease } from '../../../../src/core/schemas/recorded/recorded.ts';
import type { Component } from '../../../../src/decide/component.ts';
import type { ComponentSummary } from '../../../../src/decide/component-summary.ts';
import { renderDaysPreset } from '../../../../src/site/render/renovate/days-preset.ts';
import { renderPreset, type PresetComponent } from '../../../../src/site/render/renovate/preset.ts';
import {
  applyRules,
  describePullRequest,
  fillTemplate,
  type PinnedDependency,
} from '../../../harness/pull-request.ts';
import { temporaryFolder, writeIn } from '../../../harness/root.ts';
import { componentOf, summariesOf } from '../sites.ts';

const site = {
  baseUrl: 'https://releases.example.org',
  config: {
    title: 'Releases',
    description: 'All releases.',
    datasource: 'things',
    releasesUrl: 'https://releases.example.org',
    repositoryUrl: 'https://example.org/repository',
    staleAfterDays: 3,
  },
};

const changelogUrl = 'https://example.com/changelog';

describe('the preset', () => {
  test('has no rule for a component without releases', () => {
    expect(rulesOf({}, [])).toEqual([]);
  });

  test('labels versions of ended lines, and of no others', async () => {
    const lines = {
      '4': '2025-01-01',
      '2024.2': '2025-01-01',
      '2024.3': '2025-06-01',
      '2025.1': '2026-01-01',
      '2025.2': '2030-01-01',
    };
    const support = { policy: 'dated' as const, lines: { ...lines, '4.2': '2030-01-01' } };
    const releases = [...Object.keys(lines), '4.1', '4.2'].map((version) => ({ version }));

    const labelled = async (version: string) => {
      const labels = await labelsOf(componentOf(releases, { changelogUrl, support }), version);
      return labels.includes('unsupported');
    };

    for (const version of [
      '2024.3.4',
      'v2025.1',
      '2025.01',
      '2025.1-alpine',
      '4',
      '4-jre',
      '4.1',
    ]) {
      expect([version, await labelled(version)]).toEqual([version, true]);
    }
    for (const version of ['2024.1', '2025.2', '2025.10', '20241', '4.2', '^2024.1']) {
      expect([version, await labelled(version)]).toEqual([version, false]);
    }
  });

  test('labels single versions, with and without a last zero', async () => {
    const component = componentOf(
      ['1.0.0', '1.0.1', '1.1'].map((version) => ({ version })),
      {
        changelogUrl,
        advisories: [{ id: 'CVE-2026-1', affected: '=1.0.0 || =1.1' }],
      },
    );

    expect(await labelsOf(component, 'v1.0')).toEqual(['security']);
    expect(await labelsOf(component, '1.0.0')).toEqual(['security']);
    expect(await labelsOf(component, '1.1.0')).toEqual(['security']);
    expect(await labelsOf(component, '1.0.1')).toEqual([]);
  });

  test('has at most 200 kB with 403 components, and few rules', () => {
    const components = Array.from({ length: 403 }, (_, index) => {
      const name = `component-${index}`;
      const releases = Array.from({ length: 24 }, (_, place) => ({
        version: `${2020 + Math.floor(place / 4)}.${1 + (place % 4)}`,
        releaseTimestamp: `${2020 + Math.floor(place / 4)}-${String(1 + 3 * (place % 4)).padStart(2, '0')}-01`,
      }));
      const definition = {
        changelogUrl,
        support: { policy: 'term' as const, months: 18 },
        sources: [{ datasource: 'docker' as const, packageName: `example/${name}` }],
      };

      return summariesOf(componentOf(releases, definition, { name }))[0]!;
    });

    expect(renderPreset(site, components).length).toBeLessThanOrEqual(200_000);
    expect(configurationOf(components).packageRules.length).toBeLessThan(30);
  });

  test('proposes a replacement only below comments, and links its changelog without braces', () => {
    const changelogUrl = 'https://example.com/{other}';
    const replacement = { name: 'other', title: 'Other', version: '2.0', changelogUrl };
    const matchManagers = ['custom.regex', 'custom.jsonata'];

    expect(rulesOf({}, [{ version: '1.0' }], replacement)).toEqual([
      { matchManagers, replacementName: 'other', replacementVersion: '2.0' },
      { matchUpdateTypes: ['replacement'], changelogUrl: 'https://example.com/%7Bother%7D' },
    ]);
  });
});

describe('a version below a comment', () => {
  /** The options that the preset of a component gives it, as Renovate merges them. */
  const optionsOf = (component: Component, dependency: Partial<PinnedDependency>) =>
    applyRules(configurationOf(summariesOf(component)), {
      ...{ manager: 'custom.regex', datasource: 'custom.things', packageName: 'svc' },
      ...{ currentValue: '1.0', ...dependency },
    });
  const released = (...versions: string[]) =>
    componentOf(
      versions.map((version) => ({ version })),
      { changelogUrl },
    );

  test.each([
    ['1.1', '1.0', '1.0', ''],
    ['1.1', 'v1.0', '1.0', ''],
    ['1.1', '1.0-rc-1', '1.0-rc-1', ''],
    ['1.1', 'v1.0-alpine', '1.0', '-alpine'],
    ['v1.1', 'v1.0', 'v1.0', ''],
    ['v1.1', 'v1.0-alpine', 'v1.0', '-alpine'],
    ['1.1+k3s1', '1.0+k3s1', '1.0+k3s1', ''],
    ['v1.1+k3s1', 'v1.0+k3s1', 'v1.0+k3s1', ''],
  ])('where %s is the latest, %s is compared as %s, with %j', async (latest, value, ...parts) => {
    const options = await optionsOf(released(latest), { currentValue: value });
    const { version, compatibility = '' } = new RegExp(
      String(options['versionCompatibility']),
    ).exec(value)!.groups!;

    expect([version, compatibility]).toEqual(parts);
    expect(options).toMatchObject({
      ...{ versioning: 'loose', maxMajorIncrement: 0, rollbackPrs: false, pinDigests: false },
      changelogUrl: 'https://releases.example.org/{{{packageName}}}.html#v{{{newVersion}}}',
    });
    expect(options).not.toHaveProperty('enabled');
  });

  test.each([
    ['1.2.3+rke2r1', String.raw`^[vV]?(?<version>.+)$`],
    ['v1.2.3+rke2r1', '^(?<version>.+)$'],
    ['1.2.3-alpine', String.raw`^[vV]?(?<version>\d+(?:\.\d+)*)(?<compatibility>.*)$`],
    ['v1.2.3-alpine', String.raw`^(?<version>[vV]?\d+(?:\.\d+)*)(?<compatibility>.*)$`],
  ])('is compared with its suffix only if this has a number, as %s', async (version, expected) => {
    expect(await optionsOf(released(version), { currentValue: version })).toMatchObject({
      versionCompatibility: expected,
    });
  });

  test('is left alone with a digest', async () => {
    const currentValue = '1.0@sha256:abc';

    expect(await optionsOf(released('1.1'), { currentValue })).toMatchObject({ enabled: false });
  });

  test('does not wait for a fix that its definition states', async () => {
    const advisories = [{ id: 'CVE-2026-1', affected: '<1.1', fixed: ['1.1'] }];
    const component = componentOf(
      ['v1.0', 'v1.1', 'v1.2'].map((version) => ({ version })),
      { changelogUrl, advisories },
    );
    const ageOf = async (dependency: Partial<PinnedDependency>) =>
      (await optionsOf(component, dependency))['minimumReleaseAge'];

    for (const version of ['v1.1', '1.1']) {
      expect(await ageOf({ version })).toBe('0 days');
      expect(await ageOf({ newVersion: version })).toBe('0 days');
    }
    expect(await ageOf({ version: '1.2', newVersion: '1.2' })).toBeUndefined();
  });

  test('reaches the newest release by its stops, also by deprecated ones', async () => {
    const component = componentOf(
      ['1.0', '2.0', '2.1', '3.0.2', '4.0'].map((version) => ({ version })),
      {
        changelogUrl,
        upgradeStops: ['2.1', '3.0.2'],
        deprecated: [{ versions: ['2.0', '2.1'], reason: 'Old' }],
      },
    );
    const optionsFrom = async (currentValue: string) => {
      const { allowedVersions, ignoreDeprecated } = await optionsOf(component, { currentValue });
      return [allowedVersions, ignoreDeprecated];
    };
    const { customDatasources } = configurationOf(summariesOf(component));
    const releases = ['2.0', '2.1', '3.0'].map((version) => ({
      version,
      isDeprecated: version < '3',
    }));
    const offered = async (packageName: string): Promise<string[]> => {
      const [template] = customDatasources['things']!.transformTemplates;
      const expression = fillTemplate(template, { packageName });
      const { releases: kept } = (await jsonata(expression).evaluate({ releases })) as {
        releases: typeof releases | (typeof releases)[0];
      };
      return [kept].flat().map(({ version }) => version);
    };

    expect(await optionsFrom('1.0')).toEqual(['<=2.1', false]);
    expect(await optionsFrom('2.0.9')).toEqual(['<=2.1', false]);
    expect(await optionsFrom('v2.1')).toEqual(['<=3.0.2', undefined]);
    expect(await optionsFrom('3.0.1')).toEqual(['<=3.0.2', undefined]);
    expect(await optionsFrom('3.0.2')).toEqual([undefined, undefined]);
    expect(await offered('svc')).toEqual(['2.1', '3.0']);
    // Another component may have the same addresses.
    expect(await offered('agent')).toEqual(['3.0']);
  });

  test.each(['7', '1.20240101', '20240101.1', '1.2.20240101123456789'])(
    'reaches its stop from a version with a day as a number, %s',
    async (currentValue) => {
      const stop = `${Number.parseInt(currentValue, 10) + 1}.0`;
      const versions = [currentValue, stop, '99999999.0'].map((version) => ({ version }));
      const component = componentOf(versions, { upgradeStops: [stop] });

      const { allowedVersions } = await optionsOf(component, { currentValue });
      expect(allowedVersions).toBe(`<=${stop}`);
      expect(await optionsOf(component, { currentValue: stop })).not.toHaveProperty(
        'allowedVersions',
      );
    },
  );

  test.each([
    ['2025.1-alpine3.19', '2025.1.1'],
    ['2025.1-rc2', '2025.1.1'],
    ['1.2.3.4.5.6', '1.2.3.4.5.7'],
  ])('at %s, goes to the stop %s first', async (currentValue, stop) => {
    const versions = [currentValue, stop, '9999.0'].map((version) => ({ version }));
    const component = componentOf(versions, { upgradeStops: [stop] });

    expect(await optionsOf(component, { currentValue })).toHaveProperty('allowedVersions');
    expect(await optionsOf(component, { currentValue: stop })).not.toHaveProperty(
      'allowedVersions',
    );
  });

  // test/renovate/every-stop.test.ts has the answers of Renovate.
  test.each([
    ['v1.2.3', '<=1.2.3'],
    ['1.2.3+k3s1', '<=1.2.3'],
    ['2024.04.1', String.raw`/^v?2024\.04\.1$/i`],
    ['1.2.3.4', String.raw`/^v?1\.2\.3\.4$/i`],
    ['4.2.0.Final', String.raw`/^v?4\.2\.0(?:\.Final)?$/i`],
  ])('may go up to %s by %s', async (stop, allowed) => {
    const component = componentOf([{ version: '0.1' }, { version: stop }], {
      upgradeStops: [stop],
    });

    const { allowedVersions } = await optionsOf(component, { currentValue: '0.1' });
    expect(allowedVersions).toBe(allowed);
  });

  test.each([
    ['1.1', undefined],
    ['1.1-alpine', false],
    ['v4.2.0.Final', false],
  ])('is compared with the tag of the latest, %s, unless this has a suffix', async (...row) => {
    const [latest, expected] = row;
    const options = await optionsOf(released(latest), { currentValue: '1.0' });
    expect(options['respectLatest']).toBe(expected);
  });

  test('is not looked up where only a replacement has a version to use', () => {
    const replacement = { name: 'other', title: 'Other', version: 'v2.0', changelogUrl };

    expect(rulesOf({}, [{ version: '1.0', deprecated: 'Old' }], replacement)[0]).toMatchObject({
      versioning: 'regex:^(?<major>none)$',
      replacementVersion: '2.0',
    });
  });

  test.each([
    [`# renovate: datasource=custom.things depName=svc\nSVC=1.0`, { currentValue: '1.0' }],
    [
      `# renovate: datasource=custom.things depName=svc\nsvc: "v1.0" # it`,
      { currentValue: 'v1.0' },
    ],
    [
      `# renovate: datasource=custom.things depName=a packageName=svc versioning=x extractVersion=y\n\${A:-1.0}`,
      {
        depName: 'a',
        packageName: 'svc',
        versioning: 'x',
        extractVersion: 'y',
        currentValue: '1.0',
      },
    ],
    [
      `// renovate: datasource=custom.things depName=svc\n"@acme/svc": "1.0"`,
      { currentValue: '1.0' },
    ],
    [
      `# renovate: datasource=custom.things depName=svc\nurl: https://user@host/svc V=1.0`,
      { currentValue: '1.0' },
    ],
    [`# renovate: datasource=custom.things depName=svc\nimage: svc:1.0@sha256:abc`, undefined],
    [`# renovate: datasource=custom.things depName=svc\nimage: svc@sha256:1.0`, undefined],
    [`# renovate: datasource=custom.things depName=svc\nimage: svc:v1@sha256:1`, undefined],
    [`# renovate: datasource=docker depName=svc\nSVC=1.0`, undefined],
  ])('is read from %j', (text, expected) => {
    const { customManagers, extends: managers } = configurationOf([]);
    const [manager] = customManagers;
    const groups = new RegExp(manager.matchStrings[0]).exec(text)?.groups;

    expect(groups && { ...groups }).toEqual(
      expected && expect.objectContaining({ datasource: 'custom.things', ...expected }),
    );
    expect(managers).toContain('customManagers:dockerfileVersions');
  });
});

test('the address of a site is read from its preset', () => {
  const folder = temporaryFolder();

  expect(readBaseUrl(folder)).toBeUndefined();
  writeIn(folder, 'renovate.json', configurationOf([]));
  expect(readBaseUrl(folder)).toBe(site.baseUrl);
  writeIn(folder, 'renovate.json', {
    customDatasources: { x: { defaultRegistryUrlTemplate: 'https://releases.example.com/x' } },
  });
  expect(() => readBaseUrl(folder)).toThrow(
    'expected an address that ends with /{{packageName}}.json; got "https://releases.example.com/x"',
  );
  writeFileSync(join(folder, 'renovate.json'), '{"$schema":');
  expect(() => readBaseUrl(folder)).toThrow('renovate.json');
});

describe('the rule for the images of a component', () => {
  const image = {
    datasource: 'docker' as const,
    packageName: 'example/edge-node',
    registryUrl: 'https://ghcr.io',
  } satisfies TypedSource;
  const page = {
    datasource: 'page' as const,
    url: 'https://example.com/',
    matchStrings: ['(?<version>.+)'],
  } satisfies TypedSource;
  const rulesFor = (...components: Component[]) =>
    (JSON.parse(renderDaysPreset(site, summariesOf(...components))) as { packageRules: object[] })
      .packageRules;
  const ruleOf = (releases: readonly RecordedRelease[], definition: Partial<Definition>) =>
    rulesFor(componentOf(releases, { changelogUrl, ...definition }, { name: 'edge-node' }))[0];
  const fromImage = { version: '1.2', source: 'docker:example/edge-node' };

  test.each<[string, readonly RecordedRelease[], Partial<Definition>]>([
    ['all releases come from the package', [fromImage], { sources: [image, page] }],
    ['nothing was gathered yet from its only source', [{ version: '1.2' }], { sources: [image] }],
    [
      'only releases older than the package come from elsewhere',
      [{ version: '1.1', source: 'page:x' }, fromImage],
      { sources: [image, page] },
    ],
    [
      'a release is also listed elsewhere',
      [{ ...fromImage, source: 'page:x', alsoListedBy: [fromImage.source] }],
      { sources: [page, image] },
    ],
  ])('reads the index if %s', (_why, releases, definition) => {
    expect(ruleOf(releases, definition)).toMatchObject({
      matchDatasources: ['docker'],
      matchPackageNames: ['ghcr.io/example/edge-node'],
      matchCurrentValue: '/^\\d+\\.\\d+$/',
      overrideDatasource: 'custom.things',
      overridePackageName: 'edge-node',
    });
  });

  test.each<[string, readonly RecordedRelease[], Partial<Definition>]>([
    [
      'a release in use comes from elsewhere',
      [fromImage, { version: '1.3', source: 'page:x' }],
      { sources: [image, page] },
    ],
    [
      'a release in use was recorded by hand',
      [fromImage, { version: '1.3' }],
      { sources: [image] },
    ],
    [
      'nothing was gathered yet from several sources',
      [{ version: '1.2' }],
      { sources: [image, page] },
    ],
    [
      'versions are taken out of what is listed',
      [fromImage],
      { sources: [{ ...image, extractVersion: 'v(?<version>.+)' }] },
    ],
    [
      'Docker Hub states the days itself',
      [{ version: '1.2' }],
      { sources: [{ ...image, registryUrl: 'https://registry-1.docker.io' }] },
    ],
    [
      'it is at Docker Hub without an address',
      [{ version: '1.2' }],
      { sources: [{ datasource: 'docker', packageName: 'example/node' }] },
    ],
    [
      'another registry has an address',
      [{ version: '1.2' }],
      { sources: [{ datasource: 'helm', packageName: 'node', registryUrl: 'https://ghcr.io' }] },
    ],
    [
      'another registry states the days itself',
      [{ version: '1.2' }],
      { sources: [{ datasource: 'npm', packageName: 'edge-node' }] },
    ],
    ['the source knows no package', [{ version: '1.2' }], { sources: [page] }],
    ['no release is in use', [{ ...fromImage, deprecated: 'Broken' }], { sources: [image] }],
  ])('is left out where %s', (_why, releases, definition) => {
    expect(ruleOf(releases, definition)).toBeUndefined();
  });

  test('names the component of each of many', async () => {
    const names = ['one', 'two', 'three'];
    const packageRules = rulesFor(
      ...names.map((name) => {
        const sources = [{ ...image, packageName: `example/${name}` }];
        return componentOf([{ version: '1.2' }], { changelogUrl, sources }, { name });
      }),
    );

    expect(packageRules).toHaveLength(1);
    for (const name of names) {
      const dependency = { datasource: 'docker', packageName: `ghcr.io/example/${name}` };
      const options = await applyRules({ packageRules }, { ...dependency, currentValue: '1.1' });
      expect(fillTemplate(String(options['overridePackageName']), dependency)).toBe(name);
    }
  });
});

interface Configuration {
  readonly extends: readonly string[];
  readonly customManagers: readonly [{ matchStrings: [string]; managerFilePatterns: string[] }];
  readonly customDatasources: Record<string, { transformTemplates: [string] }>;
  readonly packageRules: object[];
}

function configurationOf(components: readonly PresetComponent[]): Configuration {
  return JSON.parse(renderPreset(site, components)) as Configuration;
}

/** The labels for a version below a comment. */
async function labelsOf(component: Component, currentVersion: string): Promise<string[]> {
  const configuration = configurationOf(summariesOf(component));
  const dependency = { datasource: 'custom.things', packageName: 'svc', currentVersion };
  const { labels, note } = await describePullRequest(configuration, {
    ...dependency,
    currentValue: currentVersion,
  });
  // No label without its sentence.
  expect(note !== '' || labels.length === 0).toBe(true);

  return labels;
}

/** The rules for one component, beside the one that names it, without their conditions on datasource and name. */
function rulesOf(
  definition: Partial<Definition>,
  releases: readonly RecordedRelease[],
  replacement?: ComponentSummary['replacement'],
): object[] {
  const [summary] = summariesOf(componentOf(releases, { changelogUrl, ...definition }));
  const component = replacement ? { ...summary!, replacement } : summary!;
  const rules = configurationOf([component]).packageRules.filter(
    (rule) => 'matchPackageNames' in rule && !('prBodyDefinitions' in rule),
  );
  return rules.map((rule) => {
    const { matchDatasources, matchPackageNames, ...rest } = rule as Record<string, unknown>;
    expect([matchDatasources, matchPackageNames]).toEqual([['custom.things'], ['svc']]);
    return rest;
  });
}
