import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listNegatedFlags } from '../../../src/ask/query/hints.ts';
import { judgeRow, selects, type Values } from '../../../src/ask/query/match.ts';
import { parseQuery, QueryError } from '../../../src/ask/query/parse.ts';
import { fields } from '../../harness/query-fields.ts';

const now = Date.parse('2026-11-20');

const parse = (text: string) => parseQuery(text, fields, now);

const rows: readonly Values[] = [
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
    releasesBehind: 10,
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
    releasesBehind: 2,
    size: 1024,
  },
  { component: 'agent', version: 'v2025.03', isLatest: true, supportLeft: 'P90D' },
];

/** Queries, each with the indexes of the rows that it selects. */
const selections: readonly (readonly [query: string, selected: readonly number[]])[] = [
  // Queries with operators.
  ['component:svc isSupported', [0]],
  ['(component:svc or component:agent) isLatest', [2]],
  ['component:svc OR component:agent AND isLatest:false', [0]],
  ['not component:svc isLatest', [1, 2]],
  ['-component:svc -component:agent', [1]],
  ['( \tcomponent:svc\n)', [0]],
  // Queries on text fields.
  ['COMPONENT:Svc', [0]],
  ['component:*c*i', [1]],
  ['component:s*v*c*c', []],
  ['title:"Ähnlich (4)"', [1]],
  ['datasource:DOCKER', [0]],
  ['svc', [0, 1]],
  // A number matches a whole group of digits at the start of a version: 20 does not match 2025.
  ['1', [0, 1]],
  ['1.0', [0, 1]],
  ['0', []],
  ['20', []],
  ['v2025', [2]],
  ['2025.03', [2]],
  ['"025"', [2]],
  ['4', [1]],
  ['label:team=blue', [0]],
  [String.raw`label:"* b"="x\*y"`, [0]],
  ['label:*', [0, 1]],
  // Versions compare by rank: 1.0 and 1.00 are equal.
  ['version:1.00', [0]],
  ['version:>1.0', [2]],
  ['version:<=1.0-rc-010', [1]],
  ['version:1.*', [0, 1]],
  // Queries on Boolean fields.
  ['isSupported:false', [1]],
  ['!isSupported', [1, 2]],
  ['!isSupported:*', [2]],
  // Queries on dates and times.
  ['releaseTimestamp:2026-11-18', [0]],
  ['releaseTimestamp:2026-11-18T12:00', [0]],
  ['releaseTimestamp:2026-11-18T13:00:00.000+01:00', [0]],
  ['releaseTimestamp:>2026-11-18', [1]],
  ['releaseTimestamp:Today', [1]],
  ['releaseTimestamp:-2d', [0]],
  ['releaseTimestamp:[-1w TO today]', [0, 1]],
  // Queries on durations, numbers and sizes.
  ['age:36h', [0]],
  ['age:P1DT12H', [0]],
  ['age:<1d', [1]],
  ['age:[ 0d to PT36,0H ]', [0, 1]],
  ['supportLeft:>=12w6d', [2]],
  ['releasesBehind:10', [0]],
  ['releasesBehind:>2.5', [0]],
  ['releasesBehind:[2 to 9]', [1]],
  ['size:1KiB', [1]],
  ['size:>=0.001m', [0, 1]],
];

test.each(selections)('the query %s selects the rows %j', (text, selected) => {
  const query = parse(text);

  expect(rows.flatMap((row, place) => (selects(query, row) ? [place] : []))).toEqual(selected);
});

