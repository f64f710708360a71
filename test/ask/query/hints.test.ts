import { expect, test } from 'vitest';
import {
  describeUnknown,
  includeUnchecked,
  listNegatedFlags,
  listTerms,
} from '../../../src/ask/query/hints.ts';
import { selects, type Values } from '../../../src/ask/query/match.ts';
import { parseQuery } from '../../../src/ask/query/parse.ts';
import { releaseFields } from '../../../src/ask/query/release-fields.ts';

const parse = (text: string) => parseQuery(text, releaseFields, Date.parse('2026-11-20'));

test.each([
  ['isLatest not isSupported', ['+isLatest', '-isSupported']],
  ['not (isLatest or not isSupported)', ['-isLatest', '+isSupported']],
  ['isLatest', ['+isLatest']],
])('the terms of "%s" are %j', (query, terms) => {
  const listed = Array.from(listTerms(parse(query)), ({ fields, isNegated }) => {
    return `${isNegated ? '-' : '+'}${fields[0]!.name}`;
  });

  expect(listed).toEqual(terms);
});

test.each([
  ['not isVulnerable', ['isVulnerable']],
  ['not (isVulnerable or isVulnerable)', ['isVulnerable']],
  ['not isVulnerable not isExploited', ['isVulnerable', 'isExploited']],
  ['not isVulnerable:*', []],
  ['not severity:high', []],
  ['not not isVulnerable', []],
  ['isVulnerable', []],
])('"%s" negates the flags %j', (query, flags) => {
  expect(listNegatedFlags(parse(query))).toEqual(flags);
});

test.each<[query: string, values: Values, isSelected: boolean | undefined]>([
  ['isVulnerable', {}, true],
  ['isVulnerable', { isVulnerable: false }, false],
  ['severity:high', {}, true],
  ['advisory:x or isLatest', { isLatest: false }, true],
  ['isVulnerable isLatest', { isLatest: false }, false],
  ['not (not isExploited)', {}, true],
  // These queries are not about advisories that may be unknown.
  ['not isVulnerable', {}, undefined],
  ['isVulnerable:*', {}, undefined],
  ['isLatest', {}, undefined],
])('with unchecked releases, "%s" selects %j: %s', (query, values, isSelected) => {
  const wider = includeUnchecked(parse(query));

  expect(wider && selects(wider, values)).toBe(isSelected);
});

/** Returns what a search found: for each value of `isVulnerable`, a release. */
function find(values: readonly (boolean | undefined)[], unchecked = 0) {
  const table = {
    value: (field: string, row: number) => (field === 'isVulnerable' ? values[row] : false),
  };
  return { found: values.map((_, row) => ({ table, row })), unchecked };
}

const ofOne = 'isVulnerable is unknown for 1 of these; isVulnerable:* leaves them out.';

test.each<[query: string, selected: ReturnType<typeof find>, hints: string[]]>([
  ['not isVulnerable', find([undefined, false]), [ofOne]],
  ['not isVulnerable', find([false, false]), []],
  ['not isVulnerable not isLatest', find([undefined]), [ofOne]],
  [
    'isVulnerable',
    find([true], 1),
    ['isVulnerable is unknown for 1 release: their advisories were not checked.'],
  ],
  [
    'severity:high or isVulnerable',
    find([true], 3),
    ['severity is unknown for 3 releases: their advisories were not checked.'],
  ],
  ['isVulnerable', find([true]), []],
])('the query "%s" has the hints %j', (query, selected, hints) => {
  expect(describeUnknown(parse(query), selected)).toEqual(hints);
});
