import { expect, test } from 'vitest';
import { extractVersion, toExtraction } from '../../../src/core/index/extract.ts';
import { createIndex } from '../../harness/index-folder.ts';

test.each([
  ['^v(?<version>.+)$', 'v1.2', '1.2'],
  ['^v(?<version>.+)$', 'V1.2', 'V1.2'],
  ['(?i)^v(?<version>.+)$', 'V1.2', '1.2'],
  ['^REL_(?P<version>\\d+\\.\\d+)', 'REL_1.2-x', '1.2'],
  ['(?i)^rel-(?P<version>[\\d.()*]+)$', 'Rel-1.2', '1.2'],
  ['^(?:v|svc-)(?<version>[1-9]\\d*\\.\\d+(?:\\.\\d+)?(?:\\.\\d+)?)$', 'svc-1.2.3', '1.2.3'],
  ['^(?:a|b|c|d|e|v)(?<version>.+)$', 'v1.2', '1.2'],
  ['-(?<version>\\d+)?$', 'svc-', 'svc-'],
  ['^(?<version>1)\\d+$', '12', '1'],
  ['^v(?<version>.+)$', `v${'1'.repeat(63)}`, '1'.repeat(63)],
  ['^v(?<version>.+)$', `v${'1'.repeat(64)}`, `v${'1'.repeat(64)}`],
])('%s finds in %s the version %s', (pattern, version, expected) => {
  expect(extractVersion(version, toExtraction(pattern)!)).toBe(expected);
});

const hostile = [
  ...[
    '^(?<version>(?:\\d+\\.?)+)$',
    '(?<version>\\d(?:\\.\\d+){0,2})',
    '(?<version>(a*)*)b',
    '(?<version>(?:a|a){9,})$',
  ],
  ...[
    '(?<version>.*.*.*.*)x',
    '^(?<version>.*.*.*.*.*)x',
    `(?<version>${'a?'.repeat(40)}${'a'.repeat(40)})`,
  ],
  ...['(?<version>(?:a|b|c|d|e|f|g)x)', '(?<version>[[:digit:]]+)(', '(?U)(?<version>.+)'],
  ...[
    '(?<version>\\pN+)',
    '\\A(?<version>.+)\\z',
    '(?<version>(?i)v.+)',
    '(?<version>a)(?<version>b)',
  ],
];

test.each(hostile)('%s does not run: the version stays as it is written', (pattern) => {
  expect(toExtraction(pattern)).toBeUndefined();
  for (const version of ['a'.repeat(64), '1'.repeat(5000), `${'1.'.repeat(31)}x`]) {
    expect(extractVersion(version, { extractVersion: pattern })).toBe(version);
  }
});

test('build publishes what runs, and gives a notice of what does not', async () => {
  const index = createIndex();
  const build = async (pattern: string) => {
    index.edit('components/svc.json', ({ sources }: { sources: object[] }) =>
      Object.assign(sources[0]!, { extractVersion: pattern }),
    );
    const { stdout, stderr } = await index.run('build');
    const read = (path: string) => JSON.parse(index.read(`dist/${path}`));
    const [source] = read('details/svc.json').sources;
    const { packages } = read('status.json').components.svc;
    return { text: stdout + stderr, packages, ofDetails: source.extractVersion };
  };

  const published = await build('(?i)^v(?P<version>.+)$');
  expect(published.ofDetails).toBe('(?i)^v(?P<version>.+)$');
  expect(published.packages).toEqual([
    { purl: 'pkg:npm/svc', extractVersion: '^v(?<version>.+)$', extractFlags: 'i' },
  ]);
  const { text, packages, ofDetails } = await build('^(?<version>(?:\\d+\\.?)+)$');
  expect([packages, ofDetails]).toEqual([[{ purl: 'pkg:npm/svc' }], undefined]);
  expect(text).toContain('is not published: JavaScript cannot run it safely');
});
