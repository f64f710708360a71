import { expect, test } from 'vitest';
import type { ComponentFreshness } from '../../src/core/schema/documents.ts';
import type { Freshness, Hold } from '../../src/core/schema/recorded.ts';
import { Definition } from '../../src/core/schema/written.ts';
import {
  describeCheck,
  describeFreshness,
  describeTrouble,
  summariseFreshness,
} from '../../src/site/freshness.ts';
import { links } from '../harness/index-folder.ts';
import { statedPolicy } from '../harness/judging.ts';

const age = { asOf: '2026-11-20', settings: { staleAfterDays: 3 } };
const npm = { datasource: 'npm', packageName: 'svc' };
const osv = { datasource: 'osv', url: 'https://osv.example' };
const own = { datasource: 'static', releases: [{ version: '1.0' }] };
const hold: Hold = {
  id: 'svc-1b4e28ba7c',
  component: 'svc',
  kind: 'loss',
  since: '2026-11-19',
  reason: 'two releases would be missing',
  versions: ['1.0', '1.1'],
  command: 'npx release-index accept svc-1b4e28ba7c',
};

function describe(
  answers: Freshness[string],
  {
    sources = [npm],
    support,
    held = [],
  }: { sources?: object[]; support?: object; held?: Hold[] } = {},
): ComponentFreshness {
  const definition = Definition.parse({ title: 'Server', ...links, sources, support });
  return describeFreshness(definition, held, age, answers);
}

test.each<[answeredOn: string | undefined, expected: ComponentFreshness]>([
  ['2026-11-20', { state: 'live', lastChecked: '2026-11-20' }],
  ['2026-11-17', { state: 'live', lastChecked: '2026-11-17' }],
  ['2026-11-16', { state: 'stale', lastChecked: '2026-11-16', mayMiss: ['releases'] }],
  [undefined, { state: 'stale', mayMiss: ['releases'] }],
])('with 3 days until data are stale, a source that answered on %s', (answeredOn, expected) => {
  expect(describe({ 'npm:svc': { answeredOn } })).toEqual(expected);
});

test('the oldest answer of several sources counts, and each kind of content is named', () => {
  const answers = {
    'npm:svc': { answeredOn: '2026-11-20' },
    'osv:https://osv.example': { answeredOn: '2026-11-10' },
    'endoflife-date:svc': { answeredOn: '2026-11-01' },
  };
  const sources = [npm, osv];

  expect(describe(answers, { sources, support: statedPolicy })).toEqual({
    state: 'stale',
    lastChecked: '2026-11-01',
    mayMiss: ['advisories', 'ends'],
  });
});

test.each([
  [[own], undefined, { state: 'static' }],
  [[own], statedPolicy, { state: 'stale', mayMiss: ['ends'] }],
  [[own, npm], undefined, { state: 'stale', mayMiss: ['releases'] }],
])(
  'the sources %j with the policy %j, of which none has answered',
  (sources, support, expected) => {
    expect(describe({}, { sources, ...(support && { support }) })).toMatchObject(expected);
  },
);

test('a hold comes before everything else, and failures stand beside it', () => {
  const failed = {
    'npm:svc': { answeredOn: '2026-11-01', failingSince: '2026-11-02', reason: 'answered 500' },
    'npm:other': { failingSince: '2026-11-03' },
  };

  expect(describe(failed, { held: [hold] })).toEqual({
    state: 'held',
    mayMiss: ['releases'],
    failures: [
      { source: 'npm:svc', since: '2026-11-02', reason: 'answered 500' },
      { source: 'npm:other', since: '2026-11-03', reason: 'failed' },
    ],
    held: [{ id: hold.id, since: hold.since, reason: hold.reason }],
  });
});

test.each<[ComponentFreshness, words: string, tone: string, trouble: string]>([
  [{ state: 'live' }, 'up to date', 'ok', ''],
  [{ state: 'static' }, 'kept by hand', 'none', ''],
  [
    { state: 'stale', mayMiss: ['releases', 'ends'] },
    'may be out of date',
    'soon',
    'Newer releases and ends of support may be missing: some sources failed or answered only in part.',
  ],
  [
    { state: 'stale', mayMiss: ['advisories'] },
    'newer advisories may be missing',
    'soon',
    'Newer advisories may be missing: some sources failed or answered only in part.',
  ],
  [
    { state: 'held', held: [hold], mayMiss: ['advisories', 'ends', 'releases'] },
    'a change is held',
    'soon',
    'A change is held until a person decides. Newer releases, ends of support and advisories may be missing: some sources failed or answered only in part.',
  ],
])('%j is told as: %s', (freshness, words, tone, trouble) => {
  expect(describeCheck(freshness)).toEqual({ words, tone });
  expect(describeTrouble(freshness)).toBe(trouble);
});

test.each<[components: ComponentFreshness[], isWhole: boolean, text: string]>([
  [[{ state: 'live' }, { state: 'static' }], true, 'All sources were checked.'],
  [
    [{ state: 'live', failures: [{ source: 'npm:a', since: '2026-11-20', reason: 'x' }] }],
    true,
    '1 of 1 component could not be fully checked.',
  ],
  [
    [
      { state: 'stale', mayMiss: ['ends'] },
      { state: 'live' },
      { state: 'stale', mayMiss: ['releases', 'ends'] },
    ],
    false,
    '2 of 3 components could not be fully checked. Newer releases and ends of support may be missing.',
  ],
])('%j are summarised', (components, isWhole, text) => {
  const freshness = new Map(components.map((each, position) => [`c${position}`, each]));

  expect(summariseFreshness(freshness)).toEqual({ isWhole, text });
});
