/** Checks that readers never skip a required stop because a source forgot it for a day. */
import { expect, test } from 'vitest';
import type { Recorded } from '../../src/core/schema/recorded.ts';
import type { Definition } from '../../src/core/schema/written.ts';
import { mark, omit, testDays, yank } from '../harness/gate-days.ts';
import { all, pass, policies } from '../harness/gated.ts';
import { release, subjectOf } from '../harness/judging.ts';

const stops = /^2\.(?:3|7)\.0$/;
const marked = mark(all, stops);
const fewer = mark(all, /^2\.3\.0$/);
const later = mark(all, /^2\.(?:3\.0|7\.2)$/);
const loss = 'the required stop 2.7 would be lost';
const both = 'the required stops 2.3 and 2.7 would be lost';

testDays([
  ['a new stop takes effect at once', 'none term', [all, marked], 'stop 2.3.0 2.7.0'],
  ['a source that loses a stop is held every day', 'none term', [marked, fewer, fewer], loss, loss],
  ['a source that loses all its stops is held', 'none', [marked, all, all], both, both],
  ['the hold ends if the source marks the stop again', 'none', [marked, fewer, marked], loss, ''],
  [
    'a mirror of two ages never opens the way',
    'none',
    [marked, all, marked, all, marked],
    both,
    '',
    both,
    '',
  ],
  [
    'a stop that moves to another release of its line is no loss',
    'none',
    [marked, later],
    'stop 2.7.2, no stop 2.7.0',
  ],
  [
    'a stop is added and another one is lost on the same day',
    'none',
    [fewer, mark(all, /^2\.7\.0$/)],
    'the required stop 2.3 would be lost, stop 2.7.0',
  ],
  [
    'a lost stop waits together with a withdrawal that is held',
    'none',
    [marked, omit(marked, /^2\.(?:10|11)\./), omit(all, /^2\.(?:10|11)\./)],
    '',
    `10 of 15 releases in use would be lost; ${both}`,
  ],
  [
    'a stop that is yanked stays a stop, even if its source no longer marks it',
    'none',
    [marked, yank(marked, /^2\.7\.0$/), yank(fewer, /^2\.7\.0$/)],
    'yanked 2.7.0',
    loss,
  ],
  [
    'a withdrawn stop stays a stop',
    'none',
    [marked, ...[1, 2].map(() => omit(marked, stops))],
    '',
    'withdrawn 2.3.0 2.7.0',
  ],
  [
    'an owner who edits the source removes stops at once',
    'none',
    [marked, { list: fewer, isEdited: true }],
    'no stop 2.7.0',
  ],
]);

test('a line that loses its long-term support stays a stop, unless another source now gives it', () => {
  const names = ['1.1', '1.2', '1.3'];
  const answer = (lts: true | undefined) => ({
    releases: names.map((line) => release(`${line}.0`, '2026-01-01')),
    lines: names.map((line) => ({
      line,
      lts: line === '1.2' ? lts : undefined,
      phases: [{ name: 'support', until: '2027-01-01' }],
    })),
  });
  const { definition: usual } = subjectOf([], { support: policies.stated });
  const definition: Definition = { ...usual, requiredStops: { lines: 'lts' } };
  const live = (before: Recorded, after: Recorded, values = {}) =>
    pass({}, before, after, { definition, ...values });
  const first = live(answer(true), answer(undefined));
  const second = live(first.effective, answer(undefined), { held: first.held });
  const mended = live(second.effective, answer(true), { held: second.held });

  expect(first.held.map(({ reason }) => reason)).toEqual(['the required stop 1.2 would be lost']);
  expect(second.held).toEqual(first.held);
  expect(mended.held).toEqual([]);
  expect(live(answer(true), answer(undefined), { hasFirstEnds: true }).held).toEqual([]);
});
