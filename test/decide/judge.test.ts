import { expect, test } from 'vitest';
import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import { judgeRecorded } from '../../src/decide/judge.ts';
import { isLineOpen, isLineSupported } from '../../src/decide/judge.ts';
import { judgeOn, reasonsOf, release } from '../harness/judging.ts';
import { definitionOf } from '../site/render/sites.ts';

const osv = { datasource: 'osv' } as const;
const npm = { datasource: 'npm', packageName: 'svc' } as const;

test.each([
  ['without any source of advisories', [npm], undefined, undefined, false],
  ['with a list of its own, which may be empty', [npm], [], undefined, true],
  ['with a source that has not answered', [npm, osv], undefined, undefined, false],
  ['with a source that has not answered, whatever its own list', [osv], [], undefined, false],
  ['with a source that has answered', [npm, osv], undefined, [], true],
] as const)(
  'advisories of a component %s are known: %#',
  (_, sources, advisories, answer, isKnown) => {
    const definition = definitionOf({
      sources: [...sources],
      ...(advisories && { advisories: [...advisories] }),
    });
    const recorded = { releases: [], ...(answer && { advisories: [...answer] }) };

    expect(
      judgeRecorded('svc', definition, recorded, '2026-06-01').judgement.watchesAdvisories,
    ).toBe(isKnown);
  },
);

test.each<[sources: string[], reason: string]>([
  [[], 'Deprecated upstream: Bad.'],
  [['npm:svc'], 'Deprecated upstream: Bad.'],
  [['static'], 'Deprecated in the definition: Bad.'],
  [['static', 'npm:svc'], 'Deprecated upstream: Bad.'],
])('a deprecation of a release that %j list is told as "%s"', ([source, ...others], reason) => {
  const listing = {
    ...(source && { source }),
    ...(others.length > 0 && { alsoListedBy: others }),
  };
  const releases = [release('1.0', undefined, { deprecated: 'Bad.', ...listing })];

  expect(reasonsOf(judgeOn('2026-06-01', releases), '1.0')).toEqual([reason]);
});

test.each([
  ['npm:svc', 'npm:svc'],
  ['static', 'The definition'],
  [undefined, 'Upstream'],
])('a release that %s lists no more says who withdrew it', (source, subject) => {
  const withdrawn = { withdrawnSince: '2026-01-01', ...(source && { source }) };
  const judgement = judgeOn('2026-06-01', [release('1.0', undefined, withdrawn)]);

  expect(reasonsOf(judgement, '1.0')).toEqual([
    `2026-01-01: ${subject} has not listed it since 2026-01-01.`,
  ]);
});

const usable = release('1.0', '2026-01-01');
const deprecated = release('1.0.1', '2026-01-02', { deprecated: 'Bad.' });

test.each<
  [what: string, releases: RecordedRelease[], until: string, isOpen: boolean, isSupported: boolean]
>([
  ['a release in use', [usable, deprecated], '2026-12-31', true, true],
  ['only deprecated releases', [deprecated], '2026-12-31', false, false],
  ['no release', [], '2026-12-31', true, true],
  ['no release, and an end that is over', [], '2026-05-31', false, false],
  ['an end that is over', [usable], '2026-05-31', false, false],
])('a line with %s', (_, releases, until, isOpen, isSupported) => {
  const support = { policy: 'dated', lines: { '1.0': until } };
  const [line] = judgeOn('2026-06-01', releases, { support }).lines;

  expect([isLineOpen(line!), isLineSupported(line!)]).toEqual([isOpen, isSupported]);
});

test('a line without a stated end is open, and not certainly supported', () => {
  const [line] = judgeOn('2026-06-01', [usable]).lines;

  expect([isLineOpen(line!), isLineSupported(line!)]).toEqual([true, false]);
});
