import { QuestionError } from '../../../src/core/query/question-error.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildFieldSet } from '../../../src/core/query/build-fields.ts';
import { valueForms } from '../../../src/core/query/field-types.ts';
import { completeRow } from '../../../src/core/query/rows.ts';
import { judgeQuery } from '../../../src/core/query/selection.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { listNegatedFlags } from '../../../src/core/query/query-terms.ts';
import { listUnitNotes, parsePolicyQuery } from '../../../src/core/query/query-units.ts';
import { day, fieldSet, matches, rows, selections, type Row } from './selections.ts';
import { covers } from '../../harness/covers.ts';

test.each(selections)('%s selects of three releases those at %j', (text, selected) => {
  covers(
    'Terms by spaces, fieldName:pattern, all must match',
    'and, or, parentheses',
    'leading - or not',
    '> > = < <= for Duration, Timestamp, Number, Storage size',
    'String: exact or *, case-insensitive',
    'Key-value, wildcards, quotes',
    'Simple form with d, h, m, s, ms',
    'Dates, times, seconds, milliseconds',
    'Optional offset',
    'A date with : is that whole day; range inclusive',
    'Boolean: bare, :true, :false, :*, !field:*, !field',
    'Number: exact, comparison, range',
    'Storage size',
  );
  const query = parseQuery(text, day, fieldSet);

  expect(rows.flatMap((row, place) => (matches(query, row) ? [place] : []))).toEqual(selected);
});

test('a known result holds whatever the unknown values are, and what is known throughout has one', () => {
  const [{ datasource: _, label: __, ...full }] = rows as [Row];
  for (const [text] of selections.filter(([text]) => !text.includes(':*'))) {
    const query = parseQuery(text, day, fieldSet);
    for (const row of rows) {
      const completed = { supportLeft: 'P1D', ...full, ...row };
      const truth = judgeQuery(query, row);

      if (truth !== undefined) {
        expect(matches(query, completed), text).toBe(truth);
      }
      expect(judgeQuery(query, completed), text).toBe(matches(query, completed));
    }
  }
});

test.each<[string, Row, boolean | undefined]>([
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
  ['reason:*malware*', { isDeprecated: false }, false],
  ['not severity:critical', {}, undefined],
  ['not severity:critical', { isVulnerable: false }, true],
  ['not exploitedSince:<=today', { isVulnerable: true, isExploited: false }, true],
  ['not exploitedSince:<=today', { isVulnerable: true }, undefined],
])('%s of %o is %s', (query, row, truth) => {
  expect(judgeQuery(parseQuery(query, day), row)).toBe(truth);
});

test('the flags that a query negates are those of which an unknown value is selected', () => {
  const flagsOf = (query: string) => listNegatedFlags(parseQuery(query, day));

  expect(flagsOf('isLatest -isSupported')).toEqual(['isSupported']);
  expect(flagsOf('!isSupported or not (isLts svc)')).toEqual(['isSupported', 'isLts']);
  expect(flagsOf('not not isSupported !isLatest:* -title:x isLts:false')).toEqual([]);
});

test('minutes in the query of a policy are an error that says what to write', () => {
  expect(() => parsePolicyQuery('isLatest supportLeft:>3m', day)).toThrow(
    'character 10: expected a length in days, or in months such as 3mo; got "3m", in minutes',
  );
  expect(() => parsePolicyQuery('age:<6mo or age:<6m', day)).toThrow('character 13: expected');
  expect(() => parsePolicyQuery('age:1h..90m', day)).toThrow('got "90m", in minutes');
  expect(() => parsePolicyQuery('supportedUntil:>+3m', day)).toThrow('got "3m", in minutes');
  for (const query of ['supportLeft:>3mo or age:<36h', 'supportedUntil:>+p3m', 'title:3m']) {
    expect(() => parsePolicyQuery(query, day)).not.toThrow();
  }
});

function refused(query: string) {
  try {
    parseQuery(query, day, fieldSet);
  } catch (error) {
    if (error instanceof QuestionError) {
      return { ...error.parts, message: error.message };
    }
    throw error;
  }
  throw new Error(`"${query}" was read`);
}

