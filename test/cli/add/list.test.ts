import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReleaseList } from '../../../src/cli/add/list.ts';
import { joinSubject } from '../../../src/core/text.ts';

const changelogUrl = 'https://example.com/1.1';
const dated = { version: '1.0', releaseTimestamp: '2026-01-31' };
const inFormOfRenovate = {
  releases: [
    { ...dated, isDeprecated: false },
    { version: '1.1', changelogUrl, isDeprecated: true, isStable: false },
  ],
};

test.each([
  ['# ours\n1.0 2026-01-31\n\n1.1 # no day\n', dated, {}],
  ['["1.0", "1.1"]', { version: '1.0' }, {}],
  [
    JSON.stringify(inFormOfRenovate),
    dated,
    { changelogUrl, deprecated: 'its list says so', isStable: false },
  ],
])('reads the release list %j', (text, first, facts) => {
  const { releases } = readReleaseList('releases.txt', text);

  expect(releases).toEqual([first, { version: '1.1', ...facts }]);
});

test.each([
  ['', 'lists no version'],
  ['[{', 'is not JSON: '],
  ['[1.1]', 'expected each version once, as a text; got 1.1'],
  ['[null]', 'expected each version once, as a text; got null'],
  ['[{"version":"1.0","day":{"toString":1}}]', '1.0: expected a day such as 2026-01-31; got "{'],
  ['{"releases":5}', 'expected a list of releases, perhaps below "releases"'],
  ['1.0 2026-01-31\n1.0 2026-02-01', 'expected each version once, as a text; got "1.0"'],
  ['1.0 31/1/2026', '1.0: expected a day such as 2026-01-31; got "31/1/2026"'],
  [
    'version,day\n1.0,2026-01-31,more',
    'expected 2 cells, like in the first line; got "1.0, 2026-01-31, more"',
  ],
  ['1.0,2026-01-31\n1.1,', 'expected a column "Version" in the first line; got "1.0, 2026'],
  ['version;eol\n1.0;Q3 2026', '1.0: expected a day such as 2026-01-31; got "Q3 2026"'],
])('rejects the release list %j', (text, message) => {
  expect(() => readReleaseList('releases.txt', text)).toThrow(joinSubject('releases.txt', message));
});

const folder = join(import.meta.dirname, '../../fixtures/spreadsheets');

/**
 * Each spreadsheet has a layout that people really use. It has version 1.0, which was released on 31 January 2026 and is supported until
 * the end of 2026. It also has version 1.1.
 */
test.each(readdirSync(folder))('reads the spreadsheet %s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const [, unread] = /^# not read: (.+)/.exec(text) ?? [];
  const open = 'support: lines without an end that are older than one with an end have ended';

  expect(readReleaseList(name, text)).toEqual({
    releases: [{ version: '1.0', releaseTimestamp: '2026-01-31' }, { version: '1.1' }],
    support: { policy: 'dated', lines: { '1.0': '2026-12-31' } },
    notes: [
      ...(unread?.split(', ') ?? []).map((column) => `column "${column}" was not read`),
      open,
    ],
  });
});

test('support for a release line ends on the latest end date of its releases', () => {
  const text =
    'version,date,eol,deprecated\n1.0.0,2026-01-31T12:00+02:00,2026-06-30,loses data\n1.0.1,,2026-12-31,no\n';

  expect(readReleaseList('releases.csv', text)).toMatchObject({
    releases: [
      { releaseTimestamp: '2026-01-31T10:00:00Z', deprecated: 'loses data' },
      { deprecated: undefined },
    ],
    support: { policy: 'dated', lines: { '1.0': '2026-12-31' } },
  });
});
