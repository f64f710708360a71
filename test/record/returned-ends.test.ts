/** Ends of support that were wrong in their source for some days: what readers get when they are right again. */
import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { testDays } from '../harness/gate-days.ts';
import { all } from '../harness/gated.ts';
import { listReleases, openOperatedIndex } from '../harness/operated-index.ts';

/** What the sources answer. `lines`: the ends of lines that differ from the usual ends. */
const list = (lines: Record<string, string | true | undefined> = {}) => ({
  list: all,
  ends: { '2.8': '2026-02-01', '2.9': '2026-04-01', '2.10': '2026-05-01', ...lines },
});
const right = list();
const late = { ...right, list: [...all, { version: '2.10.5', releaseTimestamp: '2025-06-01' }] };
const silent = { list: all };
const typed = list({ '2.9': '2072-04-01' });
const revived = list({ '2.8': '2027-02-01' });
const undated = list({ '2.8': undefined, '2.9': undefined, '2.10': undefined });
const sparse = { list: all, ends: { '2.4': '2025-01-01', '2.9': '2026-04-01' } };
const shortened = list({ '2.9': '2026-03-15' });
const days = (count: number, today: object) => Array.from({ length: count }, () => today as never);
const none = (count: number) => days(count, '' as never) as string[];

/** The reason of a hold of 2.9. */
const held = (before = ', not 2072-04-01', end = '2026-04-01') =>
  `5 of 10 releases in use would be lost: 2.9 ends on ${end}${before}`;
const heldEnded = '5 of 20 releases in use would be lost: 2.8 ends on 2026-02-01, not 2027-02-01';

testDays([
  [
    'a wrong end of one day is corrected on the second day on which its source corrects it',
    'stated',
    [right, typed, right, right, right],
    '2.9 until 2072-04-01',
    held(),
    '2.9 until 2026-04-01',
    '',
  ],
  [
    'a line that had support again for one day ends again',
    'stated',
    [right, revived, right, right],
    '2.8 until 2027-02-01',
    heldEnded,
    '2.8 until 2026-02-01',
  ],
  [
    'lines whose ends were missing for one day get their ends again',
    'stated',
    [right, undated, right, right],
    '2.8 until undefined, 2.9 until undefined, 2.10 until undefined',
    '5 of 20 releases in use would be lost: 2.8 ends on 2026-02-01 (no end before)',
    '2.8 until 2026-02-01, 2.9 until 2026-04-01, 2.10 until 2026-05-01',
  ],
  [
    'a line that had ended on an unknown day, and was open for one day, ends again',
    'stated',
    [list({ '2.8': true }), undated, list({ '2.8': true }), list({ '2.8': true })],
    '2.8 until undefined, 2.9 until undefined, 2.10 until undefined',
    '5 of 20 releases in use would be lost',
    '2.8 over, 2.9 until 2026-04-01, 2.10 until 2026-05-01',
  ],
  [
    'a line that its source listed for only one day loses its support again',
    'stated',
    [right, list({ '2.7': '2072-01-01' }), right, right],
    '2.7 until 2072-01-01',
    '5 of 20 releases in use would be lost',
    '',
  ],
  [
    'the ends of unlisted lines that followed from a line of one day are corrected',
    'stated',
    [sparse, { list: all, ends: { ...sparse.ends, '2.8': '2072-01-01' } }, sparse, sparse],
    '2.8 until 2072-01-01',
    '20 of 30 releases in use would be lost',
    '',
  ],
  [
    'an end that was wrong in two ways on two days is corrected',
    'stated',
    [right, typed, list({ '2.9': undefined }), right, right],
    '2.9 until 2072-04-01',
    '2.9 until undefined',
    held(' (no end before)'),
    '2.9 until 2026-04-01',
  ],
  [
    'an end that was wrong for 30 days is corrected',
    'stated',
    [right, ...days(30, typed), right, right],
    '2.9 until 2072-04-01',
    ...none(29),
    held(', not 2072-04-01', '2026-04-01'),
    '2.9 until 2026-04-01',
  ],
  [
    'an end that was wrong for 31 days stays until a person accepts its correction',
    'stated',
    [right, ...days(31, typed), right, right, right],
    '2.9 until 2072-04-01',
    ...none(30),
    ...[1, 2, 3].map(() => held().replace('10', '15')),
  ],
  [
    'an earlier end that readers did not have stays held',
    'stated',
    [right, typed, shortened, shortened, shortened],
    '2.9 until 2072-04-01',
    ...[1, 2, 3].map(() => held(', not 2072-04-01', '2026-03-15')),
  ],
  [
    'a day on which the source of the ends does not answer does not confirm a return',
    'stated',
    [right, typed, right, silent, silent, right],
    '2.9 until 2072-04-01',
    held(),
    held(),
    held(),
    '2.9 until 2026-04-01',
  ],
  [
    'a return is confirmed only by the same end',
    'stated',
    [right, typed, right, shortened, right, right],
    '2.9 until 2072-04-01',
    held(),
    held(', not 2072-04-01', '2026-03-15'),
    held(),
    '2.9 until 2026-04-01',
  ],
  [
    'a later end stays if its source is a mirror of two ages',
    'stated',
    [right, typed, ...[1, 2, 3, 4].flatMap(() => [right, typed])],
    '2.9 until 2072-04-01',
    ...[1, 2, 3, 4].flatMap(() => [held(), '']),
  ],
  [
    'a later end of a line that had ended stays, if a stale copy answers for one day',
    'stated',
    [right, revived, right, revived, revived, right, revived],
    '2.8 until 2027-02-01',
    heldEnded,
    '',
    '',
    heldEnded,
    '',
  ],
  [
    'a return takes effect although another end stays held',
    'stated',
    [
      right,
      list({ '2.9': '2072-04-01', '2.10': '2072-05-01' }),
      ...days(2, list({ '2.10': '2026-03-15' })),
    ],
    '2.9 until 2072-04-01, 2.10 until 2072-05-01',
    '10 of 15 releases in use would be lost: 2.9 ends on 2026-04-01, not 2072-04-01, 2.10 ends on 2026-03-15, not 2072-05-01',
    '5 of 15 releases in use would be lost: 2.10 ends on 2026-03-15, not 2072-05-01, 2.9 until 2026-04-01',
  ],
  [
    'a release that is listed late takes effect while a return is held',
    'stated',
    [right, typed, late, late],
    '2.9 until 2072-04-01',
    `${held()}, new 2.10.5`,
    '2.9 until 2026-04-01',
  ],
  [
    'an end that comes close only later is corrected at once',
    'stated',
    [list({ '2.9': '2028-01-01' }), typed, list({ '2.9': '2028-01-01' })],
    '2.9 until 2072-04-01',
    '2.9 until 2028-01-01',
  ],
]);

