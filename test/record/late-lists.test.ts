/** Releases that a source lists late: with a date long before the day on which they first appear. */
import { assert, expect, test } from 'vitest';
import { addDays, type Day } from '../../src/core/day.ts';
import { loadIndex } from '../../src/site/load-index.ts';
import { program } from '../harness/example.ts';
import { lineOf, releaseOf } from '../harness/judging.ts';
import { openOperatedIndex, type OperatedIndex } from '../harness/operated-index.ts';

const start: Day = '2026-11-02';
const term = (months: number) => ({ policy: 'term', months, url: 'https://example.com/support' });

/** Reads a list of versions with release dates: `1.0.0 2024-01-01, 1.1.0 2024-06-01`. */
const read = (text: string) =>
  text.split(', ').map((each) => {
    const [version = '', releaseTimestamp = ''] = each.split(' ');
    return { version, releaseTimestamp };
  });

/** Records these lists, one per day from 2 November on, and judges the index on the last day. */
async function live(support: object, ...lists: readonly string[]) {
  const index = await openOperatedIndex();
  index.define('svc', [], { support });
  let stderr = '';
  for (const [position, list] of lists.entries()) {
    index.answers.set('svc', read(list));
    const ended = await index.record(addDays(start, position));
    expect(ended).toMatchObject({ status: 0 });
    stderr = ended.stderr;
  }
  return { index, stderr, ...judge(index, addDays(start, lists.length - 1)) };
}

function judge(index: OperatedIndex, day: Day) {
  const [component] = loadIndex(index.root, day, program).index.components;
  assert(component);
  const deprecated = component.releases.flatMap(({ version, isDeprecated }) =>
    isDeprecated ? version : [],
  );
  /** Returns the state of a line and the dates between which its support ends, such as `supported 2028-02-20 to 2028-03-01`. */
  const describe = (line: string) => {
    const { state, supportedUntil = '', supportedUntilAtMost } = lineOf(component, line);
    const end = supportedUntilAtMost
      ? `${supportedUntil} to ${supportedUntilAtMost}`
      : supportedUntil;
    return `${state} ${end}`;
  };
  return { component, deprecated, describe };
}

const whole = '1.0.0 2024-01-01, 1.1.0 2024-06-01, 1.2.0 2025-04-01, 1.3.0 2026-03-01';

test('if an old line is listed a day late, the end of its support is uncertain', async () => {
  const { describe, deprecated, component } = await live(
    term(18),
    '1.2.0 2025-04-01, 1.3.0 2026-03-01',
    whole,
  );

  expect(['1.0', '1.1', '1.2', '1.3'].map(describe)).toEqual([
    'may-have-ended 2025-07-01 to 2028-05-03',
    'may-have-ended 2025-12-01 to 2028-05-03',
    'ended 2026-10-01',
    'supported 2027-09-01',
  ]);
  expect(deprecated).toEqual(['1.2.0']);
  expect(releaseOf(component, '1.0.0')).toMatchObject({
    releaseTimestamp: '2026-11-03T00:00:00Z',
    timestampKind: 'observed',
    ignoredDay: '2024-01-01',
  });
});

const former = '1.8.0 2024-06-01, 2.0.0 2025-03-01, 2.1.0 2026-05-01';

test.each([
  [18, 'may-have-ended 2026-08-01 to 2028-05-03'],
  [6, 'may-have-ended 2025-08-01 to 2027-05-03'],
])(
  'a line that is listed late between two other lines may have ended: %i months of support',
  async (months, expected) => {
    const { index, describe, component } = await live(
      term(months),
      former,
      `${former}, 1.9.0 2025-02-01`,
    );

    expect(describe('1.9')).toBe(expected);
    expect(await index.run('build', addDays(start, 1))).toMatchObject({ status: 0 });
    const { releases } = JSON.parse(index.read('dist/svc.json'));
    expect(releases).toContainEqual({
      version: '1.9.0',
      releaseTimestamp: '2026-11-03T00:00:00Z',
      isDeprecated: false,
    });
    expect(releaseOf(component, '1.9.0').isSupported).toBeUndefined();
  },
);

test('an ignored release date stays ignored on later days', async () => {
  const late = `${former}, 1.9.0 2025-02-01`;
  const { index } = await live(term(6), former, late);
  const journal = index.data.readJournal('svc');
  const recorded = index.data.readRecorded('svc');
  for (const days of [2, 3, 9, 20]) {
    expect(await index.record(addDays(start, days))).toMatchObject({ status: 0, stderr: '' });
  }

  expect(index.data.readRecorded('svc')).toEqual(recorded);
  expect(index.data.readJournal('svc')).toEqual(journal);
});

