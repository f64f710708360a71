import { describe, expect, test } from 'vitest';
import { compileExpression } from '../../../src/core/text/expression.ts';
import type { Source } from '../../../src/record/sources/index.ts';
import type { Definition } from '../../../src/core/schemas/definition/definition.ts';
import type { RecordedRelease } from '../../../src/core/schemas/recorded/recorded.ts';
import type { Replacement } from '../../../src/decide/component.ts';
import {
  renderPreset,
  type PresetComponent,
  type renovateConfig,
} from '../../../src/site/render/renovate/preset.ts';
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

describe('the preset', () => {
  test('has no rule for a component without releases', () => {
    expect(rulesOf({}, [])).toEqual([]);
  });

  test('labels versions of ended lines, by major version where all its lines have ended', () => {
    const lines = {
      '4': '2025-01-01',
      '2024.2': '2025-01-01',
      '2024.3': '2025-06-01',
      '2025.1': '2026-01-01',
      '2025.2': '2030-01-01',
    };
    const support = { policy: 'dated' as const, lines };
    const rules = configurationOf(
      summariesOf(
        componentOf(
          [...Object.keys(lines), '4.1', '4.2'].map((version) => ({ version })),
          { changelogUrl, support: { ...support, lines: { ...lines, '4.2': '2030-01-01' } } },
        ),
      ),
    ).packageRules as { matchCurrentVersion?: string; addLabels?: string[]; prPriority?: number }[];
    const rule = rules.find(({ addLabels }) => addLabels?.includes('unsupported'))!;
    const expression = compileExpression(rule.matchCurrentVersion!.slice(1, -1));

    expect(rule.prPriority).toBe(5);
    expect(rule.matchCurrentVersion).toContain('(?:2024)(?:\\D|$)');
    const versions = [
      '2024.1',
      '2024.3.4',
      'v2025.1',
      '2025.01',
      '2025.1-alpine',
      '2025.2',
      '2025.10',
    ];
    expect(
      [...versions, '20241', '4', '4-jre', '4.2'].filter((version) => expression.test(version)),
    ).toEqual(['2024.1', '2024.3.4', 'v2025.1', '2025.01', '2025.1-alpine', '4', '4-jre']);
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

describe('the rule for the packages of a component', () => {
  const npm = { datasource: 'npm' as const, packageName: '@example/edge-node' } satisfies Source;
  const page = {
    datasource: 'page' as const,
    url: 'https://example.com/',
    matchStrings: ['(?<version>.+)'],
  } satisfies Source;
  const ruleOf = (releases: readonly RecordedRelease[], definition: Partial<Definition>) => {
    const [component] = summariesOf(
      componentOf(releases, { changelogUrl, ...definition }, { name: 'edge-node' }),
    );
    const rules = configurationOf([component!]).packageRules as { overrideDatasource?: string }[];
    return rules.find(({ overrideDatasource }) => overrideDatasource !== undefined);
  };
  const fromNpm = { version: '1.2', source: 'npm:@example/edge-node' };

  test.each<[string, readonly RecordedRelease[], Partial<Definition>]>([
    ['all releases come from the package', [fromNpm], { sources: [npm, page] }],
    ['nothing was gathered yet from its only source', [{ version: '1.2' }], { sources: [npm] }],
    [
      'only releases older than the package come from elsewhere',
      [{ version: '1.1', source: 'page:x' }, fromNpm],
      { sources: [npm, page] },
    ],
    [
      'a release is also listed elsewhere',
      [{ ...fromNpm, source: 'page:x', alsoListedBy: [fromNpm.source] }],
      { sources: [page, npm] },
    ],
  ])('lets its managers read the index if %s', (_why, releases, definition) => {
    expect(ruleOf(releases, definition)).toMatchObject({ overridePackageName: 'edge-node' });
  });

  test.each<[string, readonly RecordedRelease[], Partial<Definition>]>([
    [
      'a release in use comes from elsewhere',
      [fromNpm, { version: '1.3', source: 'page:x' }],
      { sources: [npm, page] },
    ],
    ['a release in use was recorded by hand', [fromNpm, { version: '1.3' }], { sources: [npm] }],
    [
      'nothing was gathered yet from several sources',
      [{ version: '1.2' }],
      { sources: [npm, page] },
    ],
    [
      'versions are taken out of what is listed',
      [fromNpm],
      { sources: [{ ...npm, extractVersion: 'v(?<version>.+)' }] },
    ],
    [
      'versions are those of what is in a chart',
      [{ version: '1.2' }],
      {
        sources: [
          {
            datasource: 'helm',
            packageName: 'a',
            registryUrl: 'https://a.example.com',
            field: 'appVersion',
          },
        ],
      },
    ],
    ['the source knows no package', [{ version: '1.2' }], { sources: [page] }],
    ['no release is in use', [{ ...fromNpm, deprecated: 'Broken' }], { sources: [npm] }],
  ])('is left out where %s', (_why, releases, definition) => {
    expect(ruleOf(releases, definition)).toBeUndefined();
  });
});

type Configuration = ReturnType<typeof renovateConfig>;

function configurationOf(components: readonly PresetComponent[]): Configuration {
  return JSON.parse(renderPreset(site, components)) as Configuration;
}

/** The rules for one component, without their conditions on datasource and name. */
function rulesOf(
  definition: Partial<Definition>,
  releases: readonly RecordedRelease[],
  replacement?: Replacement,
): object[] {
  const [summary] = summariesOf(componentOf(releases, { changelogUrl, ...definition }));
  const component = replacement ? { ...summary!, replacement } : summary!;
  const rules = configurationOf([component]).packageRules.filter(
    (rule) => 'matchPackageNames' in rule,
  );
  return rules.map((rule) => {
    const { matchDatasources, matchPackageNames, ...rest } = rule as Record<string, unknown>;
    expect([matchDatasources, matchPackageNames]).toEqual([['custom.things'], ['svc']]);
    return rest;
  });
}
