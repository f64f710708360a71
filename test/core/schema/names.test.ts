import { expect, test } from 'vitest';
import { nameOsvPackage, nameSourcePackage } from '../../../src/core/datasources.ts';
import { findNameProblem, nameSources } from '../../../src/core/schema/names.ts';

test.each(['api', 'build-export', 'full', 'latest'])(
  'a component cannot have the name of a published path: %s',
  (name) => {
    expect(findNameProblem(name)).toBe(`the name "${name}" belongs to a published path`);
  },
);

test.each(['7zip', 'index-tools'])('accepts the component name %s', (name) => {
  expect(findNameProblem(name)).toBeUndefined();
});

test.each(['-agent', 'Agent', 'a_b', 'a'.repeat(101)])(
  'rejects the component name "%s"',
  (name) => {
    expect(findNameProblem(name)).toBe(
      `expected a name of lower-case letters, digits and hyphens; got "${name}"`,
    );
  },
);

test('a source is named after its package, and also after its registry if two sources share a package', () => {
  const npm = { datasource: 'npm', packageName: 'kit' };

  const named = nameSources([
    { datasource: 'static' },
    npm,
    { ...npm, registryUrl: 'https://a.example' },
    { ...npm, registryUrl: 'https://a.example' },
    { datasource: 'endoflife-date', product: 'kit' },
    { datasource: 'page', url: 'https://a.example/kit' },
  ]);

  expect([...named.keys()]).toEqual([
    'static',
    'npm:kit',
    'npm:kit at https://a.example',
    'npm:kit at https://a.example (4)',
    'endoflife-date:kit',
    'page:https://a.example/kit',
  ]);
});

test.each([
  [{ datasource: 'npm', packageName: '@a/kit' }, 'pkg:npm/%40a/kit', 'npm'],
  [{ datasource: 'crate', packageName: 'kit' }, 'pkg:cargo/kit', 'crates.io'],
  [{ datasource: 'helm', packageName: 'kit' }, 'pkg:helm/kit', undefined],
  [{ datasource: 'helm', packageName: 'kit', field: 'appVersion' }, undefined, undefined],
])(
  'maps the source %j to the package URL %s and the OSV ecosystem %s',
  (source, purl, ecosystem) => {
    expect(nameSourcePackage(source)).toBe(purl);
    expect(nameOsvPackage(source)?.ecosystem).toBe(ecosystem);
  },
);
