import { expect, test } from 'vitest';
import { answerVersion } from '../../src/ask/answers/version-answer.ts';
import { computeDetailsOn, listDetailRows } from '../../src/ask/answers/component-on.ts';
import { Advisory } from '../../src/core/schemas/advisory.ts';
import type { JournalEvent } from '../../src/core/schemas/recorded/journal.ts';
import { mapSourcesById } from '../../src/core/schemas/definition/source-ids.ts';
import { parseVersion } from '../../src/core/model/version.ts';
import { createSecurityFinder, uniteAdvisories } from '../../src/decide/advisories.ts';
import { summarise } from '../../src/decide/component-summary.ts';
import { judgeRecorded } from '../../src/decide/judge.ts';
import { describeDetails } from '../../src/decide/details.ts';
import { foldJournal } from '../../src/decide/fold-journal.ts';
import { toPublishedEvents } from '../../src/decide/event-words.ts';
import { FullDefinition } from '../../src/record/read-definition.ts';
import { release } from '../harness/judging.ts';
import { definition } from '../harness/root.ts';
import { componentOf, recordedBy } from '../site/render/sites.ts';
import { findGrowth } from '../harness/growth.ts';

const day = '2026-06-01';
const versions = ['2025.4', '2026.1', '2026.1.1', '2026.2', '2026.2.1', '2026.2.2'];

const first: Advisory = {
  id: 'CVE-2026-1',
  affected: '>=2026.1 <2026.2.1',
  fixed: ['2026.2.1', '2026.3'],
  severity: 'high',
  summary: 'Reads files outside its folder.',
  url: 'https://example.com/1',
  published: '2026-05-01',
};
const second: Advisory = { id: 'x_own-2', affected: '=2026.2 || =2026.2.2', severity: 'low' };

const componentWith = (advisories: Advisory[], on = day) =>
  componentOf(
    versions.map((version) => release(version, '2026-01-01')),
    { support: { policy: 'term', months: 18 }, advisories },
    { day: on },
  );

test.each([
  ...[
    'CVE-2026-1',
    'GHSA-abcd-1234-efgh',
    'RHSA-2026:1234',
    'openSUSE-SU-2026:14117-1',
    'NEW-1',
    'x_own.1',
  ].map((id) => ({ id, isAccepted: true })),
  ...['cve-2026-1', 'own-1', 'CVE-../x', 'CVE-', 'x_'].map((id) => ({ id, isAccepted: false })),
])('the id $id of an advisory is accepted: $isAccepted', ({ id, isAccepted }) => {
  const advisories = [{ id, affected: '*' }];
  expect(FullDefinition.safeParse(definition({ advisories })).success).toBe(isAccepted);
});

test('details name advisories, fixes and the greatest severity, which deprecate nothing by themselves', () => {
  const { releases, advisories } = describeDetails(componentWith([second, first]));
  const inBoth = 'CVE-2026-1 (high; fixed in 2026.2.1, 2026.3)';

  expect(releases).toMatchObject([
    { version: '2025.4' },
    {
      advisories: ['CVE-2026-1'],
      isVulnerable: true,
      severity: 'high',
      security: `Vulnerable: ${inBoth}.`,
    },
    { version: '2026.1.1', advisories: ['CVE-2026-1'] },
    {
      advisories: ['CVE-2026-1', 'x_own-2'],
      severity: 'high',
      security: `Vulnerable: ${inBoth}, x_own-2 (low; no fixed version is known).`,
    },
    { version: '2026.2.1', fixes: ['CVE-2026-1'], security: 'Fixes CVE-2026-1.' },
    { version: '2026.2.2', advisories: ['x_own-2'], severity: 'low' },
  ]);
  for (const key of ['advisories', 'fixes', 'security', 'isVulnerable']) {
    expect(releases[0]).not.toHaveProperty(key);
  }
  expect(releases[4]).not.toHaveProperty('isVulnerable');
  expect(releases.filter(({ reasons }) => reasons)).toEqual([]);
  expect(advisories).toEqual([first, second]);
});

