import { expect, test } from 'vitest';
import { parseQuery } from '../../../src/ask/query/parse.ts';
import { fields } from '../../harness/query-fields.ts';

const parse = (text: string) => parseQuery(text, fields, Date.parse('2026-11-20'));

/** Invalid queries, grouped by what their error says is expected. `^` marks the position that the error names. */
const rejected = {
  'the name of a field (did you mean isLatest?)': [
    '😀 ^isLatst:true',
    '!^isLtest:*',
    '^latst:true',
  ],
  'the name of a field (did you mean isLatest?), or a text in quotes': ['^isLatst'],
  'the name of a field (did you mean isSupported?), or a text in quotes': ['svc -^issupportd'],
  'the name of a field': ['svc ^xyzzyxyzzy:1', '^__proto__:x', '^and:x'],
  'a term: field:pattern, field:>value, a flag, or a text in quotes': [
    '^:x',
    'a and ^or b',
    '^- a',
    '^releasesBehind>5',
  ],
  'a field and a pattern, or a text to look for': ['a and^', 'a ^[b'],
  'a Boolean field after !, or !field:*': ['!^', '!^svc', '!^isLatest:true'],
  'a ) for the ( at character 1': ['(a^'],
  'a ( before this one': ['a^) b'],
  'a closing " for this one': ['^"foo'],
  'a text, in which * stands for any characters (component is a String)': ['component:^>a'],
  'key=value, in both of which * stands for any characters (label is a Key-value)': [
    'label:^team',
    'label:^"te am"',
    'label:^>a=b',
  ],
  'a version such as 2025.3 (version is a Version)': [
    'version:^abc',
    'version:>^2025.*',
    'version:>^',
    'version:^=1',
    'version:^"">1',
    'version:^*..5',
  ],
  'the lower value before the higher': ['version:[^2 to 1]', 'releaseTimestamp:[^today to -5d]'],
  'the word to, as in [a to b]': ['version:[1^ 2]'],
  'a ] at the end of the range': ['version:[1 to 2^', 'version:[1 to 2^ 3]'],
  'a space, or double quotes around the whole text': ['version:[1 to 2]^a'],
  'a day or time such as 2026-01-31, 2026-01, 2026-01-31T10:30, today or -5d (releaseTimestamp is a Timestamp)':
    [
      'releaseTimestamp:^2026-02-30',
      'releaseTimestamp:^..2026',
      'releaseTimestamp:^2026-01-31T24:00',
      'releaseTimestamp:^5d',
    ],
  'a duration such as 90d, 24h, 1d12h, 1500ms, 3mo or P90D (age is a Duration)': [
    'age:^90',
    'age:^P1M1Y',
    'age:^0.5s',
    'age:^P5H',
  ],
  'a number such as 10 or 1.5 (releasesBehind is a Number)': [
    'releasesBehind:^-1',
    'releasesBehind:^9007199254740993',
  ],
  'a size such as 10, 1.5gi or 500mb (size is a Storage size)': ['size:^10x', 'size:^1.2.3k'],
  'true, false or * (isLatest is a Boolean)': ['isLatest:^yes'],
};

const rows = Object.entries(rejected).flatMap(([expected, queries]) =>
  queries.map((marked) => [marked, expected] as const),
);

test.each(rows)(
  'the parser rejects the query %s, and says that it expected %s',
  (marked, expected) => {
    const position = Array.from(marked).indexOf('^') + 1;
    const message = `character ${position}: expected ${expected}; got `;

    expect(() => parse(marked.replace('^', ''))).toThrow(message);
  },
);

test('an error about a query that ends too early names what the parser expected', () => {
  expect(() => parse('component:')).toThrow(
    'character 11: expected a field and a pattern, or a text to look for; got the end of the query',
  );
});

const deep = (open: string, levels: number) => `${open.repeat(levels)}a`;

test.each([
  ['a'.repeat(2001), 2001, 'at most 2000 characters'],
  ['a '.repeat(51), 101, 'at most 50 terms'],
  [deep('(', 51), 51, 'at most 50 levels of parentheses and negation'],
  [deep('-', 51), 51, 'at most 50 levels of parentheses and negation'],
])('the parser rejects a query that is over a limit (%#)', (query, position, expected) => {
  expect(() => parse(query)).toThrow(`character ${position}: expected ${expected}; got `);
});

test.each(['lime', 'title'])('the word %s is looked for as a text', (word) => {
  expect(parse(word)).toMatchObject({ test: { pieces: expect.arrayContaining([word]) } });
});

test.each(['a'.repeat(2000), 'a '.repeat(50), deep('(', 50) + ')'.repeat(50)])(
  'accepts a query that is exactly at a limit: %#',
  (query) => {
    expect(() => parse(query)).not.toThrow();
  },
);
