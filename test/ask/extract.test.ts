import { expect, test } from 'vitest';
import { extractVersion, toExtraction } from '../../src/ask/extract.ts';
import { createIndex } from '../harness/index-folder.ts';

test.each([
  ['^v(?<version>.+)$', 'v1.2', '1.2'],
  ['(?i)^v(?<version>.+)$', 'V1.2', '1.2'],
  ['^REL_(?P<version>\\d+\\.\\d+)', 'REL_1.2-x', '1.2'],
  ['(?i)^rel-(?P<version>[\\d.()*]+)$', 'Rel-1.2', '1.2'],
  ['^(?:v|svc-)(?<version>[1-9]\\d*\\.\\d+(?:\\.\\d+)?(?:\\.\\d+)?)$', 'svc-1.2.3', '1.2.3'],
  ['-(?<version>\\d+)?$', 'svc-', 'svc-'],
  ['^(?<version>1)\\d+$', '12', '1'],
  ['^v(?<version>.+)$', `v${'1'.repeat(64)}`, `v${'1'.repeat(64)}`],
])('the pattern %s extracts from %s the version %s', (pattern, version, expected) => {
  expect(extractVersion(version, toExtraction(pattern)!)).toBe(expected);
});

const options = (count: number) => `^(?<version>${'a?'.repeat(count)}b)`;
const repeats = (count: number) => `(?<version>${'.*'.repeat(count)})x`;

test.each<[form: string, allowed: string, rejected: string[]]>([
  [
    'a repeat of a group',
    '^(?<version>\\d+(?:\\.\\d+)?)$',
    [
      '^(?<version>(?:\\d+\\.?)+)$',
      '(?<version>\\d(?:\\.\\d+){0,2})',
      '(?<version>(a*)*)b',
      '(?<version>(?:a|a){9,})$',
    ],
  ],
  ['more than four repeats', `^${repeats(4)}`, [`^${repeats(5)}`, '^(?<version>a{2,}a*a+a*a+)']],
  ['more than three repeats without an anchor', repeats(3), [repeats(4)]],
  [
    'more than five choices',
    options(5),
    [options(6), '(?<version>(?:a|b|c|d|e|f|g)x)', '(?<version>(?:a|b|c|d)e?f?g?)'],
  ],
  [
    'a pattern with syntax that JavaScript does not have',
    '(?i)(?<version>v.+)',
    ['(?<version>[[:digit:]]+)(', '(?U)(?<version>.+)', '(?<version>\\pN+)'],
  ],
  [
    'a pattern that means something else in JavaScript',
    '^(?<version>.+)$',
    ['\\A(?<version>.+)\\z', '(?<version>(?i)v.+)'],
  ],
])('does not run a pattern with %s, and returns the version unchanged', (_, allowed, rejected) => {
  expect(toExtraction(allowed)).toBeDefined();
  for (const pattern of rejected) {
    expect(toExtraction(pattern), pattern).toBeUndefined();
    for (const version of ['a'.repeat(64), '1'.repeat(5000), `${'1.'.repeat(31)}x`]) {
      expect(extractVersion(version, { extractVersion: pattern })).toBe(version);
    }
  }
});

test.each<[pattern: string, published: object, text: string]>([
  ['(?i)^v(?P<version>.+)$', { extractVersion: '^v(?<version>.+)$', extractFlags: 'i' }, 'Built '],
  ['^(?<version>(?:\\d+\\.?)+)$', {}, 'is not published: JavaScript cannot run it safely'],
])('build publishes the pattern %s as %j, and prints: %s', async (pattern, published, text) => {
  const index = createIndex();
  index.edit('components/svc.json', ({ sources: [source] }) => ({
    sources: [{ ...source, extractVersion: pattern }],
  }));
  const { stdout, stderr } = await index.run('build');

  expect(stdout + stderr).toContain(text);
  expect(JSON.parse(index.read('dist/status.json'))).toMatchObject({
    components: { svc: { packages: [{ purl: 'pkg:npm/svc', ...published }] } },
  });
});