const answerTo = (version: string, ...advisories: Advisory[]) =>
  answerVersion(computeDetailsOn(describeDetails(componentWith(advisories)), day), { version });
const third: Advisory = { id: 'CVE-2026-3', affected: '>=2026.2.1' };

test.each([
  ['one without advisories', '2026.1', [first, second], '2026.2.1'],
  [
    'the newest of several',
    '2026.1.1',
    [{ ...first, affected: '>=2026.1.1 <2026.2.1' }],
    '2026.2.2',
  ],
  ['an older one if all newer ones are vulnerable', '2026.2.2', [first, third], '2025.4'],
  [
    'none for the newest if all are vulnerable',
    '2026.2.2',
    [{ ...third, affected: '*' }],
    undefined,
  ],
  ['none if all are vulnerable', '2026.2.1', [{ ...third, affected: '*' }], undefined],
  ['none if all newer ones are vulnerable', '2026.2.1', [second], undefined],
])('the recommended version is %s', (_, version, advisories, moveTo) => {
  expect(answerTo(version, ...advisories).moveTo?.version).toBe(moveTo);
});

test('the recommended version comes with the advisory and the fixed version', () => {
  expect(answerTo('2026.1', first).because).toContain(
    'Vulnerable: CVE-2026-1 (high; fixed in 2026.2.1, 2026.3).',
  );
  expect(answerTo('2026.2.1', second).advice).toBe(
    'Nothing is due; the newest version is 2026.2.2.',
  );
});

test('unites the statements of several sources, and treats X.Y.0 as X.Y', () => {
  const [one, other] = [
    { id: 'CVE-1', affected: '<1.8.0', fixed: ['1.8.0'], severity: 'low' as const },
    { id: 'CVE-1', affected: '=1.9', severity: 'high' as const },
  ];
  const united = uniteAdvisories([], [one, other]);
  const of = createSecurityFinder(united, [one]);
  const at = (version: string) => of(parseVersion(version)!);

  expect(united).toEqual([{ ...one, affected: '<1.8.0 || =1.9', severity: 'high' }]);
  expect(
    ['1.7', '1.8', '1.8.0', '1.9', '1.9.0'].map((version) => at(version).advisories.length),
  ).toEqual([1, 0, 0, 1, 1]);
  expect([at('1.8').fixes.length, at('1.8').isTrustedFix, at('1.9').isTrustedFix]).toEqual([
    1,
    true,
    false,
  ]);
  expect(uniteAdvisories([one], [other])).toEqual([one]);
});

test('two names of one advisory are one, in sentences, queries and the journal', () => {
  const python: Advisory = { id: 'PYSEC-1', aliases: ['CVE-2026-1'], affected: '=2026.1' };
  const github: Advisory = {
    ...{ id: 'GHSA-1', aliases: ['CVE-2026-1'], affected: '=2026.1.1', severity: 'high' },
  };
  const other: Advisory = { id: 'GHSA-2', aliases: ['CVE-2026-2'], affected: '=2026.1' };
  const united: Advisory = {
    ...github,
    aliases: ['CVE-2026-1', 'PYSEC-1'],
    affected: '=2026.1.1 || =2026.1',
  };

  expect(uniteAdvisories([], [python, github, other])).toEqual([united, other]);
  // An advisory with two ids joins those that each have one of them.
  expect(
    uniteAdvisories(
      [],
      [python, other, { ...github, id: 'GO-1', aliases: ['PYSEC-1', 'CVE-2026-2'] }],
    ),
  ).toMatchObject([{ id: 'GHSA-2', aliases: ['CVE-2026-1', 'CVE-2026-2', 'GO-1', 'PYSEC-1'] }]);
  // The definition takes precedence, and keeps its id.
  expect(uniteAdvisories([{ id: 'CVE-2026-1', affected: '=2026.2' }], [python, github])).toEqual([
    { id: 'CVE-2026-1', aliases: ['GHSA-1', 'PYSEC-1'], affected: '=2026.2' },
  ]);

  const { releases } = describeDetails(componentWith([united]));
  const row = listDetailRows(computeDetailsOn(describeDetails(componentWith([united])), day)).find(
    ({ releaseFields }) => releaseFields.version === '2026.1',
  );
  expect(releases[1]).toMatchObject({ advisories: ['GHSA-1'] });
  expect(row?.releaseFields.advisory).toEqual(['GHSA-1', 'CVE-2026-1', 'PYSEC-1']);

  // Where two ids of one advisory were told before, or another one, none is called withdrawn.
  for (const told of [
    [
      { ...python, aliases: undefined },
      { ...github, aliases: undefined },
    ],
    [python],
  ]) {
    const before = recordedBy(componentWith(told as Advisory[], '2026-06-01'));
    const after = recordedBy(componentWith([united], '2026-06-02'), before);
    const again = recordedBy(componentWith([united], '2026-06-03'), after);
    expect(after.slice(before.length)).toMatchObject([
      { type: 'advisory-changed', advisory: 'GHSA-1' },
    ]);
    expect(again).toEqual(after);
  }
});

