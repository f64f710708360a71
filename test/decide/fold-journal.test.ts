import { expect, test } from 'vitest';
import type { JournalEvent } from '../../src/core/schemas/recorded/journal.ts';
import { foldJournal, listVersions } from '../../src/decide/fold-journal.ts';

const released = { type: 'released', on: '2026-01-01', line: '1' } as const;

/** The state after events of two versions of a line. */
function fold(...events: readonly Partial<JournalEvent>[]) {
  const all = [{ ...released, version: '1.0' }, { ...released, version: '1.1' }, ...events];
  return foldJournal(all as JournalEvent[]);
}

const withdrawn = { type: 'withdrawn', version: '1.0' } as const;
const deprecated = { type: 'deprecated', rule: 'definition', reason: 'Old' } as const;

test.each<[string, Partial<JournalEvent>[], object]>([
  [
    'at first',
    [],
    {
      ...{ isListed: true, isWithdrawn: false },
      values: { line: '1', timestampKind: 'published', isPrerelease: 'false' },
    },
  ],
  ['that was left out', [{ type: 'excluded', version: '1.0' }], { isListed: false }],
  [
    'that is in the index again',
    [
      { type: 'excluded', version: '1.0' },
      { type: 'included', version: '1.0' },
    ],
    { isListed: true },
  ],
  ['that was withdrawn', [withdrawn], { isWithdrawn: true, verdict: { rule: 'withdrawn' } }],
  [
    'that was deprecated before',
    [{ ...deprecated, version: '1.0' }, withdrawn],
    { isWithdrawn: true, verdict: { rule: 'definition', reason: 'Old' } },
  ],
  [
    'that is deprecated with its line',
    [{ ...deprecated, line: '1' }],
    { verdict: { rule: 'definition', reason: 'Old' } },
  ],
  [
    'that keeps its own reason',
    [
      { ...deprecated, version: '1.0' },
      { ...deprecated, line: '1', reason: 'Older' },
    ],
    { verdict: { reason: 'Old' } },
  ],
  [
    'that has another reason of its own',
    [
      { ...deprecated, line: '1' },
      { ...deprecated, version: '1.0', reason: 'Older' },
    ],
    { verdict: { reason: 'Older' } },
  ],
  [
    'that was republished',
    [{ type: 'republished', version: '1.0', from: 'a', to: 'b' }],
    { republished: 'a b' },
  ],
  [
    'with a corrected day',
    [
      {
        ...{ type: 'corrected', version: '1.0', field: 'releaseTimestamp' },
        ...{ to: '2026-01-02', timestampKind: 'observed' },
      } as Partial<JournalEvent>,
    ],
    { values: { releaseTimestamp: '2026-01-02', timestampKind: 'observed' } },
  ],
  [
    'with a corrected line',
    [{ type: 'corrected', version: '1.0', field: 'line', to: '1.0' }],
    { values: { line: '1.0', timestampKind: 'published' } },
  ],
  [
    'with a day that was observed, and a corrected line',
    [
      { ...released, version: '1.0', timestampKind: 'observed' },
      { type: 'corrected', version: '1.0', field: 'line', to: '1.0' },
    ],
    { values: { line: '1.0', timestampKind: 'observed' } },
  ],
])('the journal tells the state of a version %s', (_, events, state) => {
  expect(fold(...events).versions.get('1.0')).toMatchObject(state);
});

test('a version that is listed again is no longer deprecated for its withdrawal', () => {
  const [again, own] = [
    fold(withdrawn, { type: 'relisted', version: '1.0' }),
    fold({ ...deprecated, version: '1.0' }, withdrawn, { type: 'relisted', version: '1.0' }),
  ].map(({ versions }) => versions.get('1.0')!);

  expect([again!.isWithdrawn, again!.verdict]).toEqual([false, undefined]);
  expect(own!.verdict).toEqual({ rule: 'definition', reason: 'Old' });
});

test('a line has the versions that the definition admits, and a restored line no verdict', () => {
  const state = fold(
    { ...deprecated, line: '1' },
    { type: 'excluded', version: '1.1' },
    { ...released, version: '2.0', line: '2' },
    { type: 'restored', line: '1' },
  );

  expect(listVersions(state, '1')).toEqual([state.versions.get('1.0')]);
  expect(state.versions.get('1.0')!.verdict).toBeUndefined();
  expect(state.versions.get('1.1')!.verdict).toBeDefined();
});

test('an event of a version that the journal does not know changes nothing', () => {
  const types = ['withdrawn', 'relisted', 'excluded', 'included', 'republished', 'corrected'];
  const state = fold(...types.map((type) => ({ type, version: '9.9' }) as Partial<JournalEvent>));

  expect([...state.versions.keys()]).toEqual(['1.0', '1.1']);
});

test('an end that moves is announced again, and has only its own bounds', () => {
  const end = { line: '1', to: '2026-08-30' } as const;
  const ends = (...events: Partial<JournalEvent>[]) => fold(...events).ends.get('1/support');
  const ending = { type: 'support-ending', days: 90, ...end } as const;

  expect(ends(ending)).toEqual({ line: '1', phase: 'support', isEnded: false, daysAnnounced: 90 });
  expect(ends({ type: 'support-announced', ...end, toAtMost: '2026-09-30' }, ending)).toMatchObject(
    {
      ...{ isEnded: false, daysAnnounced: 90, until: '2026-08-30', untilAtMost: '2026-09-30' },
    },
  );
  expect(
    ends({ type: 'support-announced', ...end }, { type: 'support-ended', ...end }),
  ).toMatchObject({ isEnded: true, until: '2026-08-30' });
  expect(
    ends(
      { type: 'support-announced', ...end, toAtMost: '2026-09-30' },
      ending,
      { type: 'support-ended', ...end },
      { type: 'support-moved', ...end },
    ),
  ).toEqual({ line: '1', phase: 'support', isEnded: false, until: '2026-08-30' });
});

test('the name of a component is that of its last event that has one', () => {
  expect(fold({ ...withdrawn, component: 'edge' }, withdrawn).name).toBe('edge');
});

test('a component has the last of its names and replacements', () => {
  const renamed = { type: 'renamed', from: 'Cache', to: 'Edge' } as const;
  const replaced = { type: 'replaced', to: 'edge' } as const;

  expect(fold(renamed)).toMatchObject({ name: 'Edge' });
  expect(fold(renamed).replacedBy).toBeUndefined();
  expect(fold(replaced).replacedBy).toBe('edge');
  expect(Object.keys(fold(replaced, { type: 'replaced', from: 'edge' }))).not.toContain(
    'replacedBy',
  );
});
