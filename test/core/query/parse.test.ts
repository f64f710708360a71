import { expect, test } from 'vitest';
import { parseQuery, QueryError } from '../../../src/core/query/parse.ts';
import { fields } from '../../harness/query-fields.ts';

const parse = (text: string) => parseQuery(text, fields, Date.parse('2026-11-20'));

function refuse(query: string): QueryError {
  try {
    parse(query);
  } catch (error) {
    if (error instanceof QueryError) {
      return error;
    }
    throw error;
  }
  throw new Error(`"${query}" was read`);
}

const theEnd = 'the end of the query';
const aTerm = 'a term: field:pattern, field:>value, a flag, or a text in quotes';
const aPattern = 'a field and a pattern, or a text to look for';
const aBoolean = 'a Boolean field after !, or !field:*';
const aVersion = 'a version such as 2025.3 (version is a Version)';
const aDay =
  'a day or time such as 2026-01-31, 2026-01, 2026-01-31T10:30, today or -5d (releaseTimestamp is a Timestamp)';
const aDuration = 'a duration such as 90d, 24h, 1d12h, 1500ms, 3mo or P90D (age is a Duration)';
const aNumber = 'a number such as 10 or 1.5 (releases is a Number)';
const aSize = 'a size such as 10, 1.5gi or 500mb (size is a Storage size)';
const aFlag = 'true, false or * (isLatest is a Boolean)';
const aPair = 'key=value, in both of which * stands for any characters (label is a Key-value)';
const apart = 'a space, or double quotes around the whole text';

