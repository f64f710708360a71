/** Checks the warning about a version that its sources now list in another spelling. */
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { createCopies, openRunning } from '../harness/operated-index.ts';

const start = '2026-03-01';
const list = (...versions: string[]) => versions.map((version) => ({ version }));
const open = createCopies(await openRunning(start, list('v1.2.0', 'v1.3.0')));
const repeat = (days: number, versions: string[]) => Array.from({ length: days }, () => versions);
const warning = (count: string, spellings: string) =>
  `warning: svc: its sources now list ${count} in another spelling: ${spellings}. Readers keep the recorded spelling, because their pins name it\n`;

test.each<[title: string, days: string[][], messages: string[]]>([
  [
    'printed once, on the second day, if a tag was replaced',
    repeat(4, ['v1.2.0', '1.3.0']),
    ['', warning('1 recorded version', '1.3.0 for v1.3.0'), '', ''],
  ],
  [
    'printed once if the vendor drops the v from all tags',
    repeat(3, ['1.2.0', '1.3.0']),
    ['', warning('2 recorded versions', '1.2.0 for v1.2.0, 1.3.0 for v1.3.0'), ''],
  ],
  [
    'never printed if the spelling returns before the second day',
    [
      ['v1.2.0', '1.3.0'],
      ['v1.2.0', 'v1.3.0'],
      ['v1.2.0', '1.3.0'],
      ['v1.2.0', 'v1.3.0'],
    ],
    ['', '', '', ''],
  ],
  [
    'never printed if both spellings are listed',
    repeat(3, ['v1.2.0', 'v1.3.0', '1.3.0']),
    ['', '', ''],
  ],
  [
    'never printed if two other spellings are listed',
    repeat(3, ['v1.2.0', '1.3.0', '01.3.0']),
    ['', '', ''],
  ],
])(
  'the warning about a version whose recorded spelling no source lists any more is %s',
  async (_, days, messages) => {
    const index = open();
    const before = index.data.readJournal('svc');
    const printed = [];
    for (const [position, versions] of days.entries()) {
      index.answers.set('svc', list(...versions));
      const { status, stderr } = await index.record(addDays(start, position + 1));
      expect(status).toBe(0);
      printed.push(stderr);
    }

    expect(printed).toEqual(messages);
    // The recorded spelling stays, and no event is reported.
    expect(index.data.readRecorded('svc').releases.map(({ version }) => version)).toEqual([
      'v1.2.0',
      'v1.3.0',
    ]);
    expect(index.data.readJournal('svc')).toEqual(before);
  },
);

test('a run does not warn about another spelling of a version if the source has "onlyAdds"', async () => {
  const index = open();
  index.define('svc', list('v1.2.0', '1.3.0'), {
    sources: [{ datasource: 'json', url: `${index.url}/svc.json`, onlyAdds: true }],
  });
  for (const days of [1, 2, 3]) {
    expect(await index.record(addDays(start, days))).toMatchObject({ status: 0, stderr: '' });
  }
});
