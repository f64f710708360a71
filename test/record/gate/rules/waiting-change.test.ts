import { expect, test } from 'vitest';
import {
  findDecidedComponent,
  createDecisionId,
  isAlike,
  inheritIdAndDay,
  type WaitingChange,
} from '../../../../src/record/gate/rules/waiting-change.ts';

const wait = (about: Partial<WaitingChange> = {}): WaitingChange => ({
  id: 'svc-0000000001',
  component: 'svc',
  kind: 'change',
  since: '2026-06-05',
  causes: ['npm:x'],
  reason: 'Two losses.',
  items: ['1.0 deprecated', '1.1 deprecated'],
  ...about,
});

test('a decision is about one component and its consequences', () => {
  const ids = [
    createDecisionId('svc', ['change', ['1.0 deprecated']]),
    createDecisionId('svc', ['change', ['1.1 deprecated']]),
    createDecisionId('agent', ['change', ['1.0 deprecated']]),
  ];

  expect(new Set(ids).size).toBe(3);
  expect(ids.join(' ')).toMatch(/^svc-[0-9a-f]{10} svc-[0-9a-f]{10} agent-[0-9a-f]{10}$/);
  expect(createDecisionId('svc', ['change', ['1.0 deprecated']])).toBe(ids[0]);
});

const other = 'svc-0000000002';
const outlier: Partial<WaitingChange> = { kind: 'outlier', versions: ['9.0', '9.1'] };

test.each<[string, Partial<WaitingChange>, Partial<WaitingChange>, boolean]>([
  ['one decision', { kind: 'files' }, { kind: 'files' }, true],
  ['two losses of a component', {}, { id: other, causes: ['npm:y'] }, true],
  ['losses of two components', {}, { id: other, component: 'agent' }, false],
  ['two kinds', {}, { id: other, kind: 'list' }, false],
  ['two damaged files', { kind: 'files' }, { id: other, kind: 'files' }, false],
  ['two short lists of a source', { kind: 'list' }, { id: other, kind: 'list' }, true],
  [
    'short lists of two sources',
    { kind: 'list' },
    { id: other, kind: 'list', causes: ['npm:y'] },
    false,
  ],
  [
    'versions of which one is shared',
    outlier,
    { ...outlier, id: other, versions: ['9.1', '9.2'] },
    true,
  ],
  ['other versions', outlier, { ...outlier, id: other, versions: ['9.2'] }, false],
  ['one version of two sources', outlier, { ...outlier, id: other, causes: ['npm:y'] }, true],
  ['no versions', outlier, { id: other, kind: 'outlier' }, false],
])('what waits for the same reason: %s', (_, a, b, alike) => {
  expect([isAlike(wait(a), wait(b)), isAlike(wait(b), wait(a))]).toEqual([alike, alike]);
});

const since = '2026-06-01';
const items = ['1.0 deprecated', '1.1 deprecated', '1.2 deprecated'];

test.each<[string, Partial<WaitingChange>[], Partial<WaitingChange>]>([
  ['nothing waited', [], {}],
  ['another component waited', [{ id: other, component: 'agent', since, items }], {}],
  ['all of it and more waited', [{ id: other, since, items }], { id: other, since, items }],
  ['a part of it waited', [{ id: other, since, items: items.slice(1) }], { since }],
  ['something waited whose losses are unknown', [{ id: other, since, items: [] }], { since }],
  [
    'two waited, and the second named all of it',
    [
      { id: 'svc-0000000003', items: [] },
      { id: other, since, items },
    ],
    { id: other, since, items },
  ],
  [
    'two waited, and the second since an earlier day',
    [
      { id: 'svc-0000000003', since: '2026-06-03', items },
      { id: other, since, items: items.slice(1) },
    ],
    { id: 'svc-0000000003', since, items },
  ],
])('keeps the decision and the first day where %s', (_, earlier, kept) => {
  expect(inheritIdAndDay(wait(), earlier.map(wait))).toEqual(wait(kept));
});

test('the decision about the whole history is about no component', () => {
  expect(['histor-0f1e2d3c4b', 'history'].map(findDecidedComponent)).toEqual(['histor', undefined]);
});
