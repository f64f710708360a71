import { expect, test } from 'vitest';
import { createVersionQuery } from '../../../src/ask/answers/range-query.ts';
import { readQuestion } from '../../../src/ask/answers/read-question.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { createSelector } from '../../../src/core/query/selection.ts';

const components = [
  { name: 'svc', title: 'Server' },
  { name: 'redis', title: 'Redis' },
];
const day = '2026-11-23';
const names = { components, packages: new Map() };

test('a range is of the component before it', () => {
  expect(readQuestion('redis and svc ^2025.1', names, day)).toEqual({
    kind: 'query',
    query: 'component:svc version:>=2025.1 version:<2026-0',
    unread: 'redis',
  });
});

test.each([
  ['<2 or 4..5.x', '(version:<2 or version:>=4 version:<6-0)'],
  ['4..5.x or 7 to 8', '(version:>=4 version:<6-0 or version:>=7 version:<=8)'],
  ['2 or earlier or 4 or later', '(version:<=2 or version:>=4)'],
  ['1.x or later', 'version:>=1'],
  ['1.x+', 'version:>=1'],
  ['1.+', 'version:1.*'],
  ['4..5, and != 4.2', 'version:>=4 version:<=5 -version:4.2'],
  ['1..2..3', undefined],
])('each alternative of a range is read by itself: %s', (range, query) => {
  expect(createVersionQuery(range)).toBe(query);
});

test.each([
  ['svc 4.x or 5..6', 'component:svc (version:4.* or version:>=5 version:<=6)'],
  ['svc 4.x or 5.x', 'component:svc (version:4.* or version:5.*)'],
  ['svc <2 or 4..5.x', 'component:svc (version:<2 or version:>=4 version:<6-0)'],
])('all alternatives behind a name are read: %s', (text, query) => {
  expect(readQuestion(text, names, day)).toEqual({ kind: 'query', query });
});

test('a range that was not read is named', () => {
  expect(readQuestion('svc 4.x, 5..6', names, day)).toMatchObject({ unread: '5..6' });
});

test.each(['svc [2025.1,2026.1)', 'svc 1..2..3', 'svc ${svc.version}'])(
  'a range that no query can express is named: %s',
  (text) => {
    expect(readQuestion(text, names, day)).toMatchObject({ kind: 'components', unread: text });
  },
);

test('the end of a range keeps all digits', () => {
  expect(readQuestion('svc ^99999999999999999999999', names, day)).toMatchObject({
    query: 'component:svc version:>=99999999999999999999999 version:<100000000000000000000000-0',
  });
});

test.each([
  ['~2025.2', ['2025.2', '2025.2.7']],
  ['~>2025.1', ['2025.1', '2025.2-rc1', '2025.2', '2025.2.7', '2025.3-rc1']],
  ['<=2025.2.x', ['2025.1', '2025.2-rc1', '2025.2', '2025.2.7']],
])(
  'the prereleases of the next line are not in a range that ends before it: %s',
  (range, expected) => {
    const versions = ['2025.1', '2025.2-rc1', '2025.2', '2025.2.7', '2025.3-rc1', '2026-rc1'];
    const query = parseQuery(createVersionQuery(range)!, day);
    const selects = createSelector<string>(
      query,
      (field) => (version) => (field === 'version' ? version : 'svc'),
    );

    expect(versions.filter(selects)).toEqual(expected);
  },
);

test.each([
  ['svc 2025.1, 2025.2', undefined],
  ['is svc 2025.1 or 2025.2 supported?', undefined],
  ['svc 2025.1 (prod), 2025.3 (staging)', undefined],
  ['svc 2025.1, 2025.2 on java 17.0', 'java 17.0'],
])('the versions of a list are read: %s', (text, unread) => {
  expect(readQuestion(text, names, day)).toMatchObject({ kind: 'list', unread });
});

test.each([
  ['svc 2025.1 2025.3', undefined],
  ['svc 2025.1 and 2025.3', undefined],
  ['which redis works with svc 2025.1 and 2025.3', 'works with'],
  ['what works with svc 2025.1 or 2025.3', 'works with'],
])('two versions of a component are a list: %s', (text, unread) => {
  expect(readQuestion(text, names, day)).toMatchObject({
    kind: 'list',
    candidates: [{ version: '2025.1' }, { version: '2025.3' }],
    unread,
  });
});