test('lines that are renumbered may have ended on the dates that their list gives', async () => {
  const former = '1.0.0 2024-01-01, 1.1.0 2024-10-01, 1.3.0 2026-03-01';
  const renumbered = '4.0.0 2024-01-01, 4.1.0 2024-10-01, 4.3.0 2026-03-01';
  const { describe, deprecated } = await live(term(18), former, `${former}, ${renumbered}`);

  expect(['4.0', '4.1', '4.3'].map(describe)).toEqual([
    'may-have-ended 2025-07-01 to 2028-05-03',
    'may-have-ended 2026-04-01 to 2028-05-03',
    'supported 2027-09-01 to 2028-05-03',
  ]);
  expect(deprecated).toEqual(['1.0.0', '1.1.0']);
});

const running = '3.0.1 2026-09-01, 3.0.2 2026-10-01';

test.each([
  ['', '2026-08-20', 'supported 2028-02-20 to 2028-03-01'],
  // The year of this release date has a typing error.
  ['', '2001-08-20', 'may-have-ended 2003-02-20 to 2028-03-01'],
  ['2.0.0 2026-01-01, ', '2001-08-20', 'may-have-ended 2003-02-20 to 2028-03-01'],
])(
  'a first release that is listed late does not extend the support of its line: %s3.0.0 %s',
  async (others, day, expected) => {
    const { describe, deprecated } = await live(
      term(18),
      `${others}${running}`,
      `${others}3.0.0 ${day}, ${running}`,
    );

    expect(describe('3.0')).toBe(expected);
    expect(deprecated).toEqual([]);
  },
);

test('a patch release that is listed late does not change the end of its line', async () => {
  const { describe, component } = await live(
    term(18),
    '3.0.0 2026-09-01',
    '3.0.0 2026-09-01, 3.0.1 2024-01-01',
  );

  expect(describe('3.0')).toBe('supported 2028-03-01');
  expect(releaseOf(component, '3.0.1')).toMatchObject({ ignoredDay: '2024-01-01' });
});

test('if a newer line is listed late, the support of the older line may have ended', async () => {
  const support = { policy: 'latest-lines', count: 1, months: 6, url: 'https://example.com' };
  const { describe, deprecated } = await live(
    support,
    '1.0.0 2024-01-01',
    '1.0.0 2024-01-01, 2.0.0 2025-01-01',
  );

  expect(describe('1.0')).toBe('may-have-ended 2025-07-01 to 2027-05-03');
  expect(deprecated).toEqual([]);
});

test('a person can confirm an ignored release date in the data file that the warning names', async () => {
  const { index, stderr } = await live(term(18), '1.2.0 2025-04-01, 1.3.0 2026-03-01', whole);

  expect(stderr).toBe(
    'warning: svc: 2 releases came late into the lists, so the dates that they give for them are ignored: 1.0.0 (2024-01-01), 1.1.0 (2024-06-01). Release lines that begin with them may end earlier. If a date is right, write it into data/svc.json as "releaseTimestamp", and remove "timestampKind"\n',
  );
  const correct = JSON.parse(index.read('data/svc.json'));
  for (const release of correct.releases.slice(0, 2)) {
    release.releaseTimestamp = release.ignoredDay;
    delete release.timestampKind;
  }
  index.write('data/svc.json', correct);
  expect(await index.record(addDays(start, 2))).toMatchObject({ status: 0, stderr: '' });
  const { describe, deprecated } = judge(index, addDays(start, 2));
  expect(['1.0', '1.1'].map(describe)).toEqual(['ended 2025-07-01', 'ended 2025-12-01']);
  expect(deprecated).toEqual(['1.0.0', '1.1.0', '1.2.0']);
  expect(index.read('data/svc.json')).not.toContain('ignoredDay');
});

test('after an update of the program, changed ends of support are reported only once', async () => {
  const { index } = await live(term(18), '1.2.0 2025-04-01, 1.3.0 2026-03-01', whole);
  // Edits the files as an earlier version of the program would have written them. That version did not record ignored dates in
  // `ignoredDay`.
  const recorded = JSON.parse(index.read('data/svc.json'));
  const events = index.read('data/journal/svc.ndjson');
  for (const release of recorded.releases) {
    delete release.ignoredDay;
  }
  index.write('data/svc.json', recorded);
  index.write(
    'data/journal/svc.ndjson',
    events.replaceAll(/"to":"[^"]+"(?=,"toAtMost":"2028)/g, '"to":"2028-05-02"'),
  );
  const before = index.data.readJournal('svc').length;

  const { status, stderr } = await index.record(addDays(start, 2));
  expect([status, stderr]).toEqual([0, expect.stringContaining('2 releases came late')]);
  const news = index.data.readJournal('svc').slice(before);
  expect(
    news.map(({ type, line, from, to, toAtMost }) => [type, line, from, to, toAtMost]),
  ).toEqual([
    ['support-changed', '1.0', '2028-05-02', '2025-07-01', '2028-05-03'],
    ['support-changed', '1.1', '2028-05-02', '2025-12-01', '2028-05-03'],
  ]);
  expect(await index.record(addDays(start, 3))).toMatchObject({ status: 0, stderr: '' });
  expect(index.data.readJournal('svc')).toHaveLength(before + news.length);
});
