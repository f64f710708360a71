import { expect, test } from 'vitest';
import {
  endSentence,
  escapePattern,
  findNearest,
  formatCount,
  formatList,
  formatShare,
  joinSubject,
  quote,
  toLine,
  toLogLine,
} from '../../src/core/text.ts';

test('formatCount uses a singular noun only for one, and formatList shortens a long list', () => {
  expect([0, 1, 2340].map((count) => formatCount(count, 'release'))).toEqual([
    '0 releases',
    '1 release',
    '2,340 releases',
  ]);
  expect(formatList(['a', 'b'], 2)).toBe('a, b');
  expect(formatList(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
  expect(formatList(Array.from('a'.repeat(1500)), 1)).toBe('a and 1,499 more');
  expect([formatShare(1500, 1537), formatShare(9, 12)]).toEqual(['1,500 of 1,537', '9 of 12']);
  expect(['It ends', 'It ends.', 'Why?'].map(endSentence)).toEqual([
    'It ends.',
    'It ends.',
    'Why?',
  ]);
});

test.each([
  ['gahter', ['gather', 'search'], 'gather'],
  ['SUPORTLEFT', ['supportLeft'], 'supportLeft'],
  ['jan', ['jane'], 'jane'],
  ['foo', ['root', 'to'], undefined],
  ['3', ['1', '2'], undefined],
  ['tool'.repeat(51), [`${'tool'.repeat(51)}s`], undefined],
])('the nearest name to %j among %j is %j', (typed, names, meant) => {
  expect(findNearest(typed, names)).toBe(meant);
});

test.each([
  ['two\nlines\r\n', 'two lines'],
  ['a\u0000b\u2028c', 'a b c'],
  ['right\u202eleft\u200b', 'rightleft'],
  ['half \ud800', 'half \ufffd'],
])('toLine replaces or removes unsafe characters: %j becomes %j', (text, line) => {
  expect(toLine(text)).toBe(line);
});

test.each([
  ['site.json', 'is missing', 'site.json is missing'],
  ['live site', 'has data that is missing', 'live site has data that is missing'],
  ['clock', 'this machine says 2026-11-20', 'clock: this machine says 2026-11-20'],
  ['agent', 'issued again', 'agent: issued again'],
])(
  'joinSubject joins a subject and a message: "%s" and "%s" become "%s"',
  (subject, message, expected) => {
    expect(joinSubject(subject, message)).toBe(expected);
  },
);

test('toLine and quote shorten a long text', () => {
  expect(toLine('a'.repeat(20), 10)).toBe(`${'a'.repeat(9)}…`);
  expect(quote('a'.repeat(200))).toHaveLength(101);
  expect(quote('say "hi"')).toBe(String.raw`"say \"hi\""`);
});

test.each([
  ['::error::no', String.raw`\u003a:error::no`],
  ['  ::add-mask::x', String.raw`  \u003a:add-mask::x`],
  ['##[error]no', String.raw`\u0023\u0023[error]no`],
  ['red \u001b[31m', String.raw`red \u001b[31m`],
  ['two\nlines', String.raw`two\u000alines`],
])('prints the log line %j as %j', (text, line) => {
  expect(toLogLine(text)).toBe(line);
});

test('an escaped text matches only itself', () => {
  const text = String.raw`a.b*c+?^$[x](y){z}|\d`;

  expect(new RegExp(`^${escapePattern(text)}$`).test(text)).toBe(true);
  expect('aXb').not.toMatch(new RegExp(`^${escapePattern('a.b')}$`));
});