const theEnd = 'the end of the query';
const aTerm = 'a field and a pattern, or a text to look for';
const apart = 'a space, or double quotes around the whole text';

test.each<[string, number, string | RegExp, string]>([
  ['isLatst:true', 1, 'the name of a field (did you mean isLatest?)', 'isLatst'],
  ['isLatst', 1, 'the name of a field (did you mean isLatest?), or a text in quotes', 'isLatst'],
  ['svc -issupportd', 6, /did you mean isSupported/, 'issupportd'],
  ['released:>2026-01-01', 1, 'the name of a field (did you mean releaseTimestamp?)', 'released'],
  ['svc xyzzyxyzzy:1', 5, /^the name of a field \(for instance component, title, /, 'xyzzyxyzzy'],
  ['__proto__:x', 1, /^the name of a field/, '__proto__'],
  ['and:x', 1, /^the name of a field/, 'and'],
  ['😀 isLatst:true', 3, /did you mean isLatest/, 'isLatst'],
  [':x', 1, aTerm, ':x'],
  ['a and', 6, aTerm, theEnd],
  ['a and or b', 7, aTerm, 'or'],
  ['a ()', 4, aTerm, ')'],
  ['a [b', 3, aTerm, '[b'],
  ['!', 2, aTerm, theEnd],
  ['(a', 3, 'a ) for the ( at character 1', theEnd],
  ['a) b', 2, 'a ( before this one', ')'],
  ['- a', 2, 'a term right after the -', ' a'],
  ['a -', 4, 'a term right after the -', theEnd],
  ['"foo', 1, 'a closing " for this one', '"foo'],
  [String.raw`"a\x"`, 3, String.raw`\", \\ or \* in a text in quotes`, '\\'],
  ['foo"bar"', 4, apart, '"bar"'],
  ['package:com.example:agent', 20, apart, ':agent'],
  ['releases>5', 9, 'a comparison in the form field:>value', '>5'],
  ['component:', 11, /^a text/, theEnd],
  ['component: svc', 11, /^a text/, ' svc'],
  ['component:>a', 11, /^a text.* \(component is a String\)$/, '>a'],
  ['component:(a or b)', 11, /^a text/, '(a'],
  ['label:team', 7, /^key=value/, 'team'],
  ['label:"te am"', 7, /^key=value/, '"te am"'],
  ['label:>a=b', 7, /^key=value/, '>a=b'],
  ['label:a=b=c', 10, 'a space, or double quotes around the whole text', '=c'],
  ['version:abc', 9, /^a version such as 2025\.3/, 'abc'],
  ['version:1,2', 9, /^a version/, '1,2'],
  ['version:>2025.*', 10, /^a version/, '2025.*'],
  [String.raw`version:"2025.\*"`, 9, /^a version/, String.raw`"2025.\*"`],
  ['version:>', 10, /^a version/, theEnd],
  ['version:=1', 9, /^a version/, '=1'],
  ['version:"">1', 9, /^a version/, '""'],
  ['version:""[1 to 2]', 9, /^a version/, '""'],
  ['version:[2 to 1]', 9, 'the lower value before the higher, as in [a to b]', '[2 to 1]'],
  ['version:[1 2]', 12, 'the word to, as in [a to b]', '2]'],
  ['version:[1 to 2', 16, 'a ] at the end of the range', theEnd],
  ['version:[1 to 2 3]', 17, 'a ] at the end of the range', '3]'],
  ['version:[1 to 2]a', 17, apart, 'a'],
  ['releaseTimestamp:2026-02-30', 18, /^a day that exists/, '2026-02-30'],
  ['releaseTimestamp:>2026-13', 19, /^a day that exists/, '2026-13'],
  ['version:1..', 9, /^a version/, '1..'],
  ['version:2..1', 9, 'the lower value before the higher, as in a..b', '2..1'],
  ['version:..1', 9, /^a version/, '..1'],
  ['releaseTimestamp:..2026', 18, /^a day/, '..2026'],
  ['version:>=1..2', 11, /^a version/, '1..2'],
  ['version:>=1.*', 11, /^a version/, '1.*'],
  ['version:[1.* to 3]', 10, /^a version/, '1.*'],
  ['version:[1..2 to 3]', 10, /^a version/, '1..2'],
  ['version:*..5', 9, /^a version/, '*..5'],
  ['version:1.*..5', 9, /^a version/, '1.*..5'],
  ['releaseTimestamp:2026-01-31T24:00', 18, /^a day that exists/, '2026-01-31T24:00'],
  ['releaseTimestamp:2026-01-31+24:00', 18, /^a day that exists/, '2026-01-31+24:00'],
  ['releaseTimestamp:5d', 18, /^a day that exists/, '5d'],
  ['releaseTimestamp:-5x', 18, /^a day that exists/, '-5x'],
  ['releaseTimestamp:-1M', 18, /^a day that exists/, '-1M'],
  ['releaseTimestamp:yesterday', 18, /^a day that exists/, 'yesterday'],
  ['releaseTimestamp:[today to -5d]', 18, /^the lower value/, '[today to -5d]'],
  ['age:90', 5, /^a duration/, '90'],
  ['age:1y6mo', 5, /^a duration/, '1y6mo'],
  ['age:P1M1Y', 5, /^a duration/, 'P1M1Y'],
  ['age:PT1.5H3M', 5, /^a duration/, 'PT1.5H3M'],
  ['age:0.5s', 5, /^a duration/, '0.5s'],
  ['age:1M', 5, /^a duration/, '1M'],
  ['age:P1DT', 5, /^a duration/, 'P1DT'],
  ['age:P5H', 5, /^a duration/, 'P5H'],
  ['age:-1d', 5, /^a duration/, '-1d'],
  ['releases:ten', 10, /^a number such as 10 or 1\.5/, 'ten'],
  ['releases:-1', 10, /^a number/, '-1'],
  ['releases:9007199254740993', 10, /^a number/, '9007199254740993'],
  ['size:10x', 6, /^a size/, '10x'],
  ['size:1.2.3k', 6, /^a size/, '1.2.3k'],
  ['isLatest:yes', 10, /^true, false or \*/, 'yes'],
  ['isLatest:*x', 10, /^true, false or \*/, '*x'],
  ['!svc', 1, 'a Boolean field after !, such as !isDeprecated', '!svc'],
  ['!isDepricated', 1, 'a Boolean field after !: did you mean !isDeprecated?', '!isDepricated'],
  ['!version:*', 1, 'a Boolean field after !, such as !isDeprecated', '!version'],
  ['!"isLatest"', 1, 'a Boolean field after !: did you mean !isLatest?', '!"isLatest"'],
  ['!isLatest:true', 11, '* behind !isLatest: or no colon', 'true'],
  ['!isLtest:*', 2, 'the name of a field (did you mean isLatest?)', 'isLtest'],
])('the query %s is rejected at character %i', (query, position, expected, got) => {
  const error = refused(query);

  expect(error.position).toBe(position);
  expect(error.expected).toEqual(
    typeof expected === 'string' ? expected : expect.stringMatching(expected),
  );
  expect(error.message).toBe(
    `character ${position}: expected ${error.expected}; got ${got === theEnd ? got : JSON.stringify(got)}`,
  );
});

test('a query of more than 2,000 characters is rejected', () => {
  expect(() => parseQuery('😀'.repeat(2000), day)).not.toThrow();
  expect(refused('😀'.repeat(2001))).toMatchObject({
    position: 2001,
    expected: 'at most 2,000 characters',
  });
  expect(refused(`isLatest${' '.repeat(1992)}version:1`)).toMatchObject({
    message: 'character 2001: expected at most 2,000 characters; got "version:1"',
  });
});

test.each([
  ['(', ')', 50],
  ['-', '', 50],
  ['not ', '', 50],
  ['-(', ')', 25],
])('a query nested too deep by many "%s" is rejected', (open, close, most) => {
  const nest = (times: number) => `${open.repeat(times)}a${close.repeat(times)}`;

  expect(() => parseQuery(nest(most), day)).not.toThrow();
  expect(refused(nest(most + 1))).toMatchObject({
    position: open.length * most + 1,
    expected: 'at most 50 levels of parentheses and negation',
  });
});

test.each([
  ['a isLatst:true', 'i'],
  [`${'a or\n'.repeat(100)}isLatst:true ${'b '.repeat(100)}`, 'i'],
  ['"foo', '"'],
  ['a\u0007😀 isLatst:true', 'i'],
  ['a and', undefined],
])('a caret stands under the place in %j', (query, character) => {
  const [line, caret, ...more] = refused(query).pointer!.split('\n');

  expect(line!.length).toBeLessThan(110);
  expect(caret).toMatch(/^ *\^$/);
  expect([...line!][caret!.length - 1]).toBe(character);
  expect(more).toEqual([]);
});

test('a message about a long query shows 60 characters before the place and 40 from it on', () => {
  const [line, caret] = refused(`(${'b'.repeat(99)} isLatst:${'c'.repeat(99)}`).pointer!.split(
    '\n',
  );

  expect([line!.length, caret!.length]).toEqual([100, 61]);
});

const pieces = [...'()-!"\\[]:<>=* \n\0😀', '\uD800'];
const words =
  'or and not to version label age isLatest releaseTimestamp 2025.1 -5d __proto__ constructor';
const endless = [
  '(',
  '-',
  '[',
  '"',
  '*',
  'a*',
  'a or ',
  'not ',
  '((a) or ',
  '-(',
  'version:[',
  'title:*',
];
const aHostile = fc.oneof(
  fc
    .array(fc.constantFrom(...pieces, ...words.split(' ')), { maxLength: 300, size: 'max' })
    .map((list) => list.join('')),
  fc.string({ unit: 'binary', maxLength: 300, size: 'max' }),
  fc
    .constantFrom(...selections)
    .chain(([text]) => fc.nat(text.length).map((end) => text.slice(0, end))),
  fc.constantFrom(...endless).map((piece) => piece.repeat(2000 / piece.length)),
);

test('a hostile query is read or rejected, with a place that it has', () => {
  fc.assert(
    fc.property(aHostile, (text) => {
      try {
        const query = parseQuery(text, day, fieldSet);
        for (const row of rows) {
          matches(query, row);
        }
      } catch (error) {
        if (!(error instanceof QuestionError)) {
          throw error;
        }
        expect(error.parts.position).toBeGreaterThanOrEqual(1);
        expect(error.parts.position).toBeLessThanOrEqual([...text].length + 1);
        expect(error.parts.pointer).toContain('^');
      }
    }),
    { numRuns: 1000 },
  );
});

test('a query of many wildcards is tested against a long text', () => {
  const query = parseQuery(`title:${'*a'.repeat(900)}b`, day);

  expect(matches(query, { title: 'a'.repeat(100_000) })).toBe(false);
});

function selects(query: string, row: Row): boolean {
  return matches(parseQuery(query, day), row);
}

test.each(['', '  \t '])('the empty query %j selects all', (query) => {
  expect(selects(query, {})).toBe(true);
});

test('quotes protect white space, names of fields and operators, and a wildcard stays one unless escaped', () => {
  covers('Quotes for white space and special characters');
  expect(selects('"isLatest"', { title: 'an ISLATEST one' })).toBe(true);
  expect(selects('"or"', { title: 'for' })).toBe(true);
  expect(selects('title:"Build agent*"', { title: 'build agent for npm' })).toBe(true);
  expect(selects('"agent* npm"', { title: 'Build agent for npm' })).toBe(true);
  expect(selects('title:"*"', { title: 'x' })).toBe(true);
  expect(selects(String.raw`title:"\*"`, { title: 'x' })).toBe(false);
  expect(selects(String.raw`title:"\*"`, { title: '*' })).toBe(true);
  expect(selects(String.raw`title:"a\"b\\c"`, { title: 'a"b\\c' })).toBe(true);
  expect(selects('version:"2025.*"', { version: '2025.3' })).toBe(true);
});

test.each([
  'label:t*=bl*',
  'label:*=blue',
  'label:"the team"=blue',
  'label:"the team=bl*"',
  'label:"* team=b*e"',
])('a wildcard stands in keys and in values, as in %s', (query) => {
  covers('Key-value, wildcards, quotes');
  expect(selects(query, { label: { 'the team': 'Blue', tier: 'b=c' } })).toBe(true);
  expect(selects(query, { label: { 'the tier': 'red' } })).toBe(false);
});

test('a day has an offset where one is stated, and else is of UTC', () => {
  covers(
    'Optional offset',
    "Default zone: the browser's in dashboards, always UTC in the API",
    'Left out for pages, which read UTC as well: releases have days, and a shared query means the same to everybody.',
  );
  const night = { releaseTimestamp: '2026-01-30T23:30:00Z' };

  expect(selects('releaseTimestamp:2026-01-31', night)).toBe(false);
  expect(selects('releaseTimestamp:2026-01-30Z', night)).toBe(true);
  expect(selects('releaseTimestamp:2026-01-31+01:00', night)).toBe(true);
  expect(selects('releaseTimestamp:>2026-01-31-01:00', night)).toBe(false);
  expect(selects('releaseTimestamp:[2026-01-31+01:00 to 2026-01-31+01:00]', night)).toBe(true);
});

test('a fraction of a second is as exact as it is written', () => {
  covers('Dates, times, seconds, milliseconds');
  const late = { releaseTimestamp: '2026-01-31T10:30:00.570Z' };

  for (const time of ['00', '00.5', '00.57', '00.570', '00.570Z']) {
    expect(selects(`releaseTimestamp:2026-01-31T10:30:${time}`, late), time).toBe(true);
  }
  expect(selects('releaseTimestamp:2026-01-31T10:30:00.56', late)).toBe(false);
});

test.each([
  ['-500ms', '2026-11-19T23:59:59.500Z'],
  ['-30m', '2026-11-19T23:30:00Z'],
  ['-1d12h', '2026-11-18T12:00:00Z'],
  ['+PT0.5S', '2026-11-20T00:00:00.500Z'],
  ['-P5D', '2026-11-15T10:00:00Z'],
  ['-P1Y2M', '2025-09-20T10:00:00Z'],
  ['-p1m', '2026-10-20T10:00:00Z'],
])('%s counts from the start of the day by any duration', (time, releaseTimestamp) => {
  covers('Relative form by duration such as -5d');
  expect(selects(`releaseTimestamp:${time}`, { releaseTimestamp })).toBe(true);
  expect(selects(`releaseTimestamp:<${time}`, { releaseTimestamp })).toBe(false);
});

test.each([
  ['1500ms', 1500],
  ['1s500ms', 1500],
  ['PT1.5S', 1500],
  ['PT1,5S', 1500],
  ['P0.5D', 43_200_000],
  ['P1DT0.001S', 86_400_001],
])('a duration of %s is exact', (duration, length) => {
  covers('Duration ISO 8601', 'Simple form with d, h, m, s, ms');
  const holds = (query: string) =>
    matches(parseQuery(query, day, buildFieldSet), { buildDuration: length });

  expect(holds(`buildDuration:${duration}`)).toBe(true);
  expect(holds(`buildDuration:>${duration}`)).toBe(false);
  expect(holds(`buildDuration:>=${duration} -buildDuration:<${duration}`)).toBe(true);
});

const rowWith = (fields: Row) =>
  completeRow(
    { lineFields: { component: 'svc', ...fields }, releaseFields: { version: '1' } },
    day,
  );

test('age and what is left of support count from the start of the day', () => {
  expect(rowWith({ releaseTimestamp: '2026-11-18T12:00:00Z' })).toMatchObject({
    age: 'P1DT12H',
  });
  expect(rowWith({ releaseTimestamp: '2026-11-19T23:58:30Z' })).toMatchObject({
    age: 'PT1M30S',
  });
  expect(rowWith({ releaseTimestamp: '2026-11-20T10:00:00Z' })).toMatchObject({
    age: 'P0D',
  });
  expect(rowWith({ supportedUntil: '2027-02-18' })).toMatchObject({
    supportLeft: 'P90D',
  });
  expect(rowWith({ supportedUntil: '2026-11-20' })).toMatchObject({ supportLeft: 'P0D' });
  expect(rowWith({ supportedUntil: '2026-11-19' })).not.toHaveProperty('supportLeft');
});

test('months and years count by the calendar from the day, forward or back', () => {
  covers('Duration ISO 8601');
  expect(selects('supportLeft:<3mo', rowWith({ supportedUntil: '2027-02-19' }))).toBe(true);
  expect(selects('supportLeft:<3mo', rowWith({ supportedUntil: '2027-02-20' }))).toBe(false);
  expect(selects('age:>1y age:>P1Y', rowWith({ releaseTimestamp: '2025-11-19' }))).toBe(true);
  expect(selects('age:>1y', rowWith({ releaseTimestamp: '2025-11-20' }))).toBe(false);
  expect(selects('supportedUntil:+3mo', { supportedUntil: '2027-02-20' })).toBe(true);
  expect(selects('releaseTimestamp:<-30m', { releaseTimestamp: '2026-11-19T23:29:00Z' })).toBe(
    true,
  );
});

test('a year, a month and two dots are ranges', () => {
  const end = { supportedUntil: '2027-01-15', version: '2025.2' };

  expect(selects('supportedUntil:2027 supportedUntil:2027-01 -supportedUntil:2027-02', end)).toBe(
    true,
  );
  expect(selects('supportedUntil:>2026 supportedUntil:<=2027-01', end)).toBe(true);
  expect(selects('supportedUntil:2026-12..2027-01-15 version:2025.1..2025.3', end)).toBe(true);
  expect(selects('version:2025.3..2025.4', end)).toBe(false);
});

test('a bare word that is a value of a field is that value as well', () => {
  expect(selects('deprecated', { status: 'deprecated' })).toBe(true);
  expect(selects('deprecated', { title: 'Deprecated things' })).toBe(true);
  expect(selects('deprecated', { status: 'supported' })).toBe(false);
  expect(selects('ended', { isSupported: false })).toBe(true);
  expect(selects('"ended"', { isSupported: false })).toBe(false);
});

test('only a query for releases is told of their day', () => {
  expect(() => parseQuery('date:2026', day)).toThrow('did you mean releaseTimestamp?');
  expect(() => parseQuery('date:2026', day, buildFieldSet)).toThrow('for instance project, ');
});

test('a value that a closed field does not have is refused with those it has', () => {
  expect(() => parseQuery('status:ended', day)).toThrow(
    'expected one of supported, listed, deprecated, withdrawn',
  );
  expect(() => parseQuery('status:dep*', day)).not.toThrow();
});

test.each([
  ['supportLeft:<3m', ['3m']],
  ['component:svc not age:>24h', ['24h']],
  ['supportLeft:<3mo age:<1y age:>P1Y2M releaseTimestamp:-30m', []],
  ['age:>P3MT5M', ['5M']],
  ['age:>PT0.5S', ['0.5S']],
  ['age:>1500ms', ['1500ms']],
])('the units of %s that are finer than a day are noted', (query, parts) => {
  expect(listUnitNotes(parseQuery(query, day))).toEqual(
    parts.map(
      (part) =>
        `"${part}" has a unit finer than a day, and days are all that is known; a month is 1mo.`,
    ),
  );
});

test('a note names each unit that is finer than a day once, and at most five', () => {
  const query = 'age:>1h or age:>1h or supportLeft:<3m';
  const many = Array.from({ length: 7 }, (_, index) => `age:>${index}h`).join(' or ');

  expect(listUnitNotes(parseQuery(query, day))).toEqual([
    '"1h", "3m" have units finer than a day, and days are all that is known; a month is 1mo.',
  ]);
  expect(listUnitNotes(parseQuery(many, day))).toEqual([
    expect.stringMatching(/^"0h", "1h", "2h", "3h", "4h" and 2 more have units finer than a day, /),
  ]);
});

test.each([
  ['1.005k', 1005],
  ['1048577gi', 1_125_900_980_584_448],
])('%s is a size of %i bytes', (text, bytes) => {
  expect(valueForms['Storage size'].readText?.(text, 0, 1)).toBe(bytes);
});
