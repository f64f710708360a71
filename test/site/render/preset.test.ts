import { describe, expect, test } from 'vitest';
import { compileExpression } from '../../../src/core/expression.ts';
import type { Definition } from '../../../src/core/schemas/definition.ts';
import type { RecordedRelease } from '../../../src/core/schemas/recorded.ts';
import type { Replacement } from '../../../src/decide/component.ts';
import { renderPreset, renovateConfig, type PresetComponent } from '../../../src/site/render/preset.ts';
import { componentOf, summariesOf } from './sites.ts';

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

const withTemplate: Partial<Definition> = {
  releaseChangelogUrl: { template: 'https://example.com/changelog#{versionDashed}', since: '1.0' },
};

const byTemplate = "https://example.com/changelog#{{{encodeURIComponent (replace '\\.' '-' newVersion)}}}";

const inComments = { matchManagers: ['custom.regex', 'custom.jsonata'] };

const general = [
  { matchDatasources: ['custom.things'], maxMajorIncrement: 0, rollbackPrs: false },
  { matchDatasources: ['custom.things'], ...inComments, versioning: 'loose' },
];

describe('the preset', () => {
  test('orders versions loosely, takes no leap for too far and follows no tag', () => {
    expect(configurationOf([]).packageRules).toEqual(general);
  });

  test('reads a comment where Renovate has no manager of its own, with an expression that RE2 runs', () => {
    const [manager] = configurationOf([]).customManagers;
    const { managerFilePatterns, matchStrings } = manager!;
    const expression = compileExpression(matchStrings![0]!);
    const found = (text: string) =>
      expression.match(`# renovate: datasource=custom.${text}`)?.['currentValue'];

    expect(managerFilePatterns).toContain('**/gradle.properties');
    expect(found('things depName=svc\nsvcVersion=2026.2')).toBe('2026.2');
    expect(found('things depName=svc\nsvcVersion=\n2026.2')).toBeUndefined();
    expect(found('others depName=svc\nsvcVersion=2026.2')).toBeUndefined();
    expect(found('things.2 depName=svc\nsvcVersion=2026.2')).toBeUndefined();
  });

  test('leaves deprecated releases out at the source', () => {
    const { transformTemplates } = configurationOf([]).customDatasources['things']!;

    expect(transformTemplates).toEqual(['$merge([$, {"releases": [releases[isDeprecated = false]]}])']);
  });

  test('links the changelog of the proposed version by template', () => {
    expect(rulesOf(withTemplate, [{ version: '1.2' }, { version: '1.3' }])).toEqual([
      { changelogUrl: byTemplate },
    ]);
    expect(rulesOf({}, [{ version: '1.2' }])).toEqual([]);
  });

  test('links what upstream names, for exactly the versions it names it for', () => {
    const releases = [
      { version: '1.2', changelogUrl: 'https://example.com/tag/v1.2' },
      { version: '1.3+a', changelogUrl: 'https://example.com/tag/v1.3%2Ba' },
      { version: '1.4', changelogUrl: 'https://example.com/notes#1-4' },
      { version: '1.5', changelogUrl: 'https://example.com/news/{{one}}' },
      { version: '1.6', deprecated: 'Broken.', changelogUrl: 'https://example.com/never-offered' },
    ];
    const stated = [
      {
        matchNewValue: '/^(?:1\\.2|1\\.3\\+a)$/',
        changelogUrl: 'https://example.com/tag/v{{{encodeURIComponent newVersion}}}',
      },
      {
        matchNewValue: '/^(?:1\\.4)$/',
        changelogUrl: "https://example.com/notes#{{{encodeURIComponent (replace '\\.' '-' newVersion)}}}",
      },
      { matchNewValue: '/^(?:1\\.5)$/', changelogUrl: 'https://example.com/news/%7B%7Bone%7D%7D' },
    ];

    expect(rulesOf({}, releases)).toEqual(stated);
    expect(rulesOf(withTemplate, releases)).toEqual([{ changelogUrl: byTemplate }, ...stated]);
  });

  test('links the whole changelog where the template does not reach back to the version', () => {
    expect(rulesOf(withTemplate, [{ version: '0.8' }, { version: '0.9' }, { version: '1.0' }])).toEqual([
      { changelogUrl: byTemplate },
      { matchNewValue: '/^(?:0\\.8|0\\.9)$/', changelogUrl: 'https://example.com/changelog' },
    ]);
  });

  test('says nothing of a component of which no release is supported', () => {
    expect(rulesOf({ support: { policy: 'ended' } }, [{ version: '1.0' }])).toEqual([]);
    expect(rulesOf({}, [])).toEqual([]);
  });

  test('proposes what replaces a component, beside its own versions while it has any', () => {
    const replacement = { name: 'other', version: '2.0', changelogUrl: 'https://example.com/{other}' };
    const rules = [
      { ...inComments, replacementName: 'other', replacementVersion: '2.0' },
      { matchUpdateTypes: ['replacement'], changelogUrl: 'https://example.com/%7Bother%7D' },
    ];

    expect(rulesOf({}, [{ version: '1.0' }], replacement)).toEqual(rules);
    expect(rulesOf({ support: { policy: 'ended' } }, [{ version: '1.0' }], replacement)).toEqual([
      { versioning: 'regex:^(?<major>none)$', ...rules[0] },
      rules[1],
    ]);
  });
});

test('a configuration to copy is the preset without its description', () => {
  const components = summariesOf(componentOf([{ version: '1.0' }], withTemplate));
  const { description, $schema, ...preset } = JSON.parse(renderPreset(site, components)) as Record<
    string,
    unknown
  >;

  expect([description, $schema]).toEqual([
    ['Keeps the components of Releases up to date.'],
    expect.any(String),
  ]);
  expect(renovateConfig(site, components)).toEqual(preset);
});

type Configuration = ReturnType<typeof renovateConfig>;

function configurationOf(components: readonly PresetComponent[]): Configuration {
  return JSON.parse(renderPreset(site, components)) as Configuration;
}

/** What the preset says of one component, without saying that it is about that. */
function rulesOf(
  definition: Partial<Definition>,
  releases: readonly RecordedRelease[],
  replacement?: Replacement,
): object[] {
  const [summary] = summariesOf(componentOf(releases, { changelogUrl, ...definition }));
  const component = replacement ? { ...summary!, replacement } : summary!;
  const rules = configurationOf([component]).packageRules;
  expect(rules.slice(0, general.length)).toEqual(general);
  return rules.slice(general.length).map((rule) => {
    const { matchDatasources, matchPackageNames, ...rest } = rule as Record<string, unknown>;
    expect([matchDatasources, matchPackageNames]).toEqual([['custom.things'], ['svc']]);
    return rest;
  });
}
