import { describe, expect, test } from 'vitest';
import { compileExpression } from '../../../src/core/expression.ts';
import type { Source } from '../../../src/record/sources/index.ts';
import type { Definition } from '../../../src/core/schemas/definition.ts';
import type { RecordedRelease } from '../../../src/core/schemas/recorded.ts';
import type { Replacement } from '../../../src/decide/component.ts';
import { renderPreset, type PresetComponent, type renovateConfig } from '../../../src/site/render/preset.ts';
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

const general: object[] = [
  {
    matchDatasources: ['custom.things'],
    maxMajorIncrement: 0,
    rollbackPrs: false,
  },
  {
    matchDatasources: ['custom.things'],
    ...inComments,
    versioning: 'loose',
    versionCompatibility: '^[vV]?(?<version>.+)$',
  },
  expect.objectContaining({ matchDatasources: ['custom.things'], ...inComments }) as object,
  { matchDatasources: ['custom.things'], ...inComments, matchCurrentValue: '/@/', enabled: false },
  expect.objectContaining({ ...inComments, pinDigests: true }) as object,
  expect.objectContaining({ ...inComments, matchUpdateTypes: ['pinDigest'], enabled: false }) as object,
];

describe('the preset', () => {
  test('has only general rules for an index without components', () => {
    expect(configurationOf([]).packageRules).toEqual(general);
  });

  test('reads a comment with an expression that RE2 accepts', () => {
    const [manager] = configurationOf([]).customManagers;
    const { managerFilePatterns, matchStrings } = manager!;
    const expression = compileExpression(matchStrings![0]!);
    const found = (text: string) =>
      expression.match(`# renovate: datasource=custom.${text}`)?.['currentValue'];

    expect(managerFilePatterns).toContain('**/gradle.properties');
    expect(found('things depName=svc\nsvcVersion=2026.2')).toBe('2026.2');
    expect(found('things depName=svc\n  image: example/svc:v2026.2')).toBe('v2026.2');
    expect(found('things depName=svc\nsvcVersion=\n2026.2')).toBeUndefined();
    expect(found('others depName=svc\nsvcVersion=2026.2')).toBeUndefined();
    expect(found('things.2 depName=svc\nsvcVersion=2026.2')).toBeUndefined();
  });

  test('links the changelog that upstream states for single versions', () => {
    const releases = [
      { version: '1.2', changelogUrl: 'https://example.com/tag/v1.2' },
      { version: '1.3+a', changelogUrl: 'https://example.com/tag/v1.3%2Ba' },
      { version: '1.4', changelogUrl: 'https://example.com/notes#1-4' },
      { version: '1.5', changelogUrl: 'https://example.com/news/{{one}}' },
      { version: '1.6', deprecated: 'Broken.', changelogUrl: 'https://example.com/never-offered' },
    ];
    const stated = [
      {
        matchNewValue: '/^v?(?:1\\.2|1\\.3\\+a)$/',
        changelogUrl: 'https://example.com/tag/v{{{encodeURIComponent newVersion}}}',
      },
      {
        matchNewValue: '/^v?(?:1\\.4)$/',
        changelogUrl: "https://example.com/notes#{{{encodeURIComponent (replace '\\.' '-' newVersion)}}}",
      },
      { matchNewValue: '/^v?(?:1\\.5)$/', changelogUrl: 'https://example.com/news/%7B%7Bone%7D%7D' },
    ];

    const deprecated = expect.objectContaining({ addLabels: ['deprecated'] }) as object;
    expect(rulesOf({}, releases)).toEqual([...stated, deprecated]);
    expect(rulesOf(withTemplate, releases)).toEqual([{ changelogUrl: byTemplate }, ...stated, deprecated]);
  });

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
    expect(rule.matchCurrentVersion).toContain('2024(?:\\D|$)');
    const versions = ['2024.1', '2024.3.4', 'v2025.1', '2025.01', '2025.1-alpine', '2025.2', '2025.10'];
    expect([...versions, '20241', '4', '4-jre', '4.2'].filter((version) => expression.test(version))).toEqual(
      ['2024.1', '2024.3.4', 'v2025.1', '2025.01', '2025.1-alpine', '4', '4-jre'],
    );
  });

  test('proposes the replacement of a component', () => {
    const replacement = {
      name: 'other',
      title: 'Other',
      version: '2.0',
      changelogUrl: 'https://example.com/{other}',
    };
    const rules = [
      { ...inComments, replacementName: 'other', replacementVersion: '2.0' },
      { matchUpdateTypes: ['replacement'], changelogUrl: 'https://example.com/%7Bother%7D' },
    ];

    expect(rulesOf({}, [{ version: '1.0' }], replacement)).toEqual(rules);
    expect(rulesOf({ support: { policy: 'ended' } }, [{ version: '1.0' }], replacement)).toEqual([
      { prBodyNotes: [expect.stringContaining('{{{currentValue}}}')] },
      expect.objectContaining({ addLabels: ['unsupported'] }),
      { versioning: 'regex:^(?<major>none)$', ...rules[0] },
      rules[1],
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

  test('lets the managers of the package read the index', () => {
    expect(ruleOf([fromNpm], { sources: [npm, page] })).toEqual({
      matchDatasources: ['npm'],
      matchPackageNames: ['@example/edge-node'],
      overrideDatasource: 'custom.things',
      overridePackageName: 'edge-node',
      registryUrls: [],
    });
    expect(ruleOf([{ version: '1.2' }], { sources: [npm] })).toBeDefined();
    // A user of the package is offered no release older than the package.
    expect(ruleOf([{ version: '1.1', source: 'page:x' }, fromNpm], { sources: [npm, page] })).toBeDefined();
    const onBoth = { ...fromNpm, source: 'page:x', alsoListedBy: [fromNpm.source] };
    expect(ruleOf([onBoth], { sources: [page, npm] })).toBeDefined();
  });

  test.each<[string, readonly RecordedRelease[], Partial<Definition>]>([
    [
      'a release in use comes from elsewhere',
      [fromNpm, { version: '1.3', source: 'page:x' }],
      { sources: [npm, page] },
    ],
    ['a release in use was recorded by hand', [fromNpm, { version: '1.3' }], { sources: [npm] }],
    ['nothing was gathered yet from several sources', [{ version: '1.2' }], { sources: [npm, page] }],
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
          { datasource: 'helm', packageName: 'a', registryUrl: 'https://a.example.com', field: 'appVersion' },
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
  const rules = configurationOf([component]).packageRules;
  expect(rules.slice(0, general.length)).toEqual(general);
  const ofComponents = rules.slice(general.length).filter((rule) => 'matchPackageNames' in rule);
  return ofComponents.map((rule) => {
    const { matchDatasources, matchPackageNames, ...rest } = rule as Record<string, unknown>;
    expect([matchDatasources, matchPackageNames]).toEqual([['custom.things'], ['svc']]);
    return rest;
  });
}
