/** Checks the table of supported release lines that maintainers put into their README. */
import { expect, test } from 'vitest';
import { renderSupportTable } from '../../src/ask/support-table.ts';
import { judgeOn, readReleases, release, statedPolicy } from '../harness/judging.ts';

const day = '2026-06-01';
const releases = readReleases('1.0 2024-01-01, 2.0 2025-01-01, 3.0 2025-12-01');
const render = (definition: object, recorded: object = {}, listed = releases) =>
  renderSupportTable(judgeOn(day, listed, definition, recorded), day);
const term = { policy: 'term', months: 18 };

test.each<[title: string, definition: object, table: string[]]>([
  [
    'a single phase has one column',
    { support: { ...term, line: 1 } },
    [
      '| Version | Support          |',
      '| ------- | ---------------- |',
      '| 3       | until 2027-06-01 |',
      '| 2       | until 2026-07-01 |',
      '| older   | ended            |',
    ],
  ],
  [
    'an estimated end is marked',
    { support: { ...term, line: 1, inferred: 'It was so before.' } },
    [
      '| Version | Support                      |',
      '| ------- | ---------------------------- |',
      '| 3       | until 2027-06-01 (estimated) |',
      '| 2       | until 2026-07-01 (estimated) |',
      '| older   | ended                        |',
    ],
  ],
  [
    'each phase has a column, and paid support is marked',
    {
      support: {
        policy: 'term',
        line: 1,
        phases: [
          { name: 'active', months: 12 },
          { name: 'security', months: 18 },
          { name: 'extended', months: 36, paid: true },
        ],
      },
    },
    [
      '| Version | Active     | Security   | Extended (paid) |',
      '| ------- | ---------- | ---------- | --------------- |',
      '| 3       | 2026-12-01 | 2027-06-01 | 2028-12-01      |',
      '| 2       | 2026-01-01 | 2026-07-01 | 2028-01-01      |',
      '| 1       | 2025-01-01 | 2025-07-01 | 2027-01-01      |',
    ],
  ],
  [
    'a line with long-term support is marked, and newer ended lines are not called older',
    {
      support: {
        ...{ policy: 'term', line: 1, phases: [{ name: 'support', months: 6 }] },
        lts: { lines: ['1', '3'], phases: [{ name: 'support', months: 36 }] },
      },
    },
    [
      '| Version | Support          |',
      '| ------- | ---------------- |',
      '| 3 (LTS) | until 2028-12-01 |',
      '| 1 (LTS) | until 2027-01-01 |',
      '| others  | ended            |',
    ],
  ],
  [
    'lines without a given end are listed',
    { support: { policy: 'latest-lines', count: 1, line: 1 } },
    [
      '| Version | Support             |',
      '| ------- | ------------------- |',
      '| 3       | until the next line |',
      '| older   | ended               |',
    ],
  ],
  [
    'a product that has ended has no supported line',
    { support: { policy: 'ended' } },
    ['| Version | Support |', '| ------- | ------- |', '| all     | ended   |'],
  ],
])('%s', (_, definition, table) => {
  expect(render(definition)).toEqual(table);
});

test('an uncertain end is called uncertain', () => {
  const support = { ...term, line: 1 };
  const uncertain = readReleases('1.0 2024-11-01 to 2025-02-01, 2.0 2025-06-01 to 2025-08-01');

  expect(render({ support }, {}, uncertain)).toEqual([
    '| Version | Support                             |',
    '| ------- | ----------------------------------- |',
    '| 2       | at least until 2026-12-01           |',
    '| 1       | ends by 2026-08-01, perhaps already |',
  ]);
});

test('a line that is not released yet is left out, and names from upstream cannot end a cell', () => {
  const phases = [{ name: 'support', until: '2030-01-01' }];
  const lines = [
    { line: '1.0', codename: 'a | b <i>', phases },
    { line: '9.0', since: '2027-01-01', phases },
  ];
  const listed = [release('1.0', '2026-01-01')];

  expect(render({ support: statedPolicy }, { lines }, listed)).toEqual([
    '| Version            | Support          |',
    '| ------------------ | ---------------- |',
    String.raw`| 1.0 (a \| b \<i\>) | until 2030-01-01 |`,
  ]);
});

test('phases without dates are told in words', () => {
  const lines = [
    {
      line: '1.0',
      phases: [
        { name: 'active', isOver: true },
        { name: 'security', until: '2029-01-01', untilAtMost: '2029-03-01' },
      ],
    },
    { line: '2.0', phases: [{ name: 'active', until: '2029-01-01' }, { name: 'security' }] },
    { line: '3.0', phases: [{ name: 'security', until: '2029-01-01' }] },
  ];
  const listed = ['1.0', '2.0', '3.0'].map((version) => release(version, '2026-01-01'));

  expect(render({ support: statedPolicy }, { lines }, listed)).toEqual([
    '| Version | Active     | Security                          |',
    '| ------- | ---------- | --------------------------------- |',
    '| 3.0     | –          | 2029-01-01                        |',
    '| 2.0     | 2029-01-01 | no end announced                  |',
    '| 1.0     | ended      | between 2029-01-01 and 2029-03-01 |',
  ]);
});
