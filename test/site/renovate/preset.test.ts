import jsonata from 'jsonata';
import { expect, test } from 'vitest';
import { renderFiles, judgeComponents } from '../../harness/components.ts';

test.each([
  [undefined, '1.2.0', true],
  // The pattern only chooses tags, as `add` writes it.
  [String.raw`^(?<version>\d[\d.]*)$`, '1.2.0', true],
  // The tags are not the versions.
  ['^(?<version>.+)-alpine$', '1.2.0', false],
  ['^v(?<version>.+)$', '1.2.0', false],
  // JavaScript might run this pattern for too long.
  [String.raw`^(?<version>(?:\d+\.?)+)$`, '1.2.0', false],
])(
  'days.json gives the dates of an image with extractVersion %s and the version %s: %s',
  (extractVersion, version, expected) => {
    const source = {
      datasource: 'docker',
      packageName: 'team/api',
      registryUrl: 'https://registry.example.com',
      ...(extractVersion !== undefined && { extractVersion }),
    };
    const index = judgeComponents({
      svc: { definition: { sources: [source] }, releases: { [version]: '2026-01-01' } },
    });
    const { packageRules } = JSON.parse(renderFiles(index).get('renovate/days.json')!) as {
      packageRules: object[];
    };

    expect(packageRules).toEqual(
      expected
        ? [
            expect.objectContaining({
              matchPackageNames: ['registry.example.com/team/api'],
              matchCurrentValue: String.raw`/^\d+\.\d+\.\d+$/`,
            }),
          ]
        : [],
    );
  },
);

test.each([
  [{}, ['2.0']],
  [{ requiredStops: { lines: ['1.0'], url: 'https://example.com/stops' } }, ['1.0', '2.0']],
])('Renovate gets ended stops, but no other ended releases: %j', async (more, expected) => {
  const lines = { '0.9': '2024-01-01', '1.0': '2025-01-01', '2.0': '2099-01-01' };
  const files = renderFiles(
    judgeComponents({
      svc: {
        definition: { support: { policy: 'dated', lines }, ...more },
        releases: { '0.9': '2020-01-01', '1.0': '2021-01-01', '2.0': '2022-01-01' },
      },
    }),
  );
  const { customDatasources } = JSON.parse(files.get('renovate.json')!) as {
    customDatasources: Record<string, { transformTemplates: string[] }>;
  };
  const [{ transformTemplates }] = Object.values(customDatasources) as [
    { transformTemplates: string[] },
  ];
  const { releases } = (await jsonata(transformTemplates[0]!).evaluate(
    JSON.parse(files.get('svc.json')!),
  )) as { releases: { version: string; isDeprecated: boolean }[] };

  expect(releases.map(({ version }) => version).sort()).toEqual(expected);
  expect(releases.filter(({ isDeprecated }) => isDeprecated)).toEqual([]);
});

test.each([
  [[], 0],
  [['1.1'], 1],
  [['1.1', '2.0'], 1],
])('Renovate proposes the trusted fixes %j at once', (fixed, count) => {
  const advisories = fixed.map((version, place) => ({
    ...{ id: `CVE-2026-${place}`, affected: `<${version}`, fixed: [version] },
    url: 'https://example.com/advisory',
  }));
  const files = renderFiles(
    judgeComponents({
      svc: {
        definition: { advisories },
        releases: { '1.0': '2026-01-01', '1.1': '2026-02-01', '2.0': '2026-03-01' },
      },
    }),
  );
  const { packageRules } = JSON.parse(files.get('renovate.json')!) as {
    packageRules: { minimumReleaseAge?: string; matchJsonata?: string[] }[];
  };
  const rules = packageRules.filter(({ minimumReleaseAge }) => minimumReleaseAge === '0 days');

  expect(rules).toHaveLength(count);
  expect(rules.flatMap(({ matchJsonata }) => matchJsonata)).toEqual(
    rules.map(
      () => `version in ${JSON.stringify(fixed)} or newVersion in ${JSON.stringify(fixed)}`,
    ),
  );
});
