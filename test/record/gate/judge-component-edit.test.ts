import { expect, test } from 'vitest';
import { addDays, type Day } from '../../../src/core/model/dates.ts';
import type { RecordedRelease } from '../../../src/core/schemas/recorded/recorded.ts';
import { judgeRecorded } from '../../../src/decide/judge.ts';
import { foldJournal } from '../../../src/decide/fold-journal.ts';
import {
  judgeComponentEdit,
  type ComponentEdit,
} from '../../../src/record/gate/judge-component-edit.ts';
import type { WaitingChange } from '../../../src/record/gate/rules/waiting-change.ts';
import {
  describeChange,
  numberEvents,
} from '../../../src/record/journal/events/describe-change.ts';
import { FullDefinition } from '../../../src/record/read-definition.ts';
import { definition } from '../../harness/root.ts';

const day: Day = '2026-06-20';
const commit = 'a'.repeat(40);
const dataCommit = 'b'.repeat(40);
const cause = 'components/svc.json@0123456789';
const releases = Array.from({ length: 10 }, (_, minor) => ({
  version: `1.${minor}`,
  releaseTimestamp: `2026-01-${10 + minor}`,
}));

/** The files of a person: fields of the definition, and recorded releases. */
type Files = readonly [about: object, releases?: readonly RecordedRelease[]];

const read = ([about, recorded = releases]: Files) => ({
  definition: FullDefinition.parse(definition(about as Record<string, unknown>)),
  inherited: [],
  data: { releases: [...recorded] },
});

interface Case extends Partial<Omit<ComponentEdit, 'before' | 'after' | 'waits'>> {
  /** What readers were told, and on which days. */
  readonly told?: readonly (readonly [Day, Files])[];
  readonly waits?: readonly Partial<WaitingChange>[];
}

function judge(
  before: Files | undefined,
  after: Files | undefined,
  { told = [['2026-06-01', before ?? [{}]]], waits = [], ...about }: Case = {},
) {
  let journal: ComponentEdit['journal'] = [];
  for (const [on, files] of told) {
    const { definition: edited, data } = read(files);
    const judged = judgeRecorded('svc', edited, data, on);
    const drafts = describeChange(foldJournal(journal), judged, on);
    journal = [...journal, ...numberEvents(journal, drafts, `${on}T05:00:00.000Z`, judged)];
  }
  return judgeComponentEdit({
    name: 'svc',
    day,
    before: before && read(before),
    after: after && read(after),
    journal,
    waits: waits.map(wait),
    accepted: new Set(),
    acceptedOn: '',
    causes: [cause],
    commits: { definition: commit, data: dataCommit },
    ...about,
  });
}

const wait = (about: Partial<WaitingChange>): WaitingChange => ({
  id: 'svc-0000000001',
  component: 'svc',
  kind: 'change',
  since: addDays(day, -10),
  causes: [cause],
  reason: 'A loss.',
  items: [],
  ...about,
});

const old = (versions: string, more: object = {}) => ({
  deprecated: [{ versions, reason: 'A slip.', ...more }],
});
const fall = 'the latest release would fall from 1.9 to none';

test('an edit that takes too much waits with its causes and the commit of the files that count', () => {
  const edit = judge([{}], [old('*')]);

  expect(edit).toEqual({
    wait: {
      id: expect.stringMatching(/^svc-[0-9a-f]{10}$/) as string,
      component: 'svc',
      kind: 'change',
      since: day,
      causes: [cause],
      reason: `${fall}; 10 of 10 releases in use would change for the worse (1.0 deprecated, 1.1 deprecated, 1.2 deprecated, 1.3 deprecated, 1.4 deprecated and 5 more)`,
      items: releases.map(({ version }) => `${version} deprecated`),
      commit,
    },
  });
  expect(judge([{}], [old('*')], { accepted: new Set([edit.wait!.id]) })).toMatchObject({
    used: [edit.wait!.id],
    edit: { cause, events: releases.map(({ version }) => ({ type: 'deprecated', version })) },
  });
});

test.each<[string, Files | undefined, Files | undefined, object | undefined]>([
  ['nothing', [{}], [{}], undefined],
  ['a title', [{}], [{ title: 'Another' }], undefined],
  [
    'a part of the data',
    [{}],
    [{}, releases.slice(1)],
    { commit, dataCommit, items: ['1.0 no longer recorded'] },
  ],
  [
    'the component',
    [{}],
    undefined,
    { commit, dataCommit, reason: expect.stringContaining(fall) as string },
  ],
  [
    'what replaces unusable files, less',
    undefined,
    [old('*')],
    { reason: expect.stringContaining(fall) as string },
  ],
  ['what replaces unusable files', undefined, [{}], undefined],
])('an edit of %s waits if readers lose by it', (_, before, after, waiting) => {
  expect(judge(before, after).wait ?? {}).toEqual(waiting ? expect.objectContaining(waiting) : {});
});