test.each([
  ['the definition', [], true],
  ['a trusted source', [{ trusted: true }], true],
  ['a source that is not trusted', [{ trusted: false }], false],
  ["OSV's API", [{}], false],
  ['a document at an address', [{ url: 'https://example.com/advisories.json' }], false],
])('a fix by an advisory of %s is urgent: %#', (_, [source], isUrgent) => {
  const stated = { id: 'CVE-2026-1', affected: '<2026.2.1', fixed: ['2026.2.1'] };
  const osv = { datasource: 'osv' as const, ...source };
  const [id] = mapSourcesById([osv]).keys();
  const { releases } = componentWith([]).judgement;
  const definition = { ...componentWith(source ? [] : [stated]).definition, sources: [osv] };
  const recorded = {
    releases: releases.map(({ recorded }) => recorded),
    advisories: source && [{ ...stated, source: id! }],
  };
  const component = componentWith([]);
  const judged = judgeRecorded('svc', definition, recorded, day);

  const { urgentFixes } = summarise({ ...component, ...judged });

  expect(urgentFixes).toEqual(isUrgent ? ['2026.2.1'] : []);
});

test('only a fix that is not vulnerable itself skips the waiting time', () => {
  expect(summarise(componentWith([first])).urgentFixes).toEqual(['2026.2.1']);
  expect(
    summarise(componentWith([first, { ...second, affected: '2026.2.1' }])).urgentFixes,
  ).toEqual([]);
});

test('the journal reports published, changed and withdrawn advisories, each once', () => {
  const affects = '>=2026.1 <2026.2.1';
  const rest = 'fixed in 2026.2.1, 2026.3): Reads files outside its folder.';
  const events = [
    ['2026-06-01', [first]],
    ['2026-06-02', [first]],
    ['2026-06-03', [{ ...first, severity: 'critical' }, second]],
    ['2026-06-04', [second]],
    ['2026-06-05', [second]],
  ].reduce<JournalEvent[]>(
    (known, [on, advisories]) =>
      recordedBy(componentWith(advisories as Advisory[], on as string), known),
    [],
  );
  const told = toPublishedEvents(events).filter(({ type }) => type.startsWith('advisory'));

  expect(told.map(({ type, on, text, url = '' }) => [type, on, text, url])).toEqual([
    ['advisory-published', '2026-05-01', `CVE-2026-1 affects ${affects} (high; ${rest}`, first.url],
    [
      'advisory-changed',
      '2026-06-03',
      `CVE-2026-1 now affects ${affects} (critical; ${rest}`,
      first.url,
    ],
    [
      'advisory-published',
      '2026-06-03',
      'x_own-2 affects =2026.2 || =2026.2.2 (low; no fixed version is known).',
      '',
    ],
    ['advisory-withdrawn', '2026-06-04', 'CVE-2026-1 was withdrawn.', ''],
  ]);
  expect([...foldJournal(events).advisories.keys()]).toEqual(['x_own-2']);
});

