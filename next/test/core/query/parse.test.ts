import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeRow, selects, type Row } from '../../../src/core/query/match.ts';
import { parseQuery, QueryError, type Field } from '../../../src/core/query/parse.ts';
import { releaseFields } from '../../../src/core/query/release-fields.ts';
import { listNegatedFlags } from '../../../src/serve/query-terms.ts';

/** The start of a day. */
const now = Date.parse('2026-11-20');

/** Those of releases, and one of each type that no release has. */
const fields: readonly Field[] = [
  ...releaseFields,
  { name: 'size', type: 'Storage size' },
  { name: 'releases', type: 'Number' },
  { name: 'label', type: 'Key-value' },
];

const parse = (text: string) => parseQuery(text, fields, now);

const rows: readonly Row[] = [
  {
    component: 'svc',
    title: 'The Server',
    datasource: ['npm', 'docker'],
    version: '1.0',
    isLatest: false,
    isSupported: true,
    releaseTimestamp: '2026-11-18T12:00:00Z',
    age: 'P1DT12H',
    label: { team: 'Blue', 'a b': 'x*y' },
    releases: 10,
    size: 1500,
  },
  {
    component: 'SVC-cli',
    title: 'Ähnlich (4)',
    version: '1.0-rc-10',
    isLatest: true,
    isSupported: false,
    releaseTimestamp: '2026-11-20',
    age: 'P0D',
    label: { Tier: 'blue' },
    releases: 2,
    size: 1024,
  },
  { component: 'agent', version: 'v2025.03', isLatest: true, supportLeft: 'P90D' },
];

/** Queries with the places of the rows that each selects. */
const selections: readonly (readonly [query: string, selected: readonly number[]])[] = [
  // Terms and how they combine.
  ['component:svc isSupported', [0]],
  ['component:svc component:agent', []],
  ['component:svc or component:agent isLatest', [0, 2]],
  ['(component:svc or component:agent) isLatest', [2]],
  ['component:svc OR component:agent AND isLatest:false', [0]],
  ['not component:svc isLatest', [1, 2]],
  ['not (component:svc or isSupported:*)', [2]],
  ['-component:svc -component:agent', [1]],
  ['NOT not component:svc', [0]],
  ['( \tcomponent:svc\n)', [0]],
  // Texts.
  ['COMPONENT:Svc', [0]],
  ['component:svc*', [0, 1]],
  ['component:*c*i', [1]],
  ['component:s*v*c*c', []],
  ['title:ä*', [1]],
  ['title:"Ähnlich (4)"', [1]],
  ['datasource:DOCKER', [0]],
  ['svc', [0, 1]],
  ['server', [0]],
  ['"1.0"', [0, 1]],
  ['label:team=blue', [0]],
  ['label:t*=BL*', [0, 1]],
  [String.raw`label:"* b"="x\*y"`, [0]],
  ['label:team=*y', []],
  ['label:*', [0, 1]],
  // Versions, by rank: spellings of one version are equal.
  ['version:1.00', [0]],
  ['version:V01.0', [0]],
  ['version:>1.0', [2]],
  ['version:<1.0', [1]],
  ['version:>1.0-rc-2', [0, 1, 2]],
  ['version:<=1.0-rc-010', [1]],
  ['version:[1.0 to 2025.3]', [0, 2]],
  ['version:>=2025.3', [2]],
  ['version:1.*', [0, 1]],
  // Booleans.
  ['isLatest', [1, 2]],
  ['isLatest:TRUE', [1, 2]],
  ['isSupported:false', [1]],
  ['isSupported:*', [0, 1]],
  ['!isSupported', [1, 2]],
  ['!isSupported:*', [2]],
  // Days and instants.
  ['releaseTimestamp:2026-11-18', [0]],
  ['releaseTimestamp:2026-11-18T12:00', [0]],
  ['releaseTimestamp:2026-11-18T12:00:01', []],
  ['releaseTimestamp:2026-11-18T13:00:00.000+01:00', [0]],
  ['releaseTimestamp:>2026-11-18', [1]],
  ['releaseTimestamp:>=2026-11-18T12:00', [0, 1]],
  ['releaseTimestamp:<2026-11-20', [0]],
  ['releaseTimestamp:Today', [1]],
  ['releaseTimestamp:-2d', [0]],
  ['releaseTimestamp:[-1w TO today]', [0, 1]],
  ['releaseTimestamp:-36h', [0]],
  // Durations, numbers and sizes.
  ['age:36h', [0]],
  ['age:P1DT12H', [0]],
  ['age:<1d', [1]],
  ['age:[ 0d to PT36,0H ]', [0, 1]],
  ['supportLeft:>=12w6d', [2]],
  ['supportLeft:<129600m', []],
  ['releases:10', [0]],
  ['releases:>2.5', [0]],
  ['releases:[2 to 9]', [1]],
  ['size:1.5k', [0]],
  ['size:1KiB', [1]],
  ['size:<1500b', [1]],
  ['size:>=0.001m', [0, 1]],
];