const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
const withBytes = (digests: Record<string, string>, more: object = {}): Files => [
  {},
  releases.map((one) => ({
    ...one,
    firstSeen: '2026-01-20',
    ...(one.version === '1.0' && { digests: { 'npm:x': digests }, ...more }),
  })),
];

test.each<[string, Files, string[] | undefined]>([
  ['other bytes', withBytes({ file: digest('2') }), [`1.0 file ${digest('2')}`]],
  ['bytes less', withBytes({}), ['1.0 file without a digest']],
  ['an artifact more', withBytes({ file: digest('1'), other: digest('2') }), undefined],
  [
    'other bytes that are marked',
    withBytes({ file: digest('2') }, { corrected: { on: day, reason: 'A typo.' } }),
    undefined,
  ],
])('recorded data that a person edits to %s waits with its loss in words', (_, after, items) => {
  expect(judge(withBytes({ file: digest('1') }), after).wait?.items).toEqual(items);
});

test('a policy excuses no loss on the day that brings it', () => {
  const counting = { support: { policy: 'latest-lines', count: 1 } };
  const grown = [...releases, { version: '2.0', releaseTimestamp: '2026-06-19' }];

  expect(judge([{}], [counting, grown]).wait).toBeDefined();
  expect(judge([counting], [counting, grown]).wait).toBeUndefined();
});

test('before its first run, a component has no readers who lose', () => {
  expect(judge([{}], [old('*')], { told: [] })).toEqual({});
});

const ended = (until: Day) => ({
  support: { policy: 'ended', until: '2030-12-31', deprecatedFrom: until },
});

test.each<[string, object, boolean]>([
  ['today', old('*', { since: day }), true],
  ['in 90 days', old('*', { since: addDays(day, 90) }), true],
  ['in 91 days', old('*', { since: addDays(day, 91) }), false],
  ['in 90 days by its policy', ended(addDays(day, 90)), true],
  ['in 91 days by its policy', ended(addDays(day, 91)), false],
])(
  'an edit that deprecates all releases %s waits today, if no longer notice is given',
  (_, about, waits) => {
    expect(judge([{}], [about]).wait?.since).toBe(waits ? day : undefined);
  },
);

test('what the definition announced before is no loss of another edit, on that day and before', () => {
  const announced = old('*', { since: addDays(day, 5) });

  for (const on of [0, 5, 9]) {
    const { edit } = judge([announced], [{ ...announced, title: 'Another' }], {
      day: addDays(day, on),
    });
    expect(edit).toEqual({ cause, events: [] });
  }
});

test('of the events of a day, those of the edit are its own', () => {
  const before = old('1.0', { since: addDays(day, -1) });
  const after = { deprecated: [...before.deprecated, ...old('1.1').deprecated] };
  const told: Case = { told: [[addDays(day, -2), [before]]] };

  expect(judge([before], [after], told).edit).toMatchObject({
    events: [{ type: 'deprecated', version: '1.1' }],
  });
});

const lost = (count: number): Files => [
  {},
  releases.map((one, place) => ({ ...one, ...(place < count && { deprecated: 'old' }) })),
];
/** Two releases were lost 35 days ago, and the edit takes another one. */
const told: Case['told'] = [
  ['2026-02-01', lost(0)],
  [addDays(day, -35), lost(2)],
];

test.each<[string, Partial<WaitingChange>[], boolean]>([
  ['nothing waited', [], false],
  ['the component waited for ten days', [{ commit }], true],
  ['its damaged data waited for ten days', [{ kind: 'files', dataCommit }], true],
  ['what its sources state waited', [{}], false],
  ['another component waited', [{ component: 'agent', commit }], false],
  [
    'another component and the component waited',
    [{ component: 'agent', commit, since: day }, { commit }],
    true,
  ],
])('losses of the month before the edit count where %s', (_, waits, isWaiting) => {
  expect(judge(lost(2), lost(3), { told, waits }).wait !== undefined).toBe(isWaiting);
});

test.each<[string, Partial<WaitingChange>[], Day]>([
  ['another edit', [{ commit }], addDays(day, -10)],
  ['what sources state', [{}], day],
])('an edit waits since its own first day, after %s', (_, waits, since) => {
  expect(judge([{}], [old('*')], { waits }).wait?.since).toBe(since);
});

test('losses of an edit are named once, in their order', () => {
  const about = { support: { policy: 'ended', until: day }, ...old('>=1.8') };
  const { items } = judge([{}], [about, releases.slice(1)]).wait!;

  expect(items).toEqual([...new Set(items)].sort());
  expect(items.length).toBeGreaterThan(3);
});
