/** The form of endoflife.date, judged by the published description of its API. */
import { describe, expect, test } from 'vitest';
import type { Index } from '../../../src/site/load-index.ts';
import { judgeComponents, renderFiles } from '../../harness/components.ts';
import { loadExample } from '../../harness/example.ts';
import { judgeAnswers, lacksDescription } from '../../harness/endoflife-api.ts';
import { release } from '../../harness/judging.ts';

const on = '2026-11-27';
const observed = (version: string, notBefore: string, day: string) =>
  release(version, `${day}T00:00:00Z`, { timestampKind: 'observed', notBefore });
const dated = (lines: object, more = {}) => ({ policy: 'dated', lines, ...more });
const term = { policy: 'term', months: 12 };

/** What both versions say of the newest line of a component. */
function read(index: Index) {
  const files = renderFiles(index);
  const [cycle] = JSON.parse(files.get('api/svc.json')!) as object[];
  const { result } = JSON.parse(files.get('api/v1/products/svc')!) as {
    result: { releases: object[] };
  };
  if (!lacksDescription) {
    expect(judgeAnswers(files)).toEqual({ count: 2, wrong: [] });
  }
  return { cycle: cycle!, release: result.releases[0]! };
}

describe('a line', () => {
  const exact = [release('1.0', '2026-01-10T00:00:00Z')];
  test.each<[title: string, support: object, releases: object[], cycle: object, release: object]>([
    [
      'that ended has its last day',
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
      'whose end is estimated says so where there is a place',
      { ...term, inferred: 'Two lines ran so long.' },
      exact,
      { eol: '2027-01-10' },
      { isEol: false, eolFrom: '2027-01-10', custom: { end: 'until 2027-01-10 (estimated)' } },
    ],
    [
      'that may have ended has no day and is not over',
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
      'that ended by a day has none and is over',
      term,
      [observed('1.0', '2025-10-01', '2025-11-01')],
      { eol: true },
      { isEol: true, eolFrom: null },
    ],
    [
      'without a day of its end is supported',
      { policy: 'latest-lines', count: 1 },
      exact,
      { eol: false },
      { isEol: false, eolFrom: null, isMaintained: true },
    ],
    [
      'with three phases has all three',
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
  ])('%s', (_, support, releases, cycle, expected) => {
    const said = read(judgeComponents({ svc: { definition: { support }, releases } }, on));

    expect(said.cycle).toMatchObject({ cycle: '1.0', ...cycle });
    expect(said.release).toMatchObject({ name: '1.0', label: '1.0', ...expected });
  });

  test('without a stated end is left out, and so is a component without any other line', () => {
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
  'every answer about the example is one of the API of endoflife.date',
  () => {
    expect(judgeAnswers(renderFiles(loadExample()))).toEqual({ count: 3, wrong: [] });
  },
);

test('an index without ends has empty lists', () => {
  const files = renderFiles(judgeComponents({}));

  expect(files.get('api/all.json')).toBe('[]\n');
  expect(JSON.parse(files.get('api/v1/products/full')!)).toMatchObject({ total: 0, result: [] });
});
