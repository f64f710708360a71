import { expect, test } from 'vitest';
import { nameOsvPackage, nameSourcePackage } from '../../src/core/datasources.ts';

test.each<
  [
    datasource: string,
    packageName: string | undefined,
    field: string | undefined,
    purl: string | undefined,
  ]
>([
  ['npm', '@scope/agent', undefined, 'pkg:npm/%40scope/agent'],
  ['maven', 'org.example:agent', undefined, 'pkg:maven/org.example/agent'],
  ['helm', 'chart', 'version', 'pkg:helm/chart'],
  ['helm', 'chart', 'appVersion', undefined],
  ['npm', undefined, undefined, undefined],
  ['json', 'agent', undefined, undefined],
  ['unknown', 'agent', undefined, undefined],
])(
  'a source with datasource %s, package %s and field %s has the package URL %s',
  (datasource, packageName, field, purl) => {
    expect(nameSourcePackage({ datasource, packageName, field })).toBe(purl);
  },
);

test.each([
  ['npm', 'agent', { ecosystem: 'npm', name: 'agent' }],
  ['docker', 'agent', undefined],
  ['npm', '', undefined],
])('OSV knows the package %s %s as %j', (datasource, packageName, expected) => {
  expect(nameOsvPackage({ datasource, packageName })).toEqual(expected);
});