test.each<[query: string, position: number, expected: string, got: string]>([
  ['isLatst:true', 1, 'the name of a field (did you mean isLatest?)', 'isLatst:true'],
  ['isLatst', 1, 'the name of a field (did you mean isLatest?), or a text in quotes', 'isLatst'],
  [
    'svc -issupportd',
    6,
    'the name of a field (did you mean isSupported?), or a text in quotes',
    'issupportd',
  ],
  [
    'released:>2026-01-01',
    1,
    'the name of a field (did you mean releases?)',
    'released:>2026-01-01',
  ],
  ['svc xyzzyxyzzy:1', 5, 'the name of a field', 'xyzzyxyzzy:1'],
  ['__proto__:x', 1, 'the name of a field', '__proto__:x'],
  ['and:x', 1, 'the name of a field', 'and:x'],
  ['😀 isLatst:true', 3, 'the name of a field (did you mean isLatest?)', 'isLatst:true'],
  [':x', 1, aTerm, ':x'],
  ['a and', 6, aPattern, theEnd],
  ['a and or b', 7, aTerm, 'or'],
  ['a ()', 4, aPattern, ')'],
  ['a [b', 3, aPattern, '[b'],
  ['!', 2, aBoolean, theEnd],
  ['(a', 3, 'a ) for the ( at character 1', theEnd],
  ['a) b', 2, 'a ( before this one', ')'],
  ['- a', 1, aTerm, '-'],
  ['a -', 3, aTerm, '-'],
  ['"foo', 1, 'a closing " for this one', '"foo'],
  ['releases>5', 1, aTerm, 'releases>5'],
  ['component:', 11, aPattern, theEnd],
  ['component: svc', 11, aPattern, ' svc'],
  [
    'component:>a',
    11,
    'a text, in which * stands for any characters (component is a String)',
    '>a',
  ],
  ['component:(a or b)', 11, aPattern, '(a'],
  ['label:team', 7, aPair, 'team'],
  ['label:"te am"', 7, aPair, '"te'],
  ['label:>a=b', 7, aPair, '>a=b'],
  ['version:abc', 9, aVersion, 'abc'],
  ['version:1,2', 9, aVersion, '1,2'],
  ['version:>2025.*', 10, aVersion, '2025.*'],
  ['version:"2025.\\*"', 9, aVersion, '"2025.\\*"'],
  ['version:>', 10, aVersion, theEnd],
  ['version:=1', 9, aVersion, '=1'],
  ['version:"">1', 9, aVersion, '"">1'],
  ['version:""[1 to 2]', 9, aVersion, '""[1'],
  ['version:[2 to 1]', 10, 'the lower value before the higher', '2'],
  ['version:[1 2]', 11, 'the word to, as in [a to b]', ' 2]'],
  ['version:[1 to 2', 16, 'a ] at the end of the range', theEnd],
  ['version:[1 to 2 3]', 16, 'a ] at the end of the range', ' 3]'],
  ['version:[1 to 2]a', 17, apart, 'a'],
  ['releaseTimestamp:2026-02-30', 18, aDay, '2026-02-30'],
  ['releaseTimestamp:>2026-13', 19, aDay, '2026-13'],
  ['version:1..', 9, aVersion, '1..'],
  ['version:2..1', 9, aVersion, '2..1'],
  ['version:..1', 9, aVersion, '..1'],
  ['releaseTimestamp:..2026', 18, aDay, '..2026'],
  ['version:>=1..2', 11, aVersion, '1..2'],
  ['version:>=1.*', 11, aVersion, '1.*'],
  ['version:[1.* to 3]', 10, aVersion, '1.*'],
  ['version:[1..2 to 3]', 10, aVersion, '1..2'],
  ['version:*..5', 9, aVersion, '*..5'],
  ['version:1.*..5', 9, aVersion, '1.*..5'],
  ['releaseTimestamp:2026-01-31T24:00', 18, aDay, '2026-01-31T24:00'],
  ['releaseTimestamp:2026-01-31+24:00', 18, aDay, '2026-01-31+24:00'],
  ['releaseTimestamp:5d', 18, aDay, '5d'],
  ['releaseTimestamp:-5x', 18, aDay, '-5x'],
  ['releaseTimestamp:-1M', 18, aDay, '-1M'],
  ['releaseTimestamp:yesterday', 18, aDay, 'yesterday'],
  ['releaseTimestamp:[today to -5d]', 19, 'the lower value before the higher', 'today'],
  ['age:90', 5, aDuration, '90'],
  ['age:P1M1Y', 5, aDuration, 'P1M1Y'],
  ['age:0.5s', 5, aDuration, '0.5s'],
  ['age:1M', 5, aDuration, '1M'],
  ['age:P1DT', 5, aDuration, 'P1DT'],
  ['age:P5H', 5, aDuration, 'P5H'],
  ['age:-1d', 5, aDuration, '-1d'],
  ['releases:ten', 10, aNumber, 'ten'],
  ['releases:-1', 10, aNumber, '-1'],
  ['releases:9007199254740993', 10, aNumber, '9007199254740993'],
  ['size:10x', 6, aSize, '10x'],
  ['size:1.2.3k', 6, aSize, '1.2.3k'],
  ['isLatest:yes', 10, aFlag, 'yes'],
  ['isLatest:*x', 10, aFlag, '*x'],
  ['!svc', 2, aBoolean, 'svc'],
  ['!isDepricated', 2, aBoolean, 'isDepricated'],
  ['!"isLatest"', 2, aBoolean, '"isLatest"'],
  ['!isLatest:true', 2, aBoolean, 'isLatest:true'],
  ['!isLtest:*', 2, 'the name of a field (did you mean isLatest?)', 'isLtest:*'],
])('the query %s is refused at character %i', (query, position, expected, got) => {
  const error = refuse(query);

  expect([error.position, error.expected]).toEqual([position, expected]);
  expect(error.message).toBe(
    `character ${position}: expected ${expected}; got ${got === theEnd ? got : JSON.stringify(got)}`,
  );
});

test.each([
  ['2,001 characters', 'a'.repeat(2001), 2001, 'at most 2000 characters'],
  ['51 terms', 'a '.repeat(51), 101, 'at most 50 terms'],
  ...['(', '-', 'not '].map((open): [string, string, number, string] => [
    `51 levels of "${open}"`,
    `${open.repeat(51)}a`,
    open.length * 50 + 1,
    'at most 50 levels of parentheses and negation',
  ]),
])('a query with %s is refused', (_, query, position, expected) => {
  expect(refuse(query)).toMatchObject({ position, expected });
});

test.each([
  ['2,000 characters', 'a'.repeat(2000)],
  ['50 terms', 'a '.repeat(50)],
  ['50 levels', `${'('.repeat(50)}a${')'.repeat(50)}`],
])('a query with %s is read', (_, query) => {
  expect(() => parse(query)).not.toThrow();
});
