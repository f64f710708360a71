/** Checks which end-of-support date each release gets from the cycles of endoflife.date. */
import { expect, test } from 'vitest';
import { askLines } from '../harness/ask-source.ts';
import { judgeOn, lineOf, readReleases } from '../harness/judging.ts';
import { json } from '../harness/upstream.ts';

const day = '2026-11-29';

/** Reads cycles with their end-of-support dates from a text such as `1.0 2026-01-31, 1.1`. Here, 1.1 has no announced date. */
function readCycles(text: string) {
  return text.split(', ').map((each) => {
    const [name, eolFrom] = each.split(' ');
    return { name, isEol: eolFrom !== undefined && eolFrom < day, eolFrom };
  });
}

async function judgeBy(cycles: object[], releases: string, labels?: object, support?: object) {
  const source = { datasource: 'endoflife-date', product: 'tool' };
  const lines = await askLines((registryUrl) => ({ ...source, registryUrl }), {
    documents: { '/v1/products/tool': json({ result: { labels, releases: cycles } }) },
  });
  return judgeOn(
    day,
    readReleases(releases),
    { support: { policy: 'stated', source, ...support } },
    { lines },
  );
}

test.each<[title: string, cycles: string, releases: string, ends: string]>([
  [
    'a cycle of three digit groups, even with letters after them',
    '3.5 2030-04-08, 3.0 2026-09-07, 1.1.1 2023-09-11, 0.9.8 2015-12-31',
    '0.9.8, 0.9.8zh, 1.1.1, 1.1.1w, 3.0.1, 3.5.0',
    '0.9.8zh ended 2015-12-31, 0.9.8 ended 2015-12-31, 1.1.1w ended 2023-09-11, 1.1.1 ended 2023-09-11, ' +
      '3.0.1 ended 2026-09-07, 3.5.0 until 2030-04-08',
  ],
  [
    'cycles inside a longer-lived cycle',
    '8.4 2029-07-31, 8.4.3 2027-07-31, 8 2030-01-01',
    '8.3.1, 8.4.1, 8.4.3, 8.4.30',
    '8.3.1 until 2030-01-01, 8.4.1 until 2029-07-31, 8.4.3 until 2027-07-31, 8.4.30 until 2029-07-31',
  ],
  [
    'no cycle, but newer than, between, or older than cycles of three digit groups',
    '2.4.9 2027-01-01, 2.4.1 2022-01-01',
    '2.4.0, 2.4.5, 2.4.10',
    '2.4.0 ended, 2.4.5 ends by 2027-01-01 perhaps already, 2.4.10 no end stated',
  ],
  [
    'no cycle, between cycles with past, coming and open ends',
    '5.15, 5.10 2026-12-31, 5.4 2025-12-31, 4.19 2024-12-05',
    '4.20.1, 5.9.16, 5.11.2',
    '4.20.1 ended by 2025-12-31, 5.9.16 ends by 2026-12-31 perhaps already, 5.11.2 no end stated',
  ],
  [
    'no cycle, but equal to a cycle that adds a zero',
    '2.1 2030-01-01, 2.0 2020-01-01',
    '2',
    '2 ends by 2030-01-01 perhaps already',
  ],
  [
    'a cycle that also exists with a word, such as 4.9 and 4.9-lts',
    '4.10 2027-02-28, 4.9-lts 2028-02-29, 4.9 2026-02-28, 4.6-lts 2026-03-01, 4.6 2025-03-01',
    '4.6.1, 4.9.16, 4.10.3',
    '4.6.1 ended by 2026-03-01, 4.9.16 ends by 2028-02-29 perhaps already, 4.10.3 until 2027-02-28',
  ],
  [
    'a cycle whose numbers others have in another spelling, with a word and without',
    '9.0-sp4 2027-04-12, 9.00-sp2 2010-01-12, 9.0 2007-07-10, 24.4 2030-01-01, 24.04 2028-01-01, 10.00 2010-04-13, 10.0-sp4 2019-07-09',
    '9.0.1399, 24.4.1, 24.04.2, 10.00.1835',
    '9.0.1399 ends by 2027-04-12 perhaps already, 10.00.1835 ended by 2019-07-09, 24.4.1 at least until 2028-01-01, 24.04.2 at least until 2028-01-01',
  ],
  [
    'a cycle that exists only with a word, such as 4.10-lts, and of older versions',
    '4.11 2027-02-28, 4.10-lts 2026-01-31, 4.4w 2017-10-01, 4.3 2016-01-01',
    '4.3.1, 4.4, 4.4w, 4.9, 4.10.2, 4.11.1',
    '4.3.1 ended 2016-01-01, 4.4w no end stated, 4.4 no end stated, 4.9 no end stated, 4.10.2 no end stated, ' +
      '4.11.1 until 2027-02-28',
  ],
  [
    'a cycle with a word before its numbers, such as esr-140',
    '141 2026-06-01, esr-140 2026-12-01, 140 2026-05-01',
    '140.1, 140.2esr, 141.0',
    '140.1 ends by 2026-12-01 perhaps already, 140.2esr ends by 2026-12-01 perhaps already, 141.0 ended 2026-06-01',
  ],
  [
    'a cycle without an end that also exists with a word, such as 13.0-sp1',
    '13.0 2018-01-09, 13.0-sp1, 13.0-sp2 2022-01-11',
    '13.0.4001',
    '13.0.4001 no end stated',
  ],
  [
    'a cycle of three digit groups and a word, such as 2.1.1-ce, inside another cycle',
    '2 2030-01-01, 2.1.1-ce 2026-01-01',
    '2.1.0, 2.1.1, 2.1.2',
    '2.1.0 until 2030-01-01, 2.1.1 no end stated, 2.1.2 until 2030-01-01',
  ],
])('releases that belong to %s get the right end', async (_, cycles, releases, expected) => {
  const component = await judgeBy(readCycles(cycles), releases);
  const ends = component.releases.map(({ version, line }) => {
    return `${version} ${lineOf(component, line).end.replace(',', '')}`;
  });

  expect(ends.join(', ')).toBe(expected);
});

