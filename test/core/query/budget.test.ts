import { expect, test } from 'vitest';
import { searchByQuery } from '../../../src/ask/search/search-releases.ts';
import { createSelector } from '../../../src/core/query/selection.ts';
import { describeExcess } from '../../../src/core/query/query-cost.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { day, fieldSet, rows, selections, type Row } from './selections.ts';

/** As many releases as a large public index has, most of them of other components than `svc`. */
const catalogue = [...ofComponent('svc', 50), ...ofComponent('other', 97_950)];
const index = {
  catalogue: async (component?: string) =>
    component === undefined ? catalogue : catalogue.slice(0, 50),
};
const countFor = async (text: string) => (await searchByQuery(index, text, day, 0)).total;

function ofComponent(component: string, count: number) {
  const shared = { component, title: 'Service', line: '1' };
  return Array.from({ length: count }, (_, index) => ({
    lineFields: shared,
    releaseFields: { version: `1.${index}` },
  }));
}

test.each(selections)(
  'the query %s is rejected where it would make more tests than are allowed',
  (text) => {
    const query = parseQuery(text, day, fieldSet);
    let made = 0;
    const selects = createSelector<Row>(query, (field) => (row) => {
      made += 1;
      return row[field];
    });

    for (const row of rows) {
      selects(row);
    }

    // So many items that the tests of these rows exceed the limit.
    const size = Math.ceil((1_600_001 / made) * rows.length);
    expect(describeExcess(query, made === 0 ? 0 : size, 'rows') !== undefined).toBe(made > 0);
  },
);

test.each([
  ['380 words', Array(380).fill('~').join(' or ')],
  ['280 longer words', Array(220).fill('zzzzz').join(' or ')],
  ['words of wildcards', Array(150).fill('*z*q*1*').join(' or ')],
  ['patterns of reasons', Array(120).fill('reason:*z*q').join(' or ')],
  ['ages', Array(150).fill('age:<0s').join(' or ')],
  ['versions', Array(100).fill('version:>1.0-rc1').join(' or ')],
  ['days', Array(40).fill('releaseTimestamp:>2030-01-01').join(' or ')],
  ['one pattern of a thousand wildcards', `version:${'*'.repeat(1900)}`],
  [
    'negations',
    Array(30)
      .fill(`${'-'.repeat(45)}isLatest`)
      .join(' '),
  ],
  ['a word and more in parentheses', `svc (${Array(200).fill('a').join(' or ')})`],
])('%s are rejected among 98,000 releases before any is looked at', async (_, text) => {
  await expect(countFor(text)).rejects.toMatchObject({ reason: 'too-much' });
});

test.each([
  '',
  'isLatest',
  'component:svc isSupported',
  'svc',
  'version:>=20 isLatestOfLine',
  'supportLeft:<90d -isDeprecated',
  'age:<90d supportLeft:<90d',
  'releaseTimestamp:>2026-01-01 age:<90d',
  'releaseTimestamp:[2026-01-01 to 2026-06-30] policy:term',
  'datasource:npm -isPrerelease isSupported',
  'label:team=search isLatestOfLine status:supported',
])('the ordinary query "%s" is answered', async (text) => {
  await expect(countFor(text)).resolves.toBeTypeOf('number');
});

test('a query that names one component may take more, as it looks at no other', async () => {
  const many = Array.from({ length: 150 }, (_, index) => `1.${index}`).join(' or ');

  expect(await countFor(`component:svc (${many})`)).toBe(50);
  await expect(countFor(many)).rejects.toThrow(
    /^it takes up to [\d,]+ comparisons among 98,000 releases, and at most 1,600,000 are made$/,
  );
});