test('a query gives a definite result if no unknown value can change the result', () => {
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

test.each<[query: string, row: Values, truth: boolean | undefined]>([
  ['isSupported not isDeprecated', { isDeprecated: true }, false],
  ['isSupported or isLatest', { isLatest: true }, true],
  ['not (isSupported isLatest)', { isLatest: false }, true],
  ['supportLeft:>90d', { isSupported: true }, undefined],
  ['reason:*malware*', { reason: null }, false],
  ['not severity:critical', { severity: null }, true],
  ['fixes:*', { fixes: [] }, false],
])('the query %s gives for a release with %o the result %s', (query, row, truth) => {
  expect(judgeRow(parse(query), row)).toBe(truth);
});

test('listNegatedFlags returns exactly the flags that a query negates', () => {
  const flagsOf = (query: string) => listNegatedFlags(parse(query));

  expect(flagsOf('isLatest -isSupported')).toEqual(['isSupported']);
  expect(flagsOf('!isSupported or not (isLts svc)')).toEqual(['isSupported', 'isLts']);
  expect(flagsOf('not not isSupported !isLatest:* -title:x isLts:false')).toEqual([]);
});

const words =
  '( ) - ! " \\ [ ] : < > = * or and not to version label age isLatest 2025.1 -5d __proto__ 😀 \0';
const aQuery = fc.oneof(
  fc.array(fc.constantFrom(' ', ...words.split(' '))).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);

test('each error of the query parser has a position inside the query', () => {
  fc.assert(
    fc.property(aQuery, (text) => {
      try {
        const query = parse(text);
        rows.forEach((row) => selects(query, row));
      } catch (error) {
        expect(error).toBeInstanceOf(QueryError);
        const { position } = error as QueryError;
        expect(position).toBeGreaterThanOrEqual(1);
        expect(position).toBeLessThanOrEqual([...text].length + 1);
      }
    }),
    { numRuns: 300 },
  );
});

const instant = { releaseTimestamp: '2026-01-30T23:30:00.570Z' };
const [inDay, outside] = [
  '2026-01-30Z 2026-01-31+01:00 [2026-01-31+01:00_to_2026-01-31+01:00] 2026 2026-01 >2025 <=2026-01 2026-01-30T23:30 2026-01-30T23:30:00.57',
  '2026-01-31 >2026-01-31-01:00 2026-02 2026-01-30T23:30:00.56',
].map((times) =>
  times.split(' ').map((time) => `releaseTimestamp:${time.replaceAll('_', ' ')}`),
) as [string[], string[]];
const labels = { label: { 'the team': 'Blue', tier: 'b=c' } };

test.each<[query: string, row: Values, isSelected: boolean]>([
  ['', {}, true],
  ['"isLatest"', { title: 'an ISLATEST one' }, true],
  ['title:"Build agent*"', { title: 'build agent for npm' }, true],
  ['"agent* npm"', { title: 'Build agent for npm' }, true],
  [String.raw`title:"\*"`, { title: 'x' }, false],
  [String.raw`title:"\*"`, { title: '*' }, true],
  [String.raw`title:"a\"b\\c"`, { title: 'a"b\\c' }, true],
  ['version:"2025.*"', { version: '2025.3' }, true],
  ['package:com.example:agent', { package: ['com.example:agent'] }, true],
  ['label:"* team=b*e"', labels, true],
  ['label:"the team"=c', labels, false],
  [`title:${'*a'.repeat(900)}b`, { title: 'a'.repeat(100_000) }, false],
  ...inDay.map((query): [string, Values, boolean] => [query, instant, true]),
  ...outside.map((query): [string, Values, boolean] => [query, instant, false]),
  ['size:1.005k', { size: 1005 }, true],
  ['size:1048577gi', { size: 1_125_900_980_584_448 }, true],
  ['size:500MB', { size: 500_000_000 }, true],
])('the query %s selects %o: %s', (query, row, isSelected) => {
  expect(selects(parse(query), row)).toBe(isSelected);
});

test.each([
  ['-500ms', '2026-11-19T23:59:59.500Z'],
  ['-1d12h', '2026-11-18T12:00:00Z'],
  ['+PT0.5S', '2026-11-20T00:00:00.500Z'],
  ['-P5D', '2026-11-15T10:00:00Z'],
  ['today', '2026-11-20T23:59:59Z'],
])('the relative time %s in a query matches the release time %s', (time, releaseTimestamp) => {
  const holds = (test: string) => selects(parse(`releaseTimestamp:${test}`), { releaseTimestamp });

  expect([holds(time), holds(`<${time}`)]).toEqual([true, false]);
});

test.each([
  ['>-1d', '2026-11-19T14:30:00Z', false],
  ['<-1d', '2026-11-19T14:29:59Z', true],
  ['today', '2026-11-20T00:00:00Z', true],
  ['today', '2026-11-19T23:59:59Z', false],
])(
  'the query "releaseTimestamp:%s", asked at 14:30 on 2026-11-20, selects a release published at %s: %s',
  (time, releaseTimestamp, expected) => {
    const withinDay = Date.parse('2026-11-20T14:30:00Z');
    const query = parseQuery(`releaseTimestamp:${time}`, fields, withinDay);

    expect(selects(query, { releaseTimestamp })).toBe(expected);
  },
);

test.each([
  ['1500ms', 'PT1.5S'],
  ['1s500ms', 'PT1,5S'],
  ['3mo', 'P90D'],
  ['1y', 'P365D'],
])('a query treats the duration %s as equal to the ISO 8601 duration %s', (short, age) => {
  const holds = (test: string) => selects(parse(`age:${test}`), { age });

  expect([short, `>${short}`, `<${short}`].map(holds)).toEqual([true, false, false]);
});
