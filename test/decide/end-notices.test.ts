import { expect, test } from 'vitest';
import type { Definition } from '../../src/core/schemas/definition/definition.ts';
import type { JournalEvent } from '../../src/core/schemas/recorded/journal.ts';
import type { DraftEvent } from '../../src/decide/fold-journal.ts';
import { listPublishedEnds, describeShortNotices } from '../../src/decide/end-notices.ts';
import { definition, makeRoot, writeIn } from '../harness/root.ts';
import { run } from '../harness/run.ts';
import { recordOn } from '../harness/site.ts';
import { componentOf, recordedBy } from '../site/render/sites.ts';

const releases = [
  { version: '2025.1', releaseTimestamp: '2025-04-08' },
  { version: '2025.1.3', releaseTimestamp: '2025-09-01' },
  { version: '2025.2', releaseTimestamp: '2025-07-15' },
  { version: '2026.1', releaseTimestamp: '2026-03-01' },
];

/** As of a day, with the data recorded on it. */
function judged(day: string, about: Partial<Definition>, journal: readonly JournalEvent[] = []) {
  const component = componentOf(releases, about, { day });
  return { ...component, journal: recordedBy(component, journal) };
}

const dated = (lines: Record<string, string>): Partial<Definition> => ({
  support: { policy: 'dated', lines },
});

test('an end of support states its line and its announcement', () => {
  const first = judged('2026-04-01', dated({ '2025.1': '2026-10-08', '2025.2': '2027-01-15' }));
  const moved = judged(
    '2026-05-01',
    dated({ '2025.1': '2026-12-01', '2025.2': '2027-01-15' }),
    first.journal,
  );

  expect(listPublishedEnds(moved)).toEqual([
    { line: '2025.1', statedSince: '2026-05-01' },
    { line: '2025.2', statedSince: '2026-04-01' },
  ]);
  expect(listPublishedEnds({ ...moved, journal: [] })).toEqual([]);

  const again = first.journal
    .filter(({ type }) => type === 'support-announced')
    .map((event) => ({ ...event, on: '2026-04-20' }));
  expect(again).toHaveLength(2);
  expect(
    listPublishedEnds({ ...first, journal: [...first.journal, ...again] }),
    'an end that is stated again keeps its day',
  ).toEqual(listPublishedEnds(first));
});

test('an end states the phase of a line with several, and not what the journal states otherwise', () => {
  const days = { active: '2026-06-30', security: '2026-12-31' };
  const first = judged('2026-04-01', {
    support: { policy: 'dated', lines: { '2025.1': days } },
  });
  const dropped = judged('2026-05-01', { support: { policy: 'none' } }, first.journal);
  const edited = judged('2026-05-01', dated({ '2025.1': '2027-12-31' }));
  const announced = judged('2026-04-01', dated({ '2025.1': '2026-12-31' }));

  expect(listPublishedEnds(first)).toEqual([
    { line: '2025.1', phase: 'active', statedSince: '2026-04-01' },
    { line: '2025.1', phase: 'security', statedSince: '2026-04-01' },
  ]);
  expect(listPublishedEnds({ ...first, journal: dropped.journal })).toEqual([]);
  for (const { journal } of [first, announced]) {
    expect(listPublishedEnds({ ...edited, journal })).toEqual([]);
  }
});

const notice = { months: 6 };
const early = { '2025.1': '2026-10-08', '2025.2': '2027-06-01' };
const tooLate = (line: string, to: string, stated: string) => [
  `${line}: readers know only since ${stated} that support ends by ${to}, less than 6 months before`,
];

/** The ends that an edit adds on a day. */
type Edits = Record<string, Record<string, string>>;
const moved: Edits = { '2026-05-01': { '2025.2': '2026-08-01' } };

test.each<[string, Edits, string, string[]]>([
  [
    'an end that a component enters with',
    { '2026-04-01': { '2025.1': '2026-05-01' } },
    '2026-04-02',
    [],
  ],
  [
    'an end announced six months ahead',
    { '2026-05-01': { '2026.1': '2026-12-01' } },
    '2026-10-02',
    [],
  ],
  [
    'an end moved six months ahead, then to a later day',
    { '2026-05-01': { '2025.2': '2026-11-01' }, '2026-10-01': { '2025.2': '2026-11-20' } },
    '2026-10-02',
    [],
  ],
  [
    'an end announced too late',
    { '2026-04-02': { '2026.1': '2026-09-30' } },
    '2026-09-30',
    tooLate('2026.1', '2026-09-30', '2026-04-02'),
  ],
  [
    'a past end, on the day on which it is stated',
    { '2026-04-02': { '2026.1': '2026-03-15' } },
    '2026-04-02',
    tooLate('2026.1', '2026-03-15', '2026-04-02'),
  ],
  ['a past end', { '2026-04-02': { '2026.1': '2026-09-30' } }, '2026-10-01', []],
  [
    'an end moved to an earlier day',
    moved,
    '2026-05-02',
    tooLate('2025.2', '2026-08-01', '2026-05-01'),
  ],
  [
    'an end moved to an earlier day, then slightly later',
    { ...moved, '2026-06-01': { '2025.2': '2026-09-01' } },
    '2026-06-02',
    tooLate('2025.2', '2026-09-01', '2026-05-01'),
  ],
  [
    'an end moved to an earlier day, then late enough',
    { ...moved, '2026-06-01': { '2025.2': '2026-11-01' } },
    '2026-06-02',
    [],
  ],
])('a promised notice is checked for %s', (_, edits, day, expected) => {
  let [journal, lines]: [JournalEvent[], Record<string, string>] = [[], {}];
  for (const [on, more] of Object.entries({ '2026-04-01': early, ...edits })) {
    lines = { ...lines, ...more };
    ({ journal } = judged(on, dated(lines), journal));
  }

  expect(
    describeShortNotices({ definition: { ...componentOf([]).definition, notice } }, journal, day),
  ).toEqual(expected);
});

test('a promised notice is checked of ends alone, names their phase, and asks for a promise', () => {
  const on = '2026-04-02';
  const journal: DraftEvent[] = [
    { type: 'corrected', on, version: '2025.1', field: 'line', to: '2026-04-03' },
    { type: 'support-announced', on, line: '2025.1', phase: 'active', to: '2026-05-01' },
  ];
  const { definition } = componentOf([]);

  expect(describeShortNotices({ definition: { ...definition, notice } }, journal, on)).toEqual([
    '2025.1: readers know only since 2026-04-02 that phase active ends by 2026-05-01, less than 6 months before',
  ]);
  expect(describeShortNotices({ definition }, journal, on)).toEqual([]);
});

const about = (lines: Record<string, string>) => definition({ notice, ...dated(lines) });
const indexOf = (lines: Record<string, string>) =>
  makeRoot({ 'components/svc.json': about(lines), 'data/svc.json': { releases } });

test('a promised notice is checked before and after an edit is recorded', async () => {
  const root = indexOf(early);
  await recordOn(root, '2026-04-01');
  writeIn(root, 'components/svc.json', about({ ...early, '2026.1': '2026-09-30' }));
  const check = () => run(['check', '--root', root, '--as-of', '2026-04-01']);
  const [warning] = tooLate('2026.1', '2026-09-30', '2026-04-01');

  for (const { stderr, status } of [
    await check(),
    (await recordOn(root, '2026-04-01'), await check()),
  ]) {
    expect(status).toBe(0);
    expect(stderr).toContain(`warning: components/svc.json: notice: ${warning}\n`);
  }
});
