import { expect, test } from 'vitest';
import { readReleaseList } from '../../../src/cli/add/list.ts';

const twoReleases = [
  { version: '1.0', releaseTimestamp: '2026-01-31', isDeprecated: false },
  { version: '1.1', changelogUrl: 'https://example.com/1.1', isDeprecated: true },
  { version: '1.2-rc.1', isStable: false },
];

test.each([
  ['lines of a version and a day', '# ours\n1.0 2026-01-31\n\n1.1 # no day\n'],
  ['CSV', 'Version,Release date\n1.0,2026-01-31\n1.1,\n'],
  ['CSV with quotes', '"version";"date"\r\n"1.0";"2026-01-31"\r\n"1.1";""\r\n'],
  [
    'columns with tabs, of which some are not ours',
    'version\tsize\tday\n1.0\t12\t2026-01-31\n1.1\t13\t\n',
  ],
  ['a JSON list', '["1.0", "1.1"]'],
  ['JSON objects', '[{"version": "1.0", "date": "2026-01-31"}, {"version": "1.1"}]'],
])('reads %s', (_, text) => {
  const versions = readReleaseList('releases.txt', text);

  expect(versions.map(({ version }) => version)).toEqual(['1.0', '1.1']);
  if (text.includes('2026')) {
    expect(versions[0]).toEqual({ version: '1.0', releaseTimestamp: '2026-01-31' });
  }
});

test('reads the form of Renovate with all its fields', () => {
  expect(readReleaseList('releases.json', JSON.stringify({ releases: twoReleases }))).toEqual([
    { version: '1.0', releaseTimestamp: '2026-01-31' },
    {
      version: '1.1',
      changelogUrl: 'https://example.com/1.1',
      deprecated: 'its list says so',
    },
    { version: '1.2-rc.1', isStable: false },
  ]);
});

test('reads the reason of a deprecation', () => {
  const text = 'version,deprecated\n1.0,loses data\n1.1,no\n1.2,\n';

  expect(readReleaseList('releases.csv', text)).toEqual([
    { version: '1.0', deprecated: 'loses data' },
    { version: '1.1' },
    { version: '1.2' },
  ]);
});

test.each([
  ['', 'lists no version'],
  ['{"releases": []}', 'lists no version'],
  ['[1.1]', 'expected each version once, as a text; got undefined'],
  ['1.0 2026-01-31\n1.0 2026-02-01', 'expected each version once, as a text; got "1.0"'],
  ['1.0 31.1.2026', '1.0: expected a day such as 2026-01-31; got "31.1.2026"'],
  ['version,day\n1.0,2026-01-31,more', 'expected 2 columns; got "1.0,2026-01-31,more"'],
])('refuses %j', (text, message) => {
  expect(() => readReleaseList('releases.txt', text)).toThrow(`releases.txt: ${message}`);
});

test('a list that is cut off is refused with its file', () => {
  expect(() => readReleaseList('a.json', '[{')).toThrow(/^a\.json: is not JSON: /);
});
