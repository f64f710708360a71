/** Lists that the owner of an index writes: in a definition (`static`), or in a file of the index. */
import { expect, test } from 'vitest';
import { addDays, type Day } from '../../src/core/day.ts';
import { loadIndex } from '../../src/site/load-index.ts';
import { program } from '../harness/example.ts';
import {
  openOperatedIndex,
  type ListedRelease,
  type OperatedIndex,
} from '../harness/operated-index.ts';

const start: Day = '2026-09-01';
const file = 'site/own/svc.json';
const support = { policy: 'term', months: 12, url: 'https://example.com/support' };

type Kind = 'static' | 'file' | 'url';

/** Writes the list of `svc`. */
function write(index: OperatedIndex, kind: Kind, text: string) {
  const releases = text.split(', ').map((each): ListedRelease => {
    const [version = '', releaseTimestamp] = each.split(' ');
    return releaseTimestamp === undefined ? { version } : { version, releaseTimestamp };
  });
  const sources = {
    static: [{ datasource: 'static', releases }],
    file: [{ datasource: 'json', file }],
    url: [{ datasource: 'json', url: `${index.url}/svc.json` }],
  };
  index.write(file, { releases });
  index.define('svc', releases, { sources: sources[kind], support });
}

/** Records these lists, one per day from 1 September 2026 on. Returns the messages of each day. */
async function live(kind: Kind, ...lists: readonly string[]) {
  const index = await openOperatedIndex();
  const printed: string[] = [];
  for (const [position, list] of lists.entries()) {
    write(index, kind, list);
    const { status, stderr } = await index.record(addDays(start, position));
    expect(status).toBe(0);
    printed.push(stderr);
  }
  return { index, printed };
}

const readDays = (index: OperatedIndex) =>
  index.data
    .readRecorded('svc')
    .releases.map(
      ({ version, releaseTimestamp = '' }) => `${version} ${releaseTimestamp.slice(0, 10)}`,
    )
    .join(', ');

const listCorrections = (index: OperatedIndex) =>
  index.data
    .readJournal('svc')
    .flatMap(({ type, version, from, to }) =>
      type === 'corrected' ? `${version} ${from} ${to}` : [],
    );

const id = (kind: Kind) => (kind === 'static' ? 'svc (static)' : `svc (json:${file})`);

test.each<Kind>(['static', 'file'])(
  'a release with a date in the future is listed from its date on: %s',
  async (kind) => {
    const planned = '6.0.0 2026-08-01, 7.0.0 2026-09-03';
    const { index, printed } = await live(kind, planned, planned);
    const note = `notice: ${id(kind)}: 7.0.0 is planned: it will be listed from 2026-09-03 on\n`;

    expect(printed).toEqual([note, note]);
    expect(readDays(index)).toBe('6.0.0 2026-08-01');
    index.commit();
    for (const command of ['check', 'plan']) {
      const { status, stderr } = await index.run(command, '2026-09-02');
      expect([command, status, stderr]).toEqual([command, 0, note]);
    }
    expect(await index.record('2026-09-03')).toMatchObject({ status: 0, stderr: '' });
    expect(readDays(index)).toBe('6.0.0 2026-08-01, 7.0.0 2026-09-03');
    expect(index.data.readJournal('svc').at(-2)).toMatchObject({
      type: 'released',
      version: '7.0.0',
      on: '2026-09-03',
    });
  },
);

test('a planned release does not decide which files a release needs', async () => {
  const index = await openOperatedIndex();
  const files = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, `sha256:${'a'.repeat(64)}`]));
  const releases = [
    { version: '1.0.0', releaseTimestamp: '2026-08-01', files: files('linux') },
    { version: '2.0.0', releaseTimestamp: '2026-12-01', files: files('linux', 'windows') },
  ];
  index.define('svc', [], { sources: [{ datasource: 'static', releases }] });

  await index.record(start);

  expect(index.data.readRecorded('svc').releases).toMatchObject([
    { version: '1.0.0', hasAllFiles: true },
  ]);
});

test.each<Kind>(['static', 'file'])(
  'a recorded release stays listed if its date moves into the future: %s',
  async (kind) => {
    const { index, printed } = await live(kind, '1.0.0 2026-08-30', '1.0.0 2026-09-20');
    const note = `notice: ${id(kind)}: 1.0.0 is listed already, with the day 2026-08-30, so it stays, although its list now gives 2026-09-20\n`;

    expect(printed).toEqual(['', note]);
    expect(readDays(index)).toBe('1.0.0 2026-08-30');
    expect(await index.run('check', '2026-09-02')).toMatchObject({ status: 0, stderr: note });
    expect(listCorrections(index)).toEqual([]);
  },
);

test('the notice on a date in the future says that only the date is left out, if the list is not an own list', async () => {
  const { index, printed } = await live('url', '7.0.0 2027-01-31');

  expect(printed).toEqual([
    `notice: svc (json:${index.url}/svc.json): "7.0.0": expected a date between 2000-01-01 and 2026-09-01; got "2027-01-31". The date is left out.\n`,
  ]);
  expect(readDays(index)).toBe('7.0.0 2026-09-01');
});

