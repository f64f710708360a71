import { describe, expect, test } from 'vitest';
import type { Definition } from '../../src/model/definition.ts';
import { renderPreset, renovateConfig } from '../../src/render/preset.ts';

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

const definition: Definition = {
  title: 'Tool',
  homepage: 'https://example.com/',
  changelogUrl: 'https://example.com/changelog',
  sources: [],
};

const withTemplate: Definition = {
  ...definition,
  releaseChangelogUrl: { template: 'https://example.com/changelog#{versionDashed}', since: '1.0' },
};

const byTemplate = "https://example.com/changelog#{{{encodeURIComponent (replace '\\.' '-' newVersion)}}}";

describe('the preset', () => {
  test('follows the newest supported version in the loose order, however far away', () => {
    expect(rules([])).toEqual([
      { matchDatasources: ['custom.things'], versioning: 'loose', followTag: 'latest' },
      { matchDatasources: ['custom.things'], maxMajorIncrement: 0 },
    ]);
  });

  test('links the changelog of the proposed version by template', () => {
    const latest = { version: '1.2', line: '1.2', changelogUrl: 'https://example.com/changelog#1-2' };

    expect(rulesOf({ definition: withTemplate, latest })).toEqual([{ changelogUrl: byTemplate }]);
  });

  test('links what upstream names for the newest version where that differs', () => {
    const latest = { version: '1.2', line: '1.2', changelogUrl: 'https://example.com/news/{{one}}' };

    expect(rulesOf({ definition: withTemplate, latest })).toEqual([
      { changelogUrl: byTemplate },
      { changelogUrl: 'https://example.com/news/%7B%7Bone%7D%7D' },
    ]);
    expect(rulesOf({ definition, latest })).toEqual([
      { changelogUrl: 'https://example.com/news/%7B%7Bone%7D%7D' },
    ]);
  });

  test('links the whole changelog where the template does not reach back to the newest version', () => {
    const latest = { version: '0.9', line: '0.9' };

    expect(rulesOf({ definition: withTemplate, latest })).toEqual([
      { changelogUrl: byTemplate },
      { changelogUrl: 'https://example.com/changelog' },
    ]);
    expect(rulesOf({ definition, latest })).toEqual([]);
  });

  test('switches a component off that has releases and none of them supported', () => {
    expect(rulesOf({ definition, releases: 3 })).toEqual([{ enabled: false }]);
    expect(rulesOf({ definition, releases: 0 })).toEqual([]);
  });
});

test('a configuration to copy holds nothing that the next release makes wrong', () => {
  const config = renovateConfig(site, [{ name: 'tool', definition: withTemplate }]);

  expect(config.packageRules).toEqual([
    { matchDatasources: ['custom.things'], versioning: 'loose', followTag: 'latest' },
    { matchDatasources: ['custom.things'], matchPackageNames: ['tool'], changelogUrl: byTemplate },
  ]);
});

type Components = Parameters<typeof renderPreset>[1];

function rules(components: Components): object[] {
  return (JSON.parse(renderPreset(site, components)) as { packageRules: object[] }).packageRules;
}

/** What the preset says of one component, without saying that it is about that. */
function rulesOf(component: Omit<Components[number], 'name' | 'releases'> & { releases?: number }): object[] {
  return rules([{ name: 'tool', releases: 1, ...component }])
    .filter((rule) => 'matchPackageNames' in rule)
    .map((rule) => {
      const { matchDatasources, matchPackageNames, ...rest } = rule as Record<string, unknown>;
      expect([matchDatasources, matchPackageNames]).toEqual([['custom.things'], ['tool']]);
      return rest;
    });
}