test.each(['difference svc 2025.1 and 2025.3', 'compare svc 2025.1 and 2025.3'])(
  'two versions that are compared are an upgrade: %s',
  (text) => {
    const candidates = [{ name: 'svc', version: '2025.1', to: '2025.3' }];

    expect(readQuestion(text, names, day)).toMatchObject({ kind: 'components', candidates });
  },
);

test.each(['2025.1 to 2025.3', '2025.1 - 2025.3'])(
  'the versions %s that another component works with are a range, not an upgrade',
  (range) => {
    expect(readQuestion(`does redis work with svc ${range}`, names, day)).toEqual({
      kind: 'query',
      query: 'component:svc version:>=2025.1 version:<=2025.3',
      unread: 'work with, redis',
    });
  },
);

test('several versions of one component are no pair', () => {
  expect(readQuestion('svc 2025.1, 2025.3 with redis', names, day)).toMatchObject({
    kind: 'list',
    candidates: [{ version: '2025.1' }, { version: '2025.3' }],
    texts: ['redis'],
  });
});

test.each(['svc 2025.1, 2025.2 and 2025.3', 'svc 2025.1 and 2025.2 and 2025.3'])(
  'the last two of three versions are no upgrade: %s',
  (text) => {
    expect(readQuestion(text, names, day)).toMatchObject({
      kind: 'list',
      candidates: [{ version: '2025.1' }, { version: '2025.2' }, { version: '2025.3' }],
      unread: undefined,
    });
  },
);

test('a name beside a package that is not in the index is no whole name', () => {
  expect(readQuestion('pkg:npm/latest-version svc', names, day)).toMatchObject({
    kind: 'unknown',
  });
});

test('a question what goes together keeps all of its sides, the one with a version last', () => {
  expect(
    readQuestion('svc that works with redis, compatible with 2025.1', names, day),
  ).toMatchObject({
    kind: 'pair',
    sides: [{ name: 'svc' }, { name: 'redis' }, { version: '2025.1' }],
  });
});

test('before the first day of all releases is one day: the end of a span is never before its start', () => {
  expect(readQuestion('ended before 1960-01-01', names, day)).toMatchObject({
    query: 'supportedUntil:[1959-12-31 to 1959-12-31]',
  });
});

test.each([
  ['ends on 22 Nov', 'supportedUntil:[2027-11-22 to 2027-11-22]'],
  ['ends on 23 Nov', 'supportedUntil:[2026-11-23 to 2026-11-23]'],
  ['released on 24 Nov', 'releaseTimestamp:[2025-11-24 to 2025-11-24]'],
  ['ends on 29 Feb', 'supportedUntil:[2028-02-29 to 2028-02-29]'],
  ['released since Feb 29', 'releaseTimestamp:[2024-02-29 to 2026-11-23]'],
])('a day without a year is the next or the last one that exists: %s', (text, query) => {
  expect(readQuestion(text, names, day)).toMatchObject({ query });
});

test.each([
  ['released in the past week', '2026-11-19'],
  ['released in the past month', '2026-10-26'],
  ['what was released in the past quarter?', '2026-08-26'],
  ['released past year', '2025-11-26'],
])('the past week, month or year reaches back from today: %s', (text, from) => {
  expect(readQuestion(text, names, '2026-11-26')).toMatchObject({
    query: `releaseTimestamp:[${from} to 2026-11-26]`,
  });
});

test.each([
  ['ends between march and june 2026', 'supportedUntil:[2026-03-01 to 2026-06-30]'],
  ['ends between 15 Nov and 1 Dec', 'supportedUntil:[2026-11-15 to 2026-12-01]'],
  ['ends from November 2027 to February', 'supportedUntil:[2027-11-01 to 2028-02-29]'],
  ['released between december and february', 'releaseTimestamp:[2025-12-01 to 2026-02-28]'],
])('an end of a span without a year is the nearest to the other end: %s', (text, query) => {
  expect(readQuestion(text, names, day)).toMatchObject({ query });
});

test.each([
  'released between 3 days ago and 5 days ago',
  'ends between May 2027 and April 2026',
  'released between 2026 and 2025',
])('days in reverse order are no span, and no upgrade: %s', (text) => {
  const question = readQuestion(text, names, day);
  expect(question).toMatchObject({ kind: 'query' });
  expect(question).not.toHaveProperty('span');
});

test.each([
  ['ends after 2027', 'supportedUntil:[2028-01-01 to 9999-12-31]'],
  ['released after 2025-03-01', 'releaseTimestamp:[2025-03-02 to 2026-11-23]'],
  ['released after today', 'releaseTimestamp:[2026-11-24 to 9999-12-31]'],
])('the days after a span begin behind its last one: %s', (text, query) => {
  expect(readQuestion(text, names, day)).toMatchObject({ query });
});