test.each(selections)('%s selects of three rows those at %j', (text, selected) => {
  const query = parse(text);

  expect(rows.flatMap((row, place) => (selects(query, row) ? [place] : []))).toEqual(selected);
});

test('a known judgement holds whatever the unknown values are, and what is known throughout has one', () => {
  for (const [text] of selections.filter(([text]) => !text.includes(':*'))) {
    const query = parse(text);
    for (const row of rows) {
      const completed = { supportLeft: 'P1D', ...rows[0], ...row };
      const truth = judgeRow(query, row);

      expect(truth ?? selects(query, completed), text).toBe(selects(query, completed));
      expect(judgeRow(query, completed), text).toBe(selects(query, completed));
    }
  }
});

test.each<[query: string, row: Row, truth: boolean | undefined]>([
  ['isSupported', {}, undefined],
  ['not isSupported', {}, undefined],
  ['isSupported:*', {}, false],
  ['!isSupported:*', {}, true],
  ['isSupported not isDeprecated', { isDeprecated: true }, false],
  ['isSupported not isDeprecated', { isDeprecated: false }, undefined],
  ['isSupported or isLatest', { isLatest: true }, true],
  ['not (isSupported isLatest)', { isLatest: false }, true],
  ['supportLeft:>90d', { isSupported: true }, undefined],
  ['reason:*malware*', {}, undefined],
  ['reason:*malware*', { reason: null }, false],
  ['not severity:critical', {}, undefined],
  ['not severity:critical', { severity: null }, true],
  ['fixes:*', { fixes: [] }, false],
  ['fixes:*', { fixes: ['CVE-2026-1'] }, true],
])('%s of %o is %s', (query, row, truth) => {
  expect(judgeRow(parse(query), row)).toBe(truth);
});

test('the flags that a query negates are those of which an unknown value is selected', () => {
  const flagsOf = (query: string) => listNegatedFlags(parse(query));

  expect(flagsOf('isLatest -isSupported')).toEqual(['isSupported']);
  expect(flagsOf('!isSupported or not (isLts svc)')).toEqual(['isSupported', 'isLts']);
  expect(flagsOf('not not isSupported !isLatest:* -title:x isLts:false')).toEqual([]);
});

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

const words =
  '( ) - ! " \\ [ ] : < > = * or and not to version label age isLatest 2025.1 -5d __proto__ 😀 \0';
const aQuery = fc.oneof(
  fc.array(fc.constantFrom(' ', ...words.split(' '))).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
  fc
    .constantFrom(...selections)
    .chain(([text]) => fc.nat(text.length).map((end) => text.slice(0, end))),
);

test('any text is read, or refused at a place that it has', () => {
  fc.assert(
    fc.property(aQuery, (text) => {
      try {
        const query = parse(text);
        rows.forEach((row) => selects(query, row));
      } catch (error) {
        expect(error).toBeInstanceOf(QueryError);
        expect((error as QueryError).position).toBeGreaterThanOrEqual(1);
        expect((error as QueryError).position).toBeLessThanOrEqual([...text].length + 1);
      }
    }),
    { numRuns: 300 },
  );
});

/** Whether a query selects a row. */
function holds(query: string, row: Row): boolean {
  return selects(parse(query), row);
}

test.each(['', '  \t '])('the empty query %j selects all', (query) => {
  expect(holds(query, {})).toBe(true);
});