describe('an index', () => {
  const start = '2026-11-02';
  const yes = { status: 0, stdout: expect.any(String), stderr: '' };

  /** Opens an index of one component with three lines. `state` sets the end of 1.1 that its source gives. */
  async function open() {
    const index = await openOperatedIndex();
    const source = {
      datasource: 'json',
      url: `${index.url}/ends.json`,
      transform: '{"lines": lines}',
    };
    index.define('svc', listReleases(3), { support: { policy: 'stated', source } });
    const state = (until: string) => {
      const lines = Object.entries({ '1.0': '2028-06-01', '1.1': until, '1.2': '2028-12-01' });
      const body = JSON.stringify({
        lines: lines.map(([line, end]) => ({ line, phases: { support: end } })),
      });
      index.answers.set('ends', { type: 'application/json', body });
    };
    const readEnd = () =>
      index.readEffective('svc').lines!.find(({ line }) => line === '1.1')!.phases[0]!.until;
    return { index, state, readEnd };
  }

  test('warns about a return without failing, and confirms it only on a later day', async () => {
    const { index, state, readEnd } = await open();
    state('2026-12-15');
    await index.record(start);
    state('2072-12-15');
    await index.record(addDays(start, 1));
    expect(readEnd()).toBe('2072-12-15');

    state('2026-12-15');
    const returned = {
      ...yes,
      stderr: expect.stringMatching(/^warning: svc: held .* To accept it now: /),
    };
    expect(await index.record(addDays(start, 2))).toEqual(returned);
    expect(await index.record(addDays(start, 2))).toEqual(returned);
    expect(readEnd()).toBe('2072-12-15');
    expect(await index.record(addDays(start, 3))).toEqual(yes);
    expect(readEnd()).toBe('2026-12-15');
    const moves = index.data
      .readJournal('svc')
      .filter(({ line, initial }) => line === '1.1' && !initial);
    expect(moves.map(({ type, from, to }) => [type, from, to])).toEqual([
      ['support-changed', '2026-12-15', '2072-12-15'],
      ['support-changed', '2072-12-15', '2026-12-15'],
      ['support-ending', undefined, undefined],
    ]);
  });

  test('that only gathers has no events, so a person must accept a return', async () => {
    const { index, state, readEnd } = await open();
    for (const [position, until] of [
      '2026-12-15',
      '2072-12-15',
      '2026-12-15',
      '2026-12-15',
    ].entries()) {
      state(until);
      await index.run('gather', addDays(start, position));
    }

    expect(readEnd()).toBe('2072-12-15');
    expect(index.data.readHeld()).toMatchObject([{ kind: 'loss', since: addDays(start, 2) }]);
    expect(index.data.readHeld()).not.toMatchObject([{ isReturn: true }]);
  });
});