test.each([
  ['released a month ago', 'releaseTimestamp:[2026-10-23 to 2026-10-23]'],
  ['released since 2 weeks ago', 'releaseTimestamp:[2026-11-09 to 2026-11-23]'],
])('a number of units ago is one day: %s', (text, query) => {
  expect(readQuestion(text, names, day)).toMatchObject({ query });
});

test('ends from a day on lie ahead', () => {
  expect(readQuestion('ends from today', names, day)).toMatchObject({
    query: 'supportedUntil:[2026-11-23 to 9999-12-31]',
  });
});

test('two lists of names may share their components', () => {
  const packages = new Map([['pkg:npm/agent', [{ component: 'svc' }]]]);

  const without = readQuestion('pkg:npm/agent@1.0', names, day);
  const withPackage = readQuestion('pkg:npm/agent@1.0', { components, packages }, day);

  expect(without).toMatchObject({ kind: 'unknown' });
  expect(withPackage).toMatchObject({ kind: 'components', candidates: [{ name: 'svc' }] });
});

test.each([
  ['released between 2025 and 2026', 'releaseTimestamp:[2025-01-01 to 2026-12-31]'],
  ['what ends from 2026-12 to 2027-02?', 'supportedUntil:[2026-12-01 to 2027-02-28]'],
  [
    'svc released between 2025 and 2026',
    'component:svc releaseTimestamp:[2025-01-01 to 2026-12-31]',
  ],
  ['ends between 1 March and 15 June', 'supportedUntil:[2027-03-01 to 2027-06-15]'],
])('years behind a topic are days, not versions: %s', (text, query) => {
  expect(readQuestion(text, names, day)).toMatchObject({ kind: 'query', query });
});

test.each(['difference between 2025 and 2026', 'released between 2025.1 and 2026.3'])(
  'two versions are an upgrade: %s',
  (text) => {
    expect(readQuestion(text, names, day)).toMatchObject({ kind: 'version' });
  },
);

test.each([
  ['svc ^2025.1 and vault 7.2', 'vault 7.2'],
  ['CVE-2026-1 in vault', 'vault'],
])('words beside a query that were not read are kept: %s', (text, unread) => {
  expect(readQuestion(text, names, day)).toMatchObject({ kind: 'query', unread });
});

test.each([
  [
    'svc 2025.1 with redis >=7.0',
    [{ name: 'redis' }, { name: 'svc', version: '2025.1' }],
    'redis >=7.0',
  ],
  ['svc 2025.x with redis 7.0', [{ name: 'svc' }, { name: 'redis', version: '7.0' }], 'svc 2025.x'],
])('a side of a pair has no version from a range: %s', (text, sides, unread) => {
  expect(readQuestion(text, names, day)).toEqual({
    kind: 'pair',
    sides: sides.map((side) => ({ ...side, reason: 'name' })),
    unread,
  });
});

test('two ranges are no pair', () => {
  expect(readQuestion('svc >=2025.1 with redis >=7.0', names, day)).toMatchObject({
    query: '(component:svc version:>=2025.1 or component:redis version:>=7.0)',
    unread: 'with',
  });
});

test.each([
  ['svc 2025.1, redis ^7.0, svc ^2026.1', 'redis ^7.0, svc ^2026.1'],
  ['svc 2025.1, vault 3.4, redis ^7.0', 'vault 3.4, redis ^7.0'],
])('all ranges beside a version are kept as unread: %s', (text, unread) => {
  expect(readQuestion(text, names, day)).toMatchObject({ kind: 'components', unread });
});

test.each([
  ['svc 2025.1 and redis', { kind: 'components', unread: 'redis' }],
  ['svc 2025.1, redis and redis', { kind: 'components', unread: 'redis' }],
  ['svc 2025.1 on our server', { kind: 'components', unread: undefined }],
  ['vault with svc 2025.1 and redis 7.0', { kind: 'pair', unread: 'vault' }],
  ['svc 2025.1, redis 7.0, vault', { kind: 'list', texts: ['vault'] }],
  ['svc ^2025.1 and redis', { kind: 'query', unread: 'redis' }],
  ['what works with svc ^2025.1', { kind: 'query', unread: 'works with' }],
])('a name without a version that the answer leaves out is kept: %s', (text, expected) => {
  const withVault = { ...names, components: [...components, { name: 'vault', title: 'Vault' }] };
  expect(readQuestion(text, withVault, day)).toMatchObject(expected);
});