test('if a source lists an unreadable cycle, an older line does not count as ended', async () => {
  const broken = { name: '1.5', isEol: 'soon' };
  const component = await judgeBy([...readCycles('3.0 2026-01-01'), broken], '1.4, 1.5.2, 2.0');

  expect(component.lines.map(({ line, end }) => `${line} ${end}`)).toEqual([
    '1.4 no end stated',
    '1.5 no end stated',
    '2.0 ended by 2026-01-01',
    '3.0 ended 2026-01-01',
  ]);
});

test('a definition can set an end date for a line that its source does not list', async () => {
  const support = { lines: { '1.1.1': '2027-09-11' } };
  const component = await judgeBy(readCycles('3.0 2030-01-01'), '1.1.0, 1.1.1w', {}, support);

  expect(component.lines.map(({ line, end }) => `${line} ${end}`)).toEqual([
    '1.1.0 ended',
    '1.1.1 until 2027-09-11',
    '3.0 until 2030-01-01',
  ]);
});

const cycle = { name: '4.0', isEol: true, eolFrom: '2026-10-21' };
test.each([
  ['Security Support', 'until 2027-10-21', 'security'],
  ['Limited support', 'until 2027-10-21', 'limited'],
  ['Debian LTS', 'until 2027-10-21', 'lts'],
  ['Commercial Support', 'ended 2026-10-21', 'extended'],
  ['Security Support (paid)', 'ended 2026-10-21', 'extended'],
  [undefined, 'ended 2026-10-21', 'extended'],
])(
  'if a cycle has ended but "%s" goes on, the line of the cycle has the end "%s" and the phase %s',
  async (eoes, end, phase) => {
    const cycles = [{ ...cycle, isEoes: false, eoesFrom: '2027-10-21' }];
    const { lines } = await judgeBy(cycles, '4.0.1', { eoes });

    expect(lines).toMatchObject([{ end, phase }]);
  },
);

test.each([
  [{ isEoas: false, isEol: true, eolFrom: '2026-08-06' }, undefined],
  [{ isEoas: false, isEol: true, isEoes: false }, 'extended'],
  [{ isEoas: true, isEol: false, eolFrom: '2027-08-06' }, 'security'],
])(
  'the dates of a cycle decide the support phase of its line: cycle %j, phase %s',
  async (ends, phase) => {
    const { lines } = await judgeBy([{ name: '9', ...ends }], '9.1');

    expect(lines[0]?.phase).toBe(phase);
  },
);
