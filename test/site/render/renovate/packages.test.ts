import { expect, test } from 'vitest';
import { formatPackage, listComponentPackages } from '../../../../src/core/model/package-names.ts';
import { parsePurl } from '../../../../src/core/model/purl.ts';
import type { TypedSource } from '../../../../src/record/sources/index.ts';

const registryUrl = 'https://registry.example.com/';

test.each<[TypedSource, string]>([
  [{ datasource: 'npm', packageName: '@scope/kit' }, 'pkg:npm/%40scope/kit@1.0'],
  [
    { datasource: 'maven', packageName: 'com.example:kit' },
    'pkg:maven/com.example/kit@1.0?type=jar',
  ],
  [{ datasource: 'pypi', packageName: 'Kit_Tools' }, 'pkg:pypi/kit-tools@1.0'],
  [{ datasource: 'docker', packageName: 'library/kit' }, 'pkg:docker/kit@1.0'],
  [{ datasource: 'helm', packageName: 'kit', registryUrl }, 'pkg:helm/kit@1.0'],
  [{ datasource: 'github-tags', packageName: 'Example/Kit' }, 'pkg:github/example/kit@v1.0'],
  [
    { datasource: 'gitlab-releases', packageName: 'group/sub/kit' },
    'pkg:gitlab/group/sub/kit@v1.0',
  ],
  [{ datasource: 'crate', packageName: 'kit' }, 'pkg:cargo/kit@1.0.0'],
  [
    { datasource: 'go', packageName: 'github.com/example/kit/v2' },
    'pkg:golang/github.com/example/kit/v2@v2.0.0',
  ],
  [{ datasource: 'nuget', packageName: 'Example.Kit' }, 'pkg:nuget/Example.Kit@1.0.0'],
  [{ datasource: 'rubygems', packageName: 'kit' }, 'pkg:gem/kit@1.0.0'],
])('the package of %j is %s', (source, purl) => {
  const packages = listComponentPackages({ sources: [source] });

  expect(packages).toEqual([{ purl: formatPackage(parsePurl(purl)!) }]);
});

test('releases by hand and the application of a chart have no package', () => {
  const sources: TypedSource[] = [
    { datasource: 'helm', packageName: 'kit', registryUrl, field: 'appVersion' },
    { datasource: 'static', releases: [] },
  ];

  expect(listComponentPackages({ sources })).toEqual([]);
});

test('a package of several sources has the version expression of the first', () => {
  const npm = { datasource: 'npm', packageName: 'kit' } as const;
  const extractVersion = '^one-(?<version>.+)$';

  const packages = listComponentPackages({
    sources: [{ ...npm, extractVersion }, npm],
    aliases: ['pkg:npm/kit', 'Kit', 'pkg:npm/kit-old'],
  });

  expect(packages).toEqual([{ purl: 'pkg:npm/kit', extractVersion }, { purl: 'pkg:npm/kit-old' }]);
});