test.each([
  ['svc 2025.1 rc1', '2025.1-rc1'],
  ['svc 2025.1 Beta 2', '2025.1-Beta-2'],
  ['svc 2025.1 alpha.3 in prod', '2025.1-alpha.3'],
  ['svc 2025.1 beta', '2025.1'],
  ['svc 2025.1 rc1.2', '2025.1'],
])('a version has the suffix of a prerelease behind a blank: %s', (text, version) => {
  expect(readQuestion(text, names, day)).toMatchObject({ candidates: [{ name: 'svc', version }] });
});

test('a long sentence has its version at any place, and all words that were not read', () => {
  const words = 'one two three four five six seven eight nine ten eleven twelve thirteen';
  expect(readQuestion(`${words} 2025.1`, names, day)).toMatchObject({
    kind: 'version',
    version: '2025.1',
    unread: words,
  });
});

test('the versions of an upgrade may have an epoch', () => {
  expect(readQuestion('svc 1:2.0 to 1:3.0', names, day)).toMatchObject({
    candidates: [{ name: 'svc', version: '1:2.0', to: '1:3.0' }],
  });
});

test.each([
  ['svc 2025 or later', 'component:svc version:>=2025'],
  ['svc 2025, or older', 'component:svc version:<=2025'],
])('a number before an open end is no count: %s', (text, query) => {
  expect(readQuestion(text, names, day)).toMatchObject({ query });
});

test('a list keeps the words with a version that were not read', () => {
  expect(readQuestion('svc 2025.1, redis 7.0, vault 3.4', names, day)).toMatchObject({
    kind: 'list',
    unread: 'vault 3.4',
  });
});

test.each([
  ['CVE-2026-1 svc with redis 7.0', '(component:svc or component:redis version:7.0)'],
  ['CVE-2026-1 redis and svc', '(component:redis or component:svc)'],
])('a question about an advisory is about all components of the text: %s', (text, selected) => {
  expect(readQuestion(text, names, day)).toMatchObject({
    kind: 'query',
    query: `${selected} advisory:CVE-2026-1`,
  });
});

test.each([
  ['CVE-2026-1 or isLatest', 'or isLatest'],
  ['CVE-2026-1 svc 2025.1, redis 7.0, svc ^2024.1, vault 3.4', 'svc ^2024.1, vault 3.4'],
])('what a query about an advisory leaves out is unread: %s', (text, unread) => {
  expect(readQuestion(text, names, day)).toMatchObject({ kind: 'query', unread });
});

test.each([
  ['>= 2025.1', 'version:>=2025.1'],
  ['≥2025.1', 'version:>=2025.1'],
  ['>=2025.1 <2026', 'version:>=2025.1 version:<2026'],
  ['^2025.1', 'version:>=2025.1 version:<2026-0'],
  ['!=2025.1', '-version:2025.1'],
  ['2025.1+', 'version:>=2025.1'],
  ['2025.1 or later', 'version:>=2025.1'],
  ['version>=2025.1', 'version:>=2025.1'],
  ['versions >= 2025.1 <2026', 'version:>=2025.1 version:<2026'],
  ['2025.1..2025.3', 'version:>=2025.1 version:<=2025.3'],
])('a range without a name is of all components: %s', (text, query) => {
  expect(readQuestion(text, names, day)).toEqual({ kind: 'query', query });
});

test('blanks in a row are one', () => {
  expect(readQuestion('ends  next', names, day)).toEqual(readQuestion('ends next', names, day));
});

test.each(['agents >= 2025.1', 'redi >=7.0', 'vault ~> 2.0'])(
  'the bound of a range behind an unknown name is no version: %s',
  (text) => {
    expect(['query', 'unknown']).toContain(readQuestion(text, names, day).kind);
  },
);

test('a dash without spaces that no version has joins two versions', () => {
  expect(readQuestion('svc 2025.1–2026.3', names, day)).toMatchObject({
    candidates: [{ name: 'svc', version: '2025.1', to: '2026.3' }],
  });
});

test.each([
  ["what's deprecated", 'deprecated'],
  ['eol versions', 'ended'],
  ['withdrawn releases', 'isWithdrawn'],
  ['latest  versions', 'isLatest'],
  ['which are end-of-life?', 'ended'],
])('a phrase may be spoken, and end in a plain word: %s', (text, query) => {
  expect(readQuestion(text, names, day)).toEqual({ kind: 'query', query });
});
