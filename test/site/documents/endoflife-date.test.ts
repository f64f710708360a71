/** Checks the documents in the format of endoflife.date against the published description of its API. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Day } from '../../../src/core/day.ts';
import type { Component } from '../../../src/core/schema/published.ts';
import type { RecordedRelease } from '../../../src/core/schema/recorded.ts';
import { loadIndex, type Index } from '../../../src/site/load-index.ts';
import { askLines } from '../../harness/ask-source.ts';
import { judgeComponents, renderFiles, writeIndex } from '../../harness/components.ts';
import { loadExample, program } from '../../harness/example.ts';
import { judgeAnswers, lacksDescription } from '../../harness/endoflife-api.ts';
import { judgeOn, release, statedPolicy } from '../../harness/judging.ts';
import { text } from '../../harness/upstream.ts';

const on = '2026-11-27';
const observed = (version: string, notBefore: string, day: string) =>
  release(version, `${day}T00:00:00Z`, { timestampKind: 'observed', notBefore });
const dated = (lines: object, more = {}) => ({ policy: 'dated', lines, ...more });
const term = { policy: 'term', months: 12 };

/** Returns the newest line of a component in both versions of the format. */
function read(index: Index) {
  const files = renderFiles(index);
  const [cycle] = JSON.parse(files.get('api/svc.json')!) as object[];
  const { result } = JSON.parse(files.get('api/v1/products/svc')!) as {
    result: { releases: object[] };
  };
  if (!lacksDescription) {
    expect(judgeAnswers(files)).toEqual({ count: 4, wrong: [] });
  }
  return { cycle: cycle!, release: result.releases[0]! };
}

/** Returns the lines that another index records if it reads these documents as its source. */
function readBack(index: Index) {
  const product = renderFiles(index).get('api/v1/products/svc')!;
  return askLines(
    (url) => ({ datasource: 'endoflife-date', product: 'svc', registryUrl: `${url}api/` }),
    { documents: { '/api/v1/products/svc': text(product) } },
  );
}

function viewEnd({ lines: [line] }: Component) {
  const { state, isSupported, supportedUntil, supportedUntilAtMost, isInferred } = line!;
  return { state, isSupported, supportedUntil, supportedUntilAtMost, isInferred };
}