test('an exploited advisory has the earliest days of all statements and catalogues that name it', () => {
  const own = {
    id: 'CVE-2026-1',
    aliases: ['GHSA-1'],
    affected: '=1.0',
    exploitedSince: '2026-05-02',
  };
  const entries = [
    { id: 'GHSA-1', exploitedSince: '2026-05-03', dueBy: '2026-06-02' },
    { id: 'CVE-2026-1', exploitedSince: '2026-05-01', dueBy: '2026-06-01' },
    { id: 'CVE-2026-2', exploitedSince: '2026-01-01', dueBy: '2026-01-31' },
  ];

  expect(uniteAdvisories([own], [], entries)).toEqual([
    { ...own, exploitedSince: '2026-05-01', dueBy: '2026-06-01' },
  ]);
  expect(uniteAdvisories([own], [])).toEqual([own]);
});

test('of the advisories on a release, the exploited ones come first, and the first day counts', () => {
  const united: Advisory[] = [
    { id: 'CVE-2026-1', affected: '<2' },
    { id: 'CVE-2026-2', affected: '<2', exploitedSince: '2026-05-02', dueBy: '2026-06-01' },
    { id: 'CVE-2026-3', affected: '<2' },
    { id: 'CVE-2026-4', affected: '<2', exploitedSince: '2026-05-01' },
    { id: 'CVE-2026-5', affected: '<3', fixed: ['2.0', 'not a version'] },
  ];
  const at = createSecurityFinder(united, []);

  expect(at(parseVersion('1.0')!)).toMatchObject({
    ...{ isVulnerable: true, exploitedSince: '2026-05-01', dueBy: '2026-06-01', fixes: [] },
    advisories: [2, 4, 1, 3, 5].map((number) => ({ id: `CVE-2026-${number}` })),
  });
  expect(at(parseVersion('3.0')!)).toMatchObject({ isVulnerable: false, isTrustedFix: false });
  expect(createSecurityFinder([], [])(parseVersion('1.0')!)).toEqual({
    ...{ advisories: [], isVulnerable: false, fixes: [], isTrustedFix: false },
  });
});

test('a trusted fix is one although the united advisory does not name it', () => {
  const trusted = { id: 'CVE-2026-1', affected: '<2', fixed: ['2.0'] };

  expect(createSecurityFinder([], [trusted])(parseVersion('2.0')!).isTrustedFix).toBe(true);
});

test('advisories are in the order of their ids', () => {
  const ids = ['CVE-2026-3', 'CVE-2026-1', 'CVE-2026-2'];
  const stated = ids.map((id) => ({ id, affected: '*' }));

  expect(uniteAdvisories(stated, []).map(({ id }) => id)).toEqual(ids.toSorted());
});

test('the statements of several sources together are no longer than the schema of one', () => {
  const statements = Array.from({ length: 3 }, (_, source): Advisory => {
    const aliases = Array.from({ length: 15 }, (__, index) => `CVE-2026-${source}${index}`);
    const fixed = Array.from({ length: 600 }, (__, index) => `${source}.${index}`);
    return { ...first, aliases, fixed };
  });

  const [united, ...others] = uniteAdvisories([], statements);

  expect(others).toEqual([]);
  expect(Advisory.safeParse(united).error).toBeUndefined();
});

// Work that grows with the square would take 64 times as long.
test('ranges with eight times as many spaces are united in less than 30 times the time', async () => {
  const measure = (length: number) => {
    const affected = `>=1${' '.repeat(length)} <2`;
    const statements = ['CVE-2026-1', 'CVE-2026-2'].map((id) => {
      return { id, aliases: ['GHSA-7p2q-4c8x-9m3w'], affected };
    });
    const before = process.threadCpuUsage();
    expect(uniteAdvisories([], statements)).toHaveLength(1);
    return process.threadCpuUsage(before).user;
  };

  expect(await findGrowth(measure, 8000)).toBeLessThan(30);
});
