import { expect, test } from 'vitest';
import type { ComponentFreshness } from '../../../src/core/schema/documents.ts';
import type { Decision, Freshness } from '../../../src/core/schema/recorded.ts';
import type { Index } from '../../../src/site/load-index.ts';
import { viewStatus } from '../../../src/site/pages/status-page.ts';

interface Facts {
  components?: Readonly<Record<string, ComponentFreshness>>;
  answers?: Readonly<Record<string, Freshness[string]>>;
  decisions?: readonly Partial<Decision>[];
  runs?: readonly object[];
}

/** Views an index of which only these facts are known. */
function view({ components = {}, answers = {}, decisions = [], runs = [] }: Facts) {
  const index = {
    components: Object.keys(components).map((component) => ({
      component,
      title: component.toUpperCase(),
    })),
    freshness: new Map(Object.entries(components)),
    ...{ answers, decisions, runs },
  };
  return viewStatus(index as unknown as Index, []);
}

const hold = { id: 'b-1', since: '2026-11-10', reason: 'x' };
const fail = (source: string, since: string, reason = 'answered 500') => ({
  source,
  since,
  reason,
});

test('components that need a look come first, and the others stay in their order', () => {
  const { rows } = view({
    components: {
      a: { state: 'live', lastChecked: '2026-11-20' },
      b: { state: 'held', lastChecked: '2026-11-20', held: [hold] },
      c: { state: 'static' },
      d: { state: 'stale', mayMiss: ['releases'] },
      e: { state: 'live', lastChecked: '2026-11-20', failures: [fail('npm:e', '2026-11-19')] },
    },
  });

  expect(rows.map(({ name, checked }) => [name, checked])).toEqual([
    ['b', '2026-11-20'],
    ['d', 'never completely'],
    ['e', '2026-11-20'],
    ['a', '2026-11-20'],
    ['c', 'no source'],
  ]);
});

test('failures are joined by host, with the first day and the reason of the first', () => {
  const { hosts } = view({
    components: {
      a: { state: 'stale', failures: [fail('npm:a', '2026-11-19'), fail('osv:a', '2026-11-18')] },
      b: { state: 'stale', failures: [fail('npm:b', '2026-11-12', 'no answer in 20 s')] },
    },
    answers: {
      a: { 'npm:a': { host: 'registry.example' } },
      b: { 'npm:b': { host: 'registry.example' } },
    },
  });

  expect(
    hosts.map(({ components, ...host }) => ({
      ...host,
      names: components.map(({ name }) => name),
    })),
  ).toEqual([
    {
      ...{ host: 'registry.example', size: '2 components, since 2026-11-12' },
      ...{ names: ['a', 'b'], reason: 'answered 500' },
    },
    {
      ...{ host: 'osv:a', size: '1 component, since 2026-11-18' },
      ...{ names: ['a'], reason: 'answered 500' },
    },
  ]);
});

const decision = { id: 'b-1', component: 'b', by: 'mb', versions: ['1.2', '1.3'] };

test.each<[at: string, found: string | undefined]>([
  ['2026-11-10T00:00:00Z', 'On 2026-11-10, mb accepted 1.2, 1.3.'],
  ['2026-11-09T23:59:59Z', undefined],
])('a decision of %s counts for a hold since 2026-11-10: %s', (at, found) => {
  const { holds } = view({
    components: { b: { state: 'held', held: [hold] } },
    decisions: [{ ...decision, at }],
  });

  expect(holds.map((each) => each.decision)).toEqual([found]);
});

test('the newest decisions come first, at most twenty', () => {
  const decisions = Array.from({ length: 21 }, (_, place) => ({
    ...decision,
    at: `2026-10-${String(place + 1).padStart(2, '0')}T00:00:00Z`,
  }));
  const { decisions: shown } = view({ components: { b: { state: 'live' } }, decisions });

  expect(shown).toHaveLength(20);
  expect(shown[0]).toEqual({
    ...{ id: 'b-1', title: 'B' },
    text: 'On 2026-10-21, mb accepted 1.2, 1.3.',
  });
  expect(shown[19]!.text).toContain('2026-10-02');
});

test.each<[Partial<Decision>, title: string, text: string]>([
  [{ component: undefined, versions: undefined }, 'publication', 'mb accepted a change.'],
  [
    { component: 'gone', reason: 'The vendor removed them' },
    'gone',
    '1.3. The vendor removed them.',
  ],
])('the decision %j is described', (keys, title, text) => {
  const { decisions } = view({
    components: { b: { state: 'live' } },
    decisions: [{ ...decision, at: '2026-11-10T00:00:00Z', ...keys }],
  });

  expect(decisions).toMatchObject([{ title, text: expect.stringContaining(text) }]);
});

test('the last run and its years are named', () => {
  const run = (year: string, events: number) => ({
    ...{ at: `${year}-11-20T00:00:00Z`, asOf: `${year}-11-20`, events },
    finishedAt: `${year}-11-20T00:01:00Z`,
  });

  expect(view({ runs: [run('2025', 3), run('2026', 1)] })).toMatchObject({
    summary: 'There is no component yet.',
    run: 'It ended on 2026-11-20 and recorded 1 event.',
    years: ['2026', '2025'],
  });
  expect(view({ components: { a: { state: 'live' } } })).toMatchObject({
    summary: 'All sources were checked.',
    run: 'No run is recorded.',
  });
});