describe('a line in the format of endoflife.date', () => {
  const exact = [release('1.0', '2026-01-10T00:00:00Z')];
  test.each<
    [title: string, support: object, releases: RecordedRelease[], cycle: object, release: object]
  >([
    [
      'has the date on which it ended',
      dated({ '1.0': '2026-11-26' }),
      exact,
      { releaseDate: '2026-01-10', lts: false, eol: '2026-11-26' },
      {
        isEol: true,
        eolFrom: '2026-11-26',
        isMaintained: false,
        custom: { end: 'ended 2026-11-26' },
      },
    ],
    [
      'has not ended on its last day',
      dated({ '1.0': on }),
      exact,
      { eol: on },
      { isEol: false, eolFrom: on, isMaintained: true },
    ],
    [
      'says in custom fields that its end is estimated',
      { ...term, inferred: 'Two lines ran so long.' },
      exact,
      { eol: '2027-01-10' },
      {
        isEol: false,
        eolFrom: '2027-01-10',
        custom: { end: 'until 2027-01-10 (estimated)', isInferred: 'true' },
      },
    ],
    [
      'has no end date, and is not over, if it may have ended',
      term,
      [observed('1.0', '2025-11-01', '2025-12-01')],
      { releaseDate: '2025-12-01', eol: false },
      {
        isEol: false,
        eolFrom: null,
        custom: {
          end: 'ends by 2026-12-01, perhaps already',
          supportedUntil: '2026-11-01',
          supportedUntilAtMost: '2026-12-01',
        },
      },
    ],
    [
      'has the later date if it ended between two dates',
      term,
      [observed('1.0', '2025-10-01', '2025-11-01')],
      { eol: '2026-11-01' },
      {
        isEol: true,
        eolFrom: '2026-11-01',
        custom: {
          end: 'ended by 2026-11-01',
          supportedUntil: '2026-10-01',
          supportedUntilAtMost: '2026-11-01',
        },
      },
    ],
    [
      'has no end date, but is over, if it ended on an unknown date',
      { policy: 'ended' },
      exact,
      { eol: true },
      { isEol: true, eolFrom: null, custom: { end: 'ended' } },
    ],
    [
      'has a date only for its end, not for phases that ended between two dates',
      {
        policy: 'term',
        phases: [
          { name: 'full', months: 3 },
          { name: 'fixes', months: 6 },
        ],
      },
      [observed('1.0', '2025-08-01', '2026-03-01')],
      { support: false, eol: '2026-09-01' },
      {
        isEoas: true,
        eoasFrom: null,
        isEol: true,
        eolFrom: '2026-09-01',
        custom: {
          end: 'ended by 2026-09-01',
          supportedUntil: '2026-02-01',
          supportedUntilAtMost: '2026-09-01',
        },
      },
    ],
    [
      'is supported if it has no end date',
      { policy: 'latest-lines', count: 1 },
      exact,
      { eol: false },
      { isEol: false, eolFrom: null, isMaintained: true },
    ],
    [
      'has all of its three phases',
      dated(
        { '1.0': { active: '2026-06-30', security: '2026-10-31', extended: '2029-01-31' } },
        { paid: ['extended'] },
      ),
      exact,
      { support: '2026-06-30', eol: '2026-10-31', extendedSupport: '2029-01-31' },
      {
        isEoas: true,
        eoasFrom: '2026-06-30',
        isEol: true,
        eolFrom: '2026-10-31',
        isEoes: false,
        eoesFrom: '2029-01-31',
        isMaintained: true,
      },
    ],
  ])('%s', async (_, support, releases, cycle, expected) => {
    const index = judgeComponents({ svc: { definition: { support }, releases } }, on);
    const answer = read(index);

    expect(answer.cycle).toMatchObject({ cycle: '1.0', ...cycle });
    expect(answer.release).toMatchObject({ name: '1.0', label: '1.0', ...expected });
    // An index that reads these documents has the same end-of-support date.
    const again = judgeOn(
      on,
      releases,
      { support: statedPolicy },
      { lines: await readBack(index) },
    );
    expect(viewEnd(again)).toEqual(viewEnd(index.components[0]!));
  });

  test.each<[title: string, day: Day, bad: string[], latest: string | undefined]>([
    ['open, with a usable release', on, ['1.0.2'], '1.0.1'],
    ['open, without a usable release', on, ['1.0.1', '1.0.2'], undefined],
    ['ended', '2027-03-01', [], '1.0.2'],
    ['ended, with a bad newest release', '2027-03-01', ['1.0.2'], '1.0.1'],
    ['ended, with only bad releases', '2027-03-01', ['1.0.1', '1.0.2'], undefined],
  ])('%s never has a deprecated release as latest', (_, day, bad, latest) => {
    const releases = { '1.0.1': '2026-01-10', '1.0.2': '2026-02-10' };
    const deprecated = bad.map((version) => ({ versions: [version], reason: 'It loses data.' }));
    const definition = { support: dated({ '1.0': '2027-01-31' }, { line: 2 }), deprecated };
    const said = read(judgeComponents({ svc: { definition, releases } }, day));

    expect((said.cycle as { latest?: string }).latest).toBe(latest);
    expect((said.release as { latest: { name: string } | null }).latest?.name).toBe(latest);
  });

  test('keeps the codename and the alias when another index reads the line', async () => {
    const phases = [{ name: 'support', until: '2029-01-31' }];
    const line = { line: '1.0', codename: 'Early Bird', alias: '2026', lts: '2026-05-01', phases };
    const root = writeIndex({ svc: { definition: { support: statedPolicy }, releases: exact } });
    writeFileSync(join(root, 'data/svc.json'), JSON.stringify({ releases: exact, lines: [line] }));
    const { index } = loadIndex(root, on, program);

    expect(read(index).cycle).toMatchObject({ codename: 'Early Bird', eol: '2029-01-31' });
    expect(await readBack(index)).toEqual([{ ...line, since: '2026-01-10' }]);
  });

  test('is maintained before its first day, as endoflife.date writes announced lines', async () => {
    const phases = [{ name: 'support', until: '2029-01-31' }];
    const lines = [{ line: '1.0', since: '2027-01-10', phases }];
    const index = judgeComponents({ svc: { definition: { support: statedPolicy }, lines } }, on);

    expect(index.components[0]!.lines).toMatchObject([{ isUnreleased: true }]);
    expect(read(index)).toMatchObject({
      cycle: { releaseDate: '2027-01-10', eol: '2029-01-31' },
      release: {
        releaseDate: '2027-01-10',
        isEol: false,
        eolFrom: '2029-01-31',
        isMaintained: true,
      },
    });
    expect(await readBack(index)).toMatchObject(lines);
  });

  test('is left out if the line has no end date', () => {
    const releases = { '1.0': '2026-01-10', '2.0': '2026-02-10' };
    const support = dated({ '1.0': '2026-11-26' });
    const files = renderFiles(
      judgeComponents({ svc: { definition: { support }, releases }, tool: { releases } }, on),
    );

    expect(JSON.parse(files.get('api/all.json')!)).toEqual(['svc']);
    expect(JSON.parse(files.get('api/svc.json')!)).toEqual([
      expect.objectContaining({ cycle: '1.0', eol: '2026-11-26' }),
    ]);
    expect(files.has('api/tool.json')).toBe(false);
  });
});

test.skipIf(lacksDescription)(
  'every document about the example matches the API description of endoflife.date',
  () => {
    expect(judgeAnswers(renderFiles(loadExample()))).toEqual({ count: 5, wrong: [] });
  },
);

test('an index without end dates has empty lists in the format of endoflife.date', () => {
  const files = renderFiles(judgeComponents({}));

  expect(files.get('api/all.json')).toBe('[]\n');
  expect(JSON.parse(files.get('api/v1/products/full')!)).toMatchObject({ total: 0, result: [] });
});

test.each([
  [['2026-01-01', '2026-03-01'], '2026-03-01T00:00:00+00:00'],
  [['2026-03-01', '2026-01-01'], '2026-03-01T00:00:00+00:00'],
  [[], '2000-01-01T00:00:00+00:00'],
])('the list of products, which changed on %j, was made at %s', (days, expected) => {
  const support = dated({ '1.0': '2027-01-01' }, { url: 'https://example.com' });
  const products = days.map((day, place) => {
    const event = { at: `${day}T00:00:00.000Z`, on: day, type: 'released', version: '1.0.0' };
    return [`c${place}`, { definition: { support }, journal: [event] }];
  });
  const files = renderFiles(judgeComponents(Object.fromEntries(products)));

  const { generated_at } = JSON.parse(files.get('api/v1/products/full')!) as {
    generated_at: string;
  };
  expect(new Date(generated_at).toJSON()).toBe(new Date(expected).toJSON());
});
