import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { findPackage, readPackages } from '../../src/site/packages.ts';
import { digestOf } from '../harness/imitation.ts';
import { createFolder, openIndex } from '../harness/index-folder.ts';

const { version } = manifest;

test('all packed versions in program/ are read', () => {
  const index = openIndex(createFolder());
  index.write('program/release-index-0.9.0.tgz', 'old');
  index.write(`program/release-index-${version}.tgz`, 'new');
  index.write('program/notes.txt', 'x');

  expect(readPackages(index.root).sort()).toEqual([
    ['release-index-0.9.0.tgz', Buffer.from('old')],
    [`release-index-${version}.tgz`, Buffer.from('new')],
  ]);
});

test.each<[title: string, packed: string[], dependency: string | undefined, found?: object]>([
  [
    'the packed file of this version',
    [version, '0.9.0'],
    '^1.0.0',
    {
      npmPackage: `./release-index-${version}.tgz`,
      packageFile: `release-index-${version}.tgz`,
      packageDigest: digestOf('packed'),
    },
  ],
  ['a package of a registry', ['0.9.0'], '^1.0.0', { npmPackage: `release-index@${version}` }],
  ['an exact version of a registry', [], '1.0.0', { npmPackage: `release-index@${version}` }],
  ['nothing for a folder beside the index', [], 'file:../release-index'],
  ['nothing without a package', [], undefined],
])('readers run %s', (_, packed, dependency, found) => {
  const index = openIndex(createFolder());
  for (const each of packed) {
    index.write(`program/release-index-${each}.tgz`, 'packed');
  }
  if (dependency) {
    index.write('package.json', { dependencies: { 'release-index': dependency } });
  }

  expect(findPackage(index.root, readPackages(index.root))).toEqual(found);
});
