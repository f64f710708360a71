/** Checks what a component page shows about release lines. */
import { expect, test } from 'vitest';
import type { Day } from '../../../src/core/day.ts';
import { listFacts } from '../../../src/ask/query/release-facts.ts';
import { renderReleaseFile } from '../../../src/site/documents/release-files.ts';
import { renderHtml, judgeComponents } from '../../harness/components.ts';
import { statedPolicy } from '../../harness/judging.ts';

type Stated = { line: string; lts?: Day | true; phases: object[] };

/** Judges an index with one component, whose source lists these lines. Each line has one release. */
function judgeStated(lines: readonly Stated[], day: Day) {
  const releases = lines.map(({ line }) => ({ version: `${line}.0`, sources: [] }));
  const facts = { definition: { support: statedPolicy }, releases, lines };
  return judgeComponents({ svc: facts }, day);
}

/** Returns the visible text of each release line on the page, with single spaces. */
function readLines(index: ReturnType<typeof judgeStated>): string[] {
  const html = renderHtml(index).get('svc.html')!;
  const folds = html.matchAll(/<details id="line-[^]*?<div class="line-details">[^]*?<table/g);
  return Array.from(folds, ([fold]) =>
    fold
      .replaceAll(/<\/?time[^>]*>/g, '')
      .replaceAll(/<[^>]*>?/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

const twoPhases = [
  { name: 'active', until: '2026-10-20' },
  { name: 'security', until: '2028-04-30' },
];

test.each<[day: Day, isLts: boolean, mark: string]>([
  ['2026-10-27', false, 'LTS from 28 Oct 2026'],
  ['2026-10-28', true, 'LTS'],
])(
  'on %s, pages, queries and tags agree whether a line has long-term support',
  (day, isLts, mark) => {
    const index = judgeStated([{ line: '26', lts: '2026-10-28', phases: twoPhases }], day);
    const [component] = index.components;
    const { tags } = JSON.parse(renderReleaseFile(component!, day)) as { tags: { lts?: string } };

    expect(readLines(index)[0]).toMatch(new RegExp(`^26 26.0 ${mark} until `));
    expect(listFacts(component!, day)[0]!.isLts).toBe(isLts);
    expect(tags.lts).toBe(isLts ? '26.0' : undefined);
  },
);

test.each<[phases: object[], says: string | undefined]>([
  [twoPhases, 'Phases: active until 20 Oct 2026, security until 30 Apr 2028.'],
  [
    [
      { name: 'active', isOver: true },
      { name: 'security', until: '2027-01-01', untilAtMost: '2027-03-01' },
      { name: 'extended', paid: true },
    ],
    'Phases: active has ended, security ends between 1 Jan 2027 and 1 Mar 2027, extended (paid) has no stated end.',
  ],
  [[{ name: 'support', until: '2028-04-30' }], undefined],
])('a line with the phases %j is shown with the text: %s', (phases, says) => {
  const [line] = readLines(judgeStated([{ line: '24', phases }], '2026-08-22'));

  expect(line!.match(/Phases: .*?\./)?.[0]).toBe(says);
});

test('the newest line comes first', () => {
  const lines = ['1', '2', '3'].map((line) => ({ line, phases: [{ name: 'support' }] }));

  expect(readLines(judgeStated(lines, '2026-08-22')).map((text) => text[0])).toEqual([
    '3',
    '2',
    '1',
  ]);
});

test('an advisory names the newest affected versions first', () => {
  const versions = ['1.0', '1.1', '1.2', '1.3', '1.4', '1.5'];
  const releases = Object.fromEntries(versions.map((version) => [version, '2026-01-01' as Day]));
  const advisories = [{ id: 'CVE-2026-1', affected: '<1.5', fixed: ['1.5'] }];
  const html = renderHtml(judgeComponents({ svc: { definition: { advisories }, releases } }));

  expect(html.get('svc.html')).toContain('1.4, 1.3, 1.2, 1.1 and 1 more');
});

test.each<[deprecated: number[], shown: string]>([
  [[], '1.2'],
  [[2], '1.1'],
  [[1, 2], '1.0'],
  [[0, 1, 2], '1.2'],
])(
  'of three releases with all files, if those at %j are deprecated, the files of %s are shown',
  (deprecated, shown) => {
    const versions = ['1.0', '1.1', '1.2'];
    const releases = versions.map((version, place) => ({
      ...{ version, sources: [], files: { amd64: `sha256:${String(place).repeat(64)}` } },
      ...{ hasAllFiles: true, deprecated: deprecated.includes(place) ? 'Broken' : undefined },
    }));
    const definition = {
      sources: [
        { datasource: 'github-releases', packageName: 'a/svc', digestOf: { amd64: 'amd64' } },
      ],
    };
    const html = renderHtml(judgeComponents({ svc: { definition, releases } })).get('svc.html')!;

    expect(html).toContain(String(versions.indexOf(shown)).repeat(64));
  },
);