test.each<[query: string, row: Row, isSelected: boolean]>([
  ['"isLatest"', { title: 'an ISLATEST one' }, true],
  ['"or"', { title: 'for' }, true],
  ['title:"Build agent*"', { title: 'build agent for npm' }, true],
  ['"agent* npm"', { title: 'Build agent for npm' }, true],
  ['title:"*"', { title: 'x' }, true],
  [String.raw`title:"\*"`, { title: 'x' }, false],
  [String.raw`title:"\*"`, { title: '*' }, true],
  [String.raw`title:"a\"b\\c"`, { title: 'a"b\\c' }, true],
  ['version:"2025.*"', { version: '2025.3' }, true],
  ['package:com.example:agent', { package: ['com.example:agent'] }, true],
])(
  'quotes protect what %s has, and a wildcard stays one unless escaped: %o',
  (query, row, isSelected) => {
    expect(holds(query, row)).toBe(isSelected);
  },
);

test.each(['t*=bl*', '*=blue', '"the team"=blue', '"the team=bl*"', '"* team=b*e"'])(
  'wildcards stand in keys and in values, as in label:%s',
  (pair) => {
    expect(holds(`label:${pair}`, { label: { 'the team': 'Blue', tier: 'b=c' } })).toBe(true);
    expect(holds(`label:${pair}`, { label: { 'the tier': 'red' } })).toBe(false);
  },
);

test('a pattern of many wildcards is tested against a long text', () => {
  expect(holds(`title:${'*a'.repeat(900)}b`, { title: 'a'.repeat(100_000) })).toBe(false);
});

test.each<[time: string, isSelected: boolean]>([
  ['2026-01-31', false],
  ['2026-01-30Z', true],
  ['2026-01-31+01:00', true],
  ['>2026-01-31-01:00', false],
  ['[2026-01-31+01:00 to 2026-01-31+01:00]', true],
  ['2026', true],
  ['2026-01', true],
  ['2026-02', false],
  ['>2025', true],
  ['<=2026-01', true],
  ['2026-01-30T23:30', true],
  ['2026-01-30T23:30:00.57', true],
  ['2026-01-30T23:30:00.56', false],
])('the instant 2026-01-30T23:30:00.570Z is in %s: %s', (time, isSelected) => {
  const row = { releaseTimestamp: '2026-01-30T23:30:00.570Z' };

  expect(holds(`releaseTimestamp:${time}`, row)).toBe(isSelected);
});

test.each([
  ['-500ms', '2026-11-19T23:59:59.500Z'],
  ['-30m', '2026-11-19T23:30:00Z'],
  ['-1d12h', '2026-11-18T12:00:00Z'],
  ['+PT0.5S', '2026-11-20T00:00:00.500Z'],
  ['-P5D', '2026-11-15T10:00:00Z'],
  ['-1w', '2026-11-13T23:59:59Z'],
  ['today', '2026-11-20T23:59:59Z'],
])('%s counts from the start of the day, and whole days are days', (time, releaseTimestamp) => {
  expect(holds(`releaseTimestamp:${time}`, { releaseTimestamp })).toBe(true);
  expect(holds(`releaseTimestamp:<${time}`, { releaseTimestamp })).toBe(false);
});

test.each([
  ['>-1d', '2026-11-19T14:31:00Z', true],
  ['>-1d', '2026-11-19T14:30:00Z', false],
  ['>-24h', '2026-11-19T14:31:00Z', true],
  ['<-1d', '2026-11-19T14:29:59Z', true],
  ['today', '2026-11-20T00:00:00Z', true],
  ['today', '2026-11-19T23:59:59Z', false],
])(
  'from an instant within a day, %s is an instant, and today a day: %s %s',
  (time, releaseTimestamp, isSelected) => {
    const query = parseQuery(
      `releaseTimestamp:${time}`,
      releaseFields,
      Date.parse('2026-11-20T14:30:00Z'),
    );

    expect(selects(query, { releaseTimestamp })).toBe(isSelected);
  },
);

test.each([
  ['1500ms', 'PT1.5S'],
  ['1s500ms', 'PT1,5S'],
  ['90d', 'P90D'],
  ['36h', 'P1DT12H'],
  ['3mo', 'P90D'],
  ['1y', 'P365D'],
])('a duration of %s is %s', (short, iso) => {
  expect(holds(`age:${short}`, { age: iso })).toBe(true);
  expect(holds(`age:>${short}`, { age: iso })).toBe(false);
  expect(holds(`age:<${short}`, { age: iso })).toBe(false);
});

test.each([
  ['1.005k', 1005],
  ['1048577gi', 1_125_900_980_584_448],
  ['500MB', 500_000_000],
])('%s is a size of %i bytes', (text, size) => {
  expect(holds(`size:${text}`, { size })).toBe(true);
});