test.each<[former: string, corrected: string]>([
  ['2025-08-30', '2026-08-30'],
  ['2026-08-30', '2025-08-30'],
  // The release came out later than its first day in the list.
  ['2026-08-30', '2026-09-02'],
])(
  'a date that is corrected in a static list takes effect: %s to %s',
  async (former, corrected) => {
    const { index, printed } = await live('static', `1.0.0 ${former}`, `1.0.0 ${corrected}`);

    expect(printed).toEqual(['', '']);
    expect(readDays(index)).toBe(`1.0.0 ${corrected}`);
    expect(listCorrections(index)).toEqual([`1.0.0 ${former} ${corrected}`]);
    expect(await index.record('2026-09-03')).toMatchObject({ stderr: '' });
    expect(listCorrections(index)).toHaveLength(1);
  },
);

const warn = (listed: Day, recorded: Day) =>
  `warning: svc: its own list gives another day than data/svc.json for 1 release: 1.0.0 (${listed}, recorded: ${recorded}). The recorded day stays. If the list is right, write its day into data/svc.json as "releaseTimestamp", and remove "timestampKind"\n`;

test('a date that a file of the index changes is reported once, and stays as recorded', async () => {
  const later = '1.0.0 2026-08-30';
  const { index, printed } = await live('file', '1.0.0 2026-07-30', later, later);

  expect(printed).toEqual(['', warn('2026-08-30', '2026-07-30'), '']);
  expect(readDays(index)).toBe('1.0.0 2026-07-30');
  index.edit('data/svc.json', ({ releases }: { releases: object[] }) => ({
    releases: releases.map((each) => ({ ...each, releaseTimestamp: '2026-08-30' })),
  }));
  expect(await index.record('2026-09-04')).toMatchObject({ status: 0, stderr: '' });
  expect(listCorrections(index)).toEqual(['1.0.0 2026-07-30 2026-08-30']);
});

test('a changed date in a list of upstream is not reported', async () => {
  const { index, printed } = await live('url', '1.0.0 2026-07-30', '1.0.0 2026-08-30');

  expect(printed).toEqual(['', '']);
  expect(readDays(index)).toBe('1.0.0 2026-07-30');
  expect(index.read('data/svc.json')).not.toContain('listedDay');
});

test.each<Kind>(['static', 'file'])(
  'a date that a person corrects in data/ stays, although the own list gives another date: %s',
  async (kind) => {
    const { index } = await live(kind, '1.0.0 2026-07-30');
    const text = index.read('data/svc.json');
    index.write('data/svc.json', text.replace('2026-07-30T', '2026-06-30T'));
    for (const days of [1, 2]) {
      expect(await index.record(addDays(start, days))).toMatchObject({ status: 0, stderr: '' });
    }

    expect(readDays(index)).toBe('1.0.0 2026-06-30');
    expect(listCorrections(index)).toEqual(['1.0.0 2026-07-30 2026-06-30']);
  },
);

test.each<Kind>(['static', 'file'])(
  'after an update of the program, a date that differs from the own list is reported once: %s',
  async (kind) => {
    const { index } = await live(kind, '1.0.0 2026-07-30');
    // Earlier versions of the program did not record `listedDay`.
    const text = index.read('data/svc.json');
    index.write('data/svc.json', text.replace(/,\s*"listedDay": "[^"]+"/, ''));
    expect(index.read('data/svc.json')).not.toContain('listedDay');
    write(index, kind, '1.0.0 2026-08-30');

    const printed = [];
    for (const days of [1, 2]) {
      printed.push((await index.record(addDays(start, days))).stderr);
    }

    expect(printed).toEqual([warn('2026-08-30', '2026-07-30'), '']);
  },
);

test('the dates of old releases that the owner enters later are believed', async () => {
  const { index, printed } = await live(
    'file',
    '2.0.0 2026-08-30',
    '1.0.0 2024-08-30, 2.0.0 2026-08-30',
  );

  expect(printed).toEqual(['', '']);
  expect(readDays(index)).toBe('1.0.0 2024-08-30, 2.0.0 2026-08-30');
});

test.each<Kind>(['static', 'file'])(
  'a date that was typed two years early and then corrected is believed: %s',
  async (kind) => {
    const { index } = await live(
      kind,
      '1.0.0 2026-01-30',
      '1.0.0 2026-01-30, 1.1.0 2024-08-10',
      '1.0.0 2026-01-30, 1.1.0 2026-08-10',
    );

    expect(readDays(index)).toBe('1.0.0 2026-01-30, 1.1.0 2026-08-10');
    const [component] = loadIndex(index.root, '2026-09-03', program).index.components;
    expect(component!.lines.at(-1)).toMatchObject({
      line: '1.1',
      state: 'supported',
      supportedUntil: '2027-08-10',
    });
  },
);
