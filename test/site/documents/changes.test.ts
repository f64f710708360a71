import { parseFeed } from '@rowanmanning/feed-parser';
import { describe, expect, test } from 'vitest';
import {
  listAllChanges,
  listChanges,
  listNews,
  renderChanges,
  viewFeed,
} from '../../../src/site/documents/changes.ts';
import { judgeComponents, renderFiles, type Facts } from '../../harness/components.ts';
import { loadExample } from '../../harness/example.ts';

const example = renderFiles(loadExample());
const at = '2026-11-20T06:00:00.000Z';

const on = '2026-11-20';
/** By the first word of a type of event: how its sentence begins, and what it names. */
const subjects: Readonly<Record<string, [subject: string, facts: object]>> = {
  support: ['Server 2026.3', { line: '2026.3' }],
  advisory: ['Advisory CVE-2026-1 on Server', { advisory: 'CVE-2026-1', to: '<2026.3' }],
  replaced: ['Server', {}],
};
const ofRelease = ['Server 2026.3', { version: '2026.3' }] as const;

test.each<[type: string, words: string, facts?: object]>([
  ['released', 'was released on 2026-11-20.'],
  ['released', 'was released on or before 2026-11-20.', { isObserved: true }],
  ['released', 'was released on or before 2026-11-20.', { timestampKind: 'observed' }],
  ['withdrawn', 'was withdrawn.'],
  ['relisted', 'is listed again.'],
  ['excluded', 'is no longer in this index.'],
  ['included', 'is in this index again.'],
  ['deprecated', 'is deprecated. Loses data.', { reason: 'Loses data' }],
  ['restored', 'is no longer deprecated.'],
  ['corrected', 'was corrected: its day is 2026-11-20 now.', { field: 'day', to: on }],
  [
    'corrected',
    'was corrected: its digest of amd64 is sha256:b now.',
    { field: 'digest', file: 'amd64', to: 'sha256:b' },
  ],
  ['republished', 'has other bytes than recorded.'],
  ['support-announced', 'is supported until 2026-11-20.', { to: on }],
  [
    'support-changed',
    'is supported until 2026-11-20, not 2028-01-01.',
    { from: '2028-01-01', to: on },
  ],
  ['support-changed', 'is supported until 2026-11-20 at the latest.', { toAtMost: on }],
  ['support-changed', 'has no stated end of support, not 2026-11-20.', { from: on }],
  ['support-ending', 'will soon be out of support: its last sure day is 2026-11-20.'],
  ['support-ended', 'is no longer supported.'],
  ['advisory-published', 'was published: it affects <2026.3.'],
  [
    'advisory-changed',
    'was changed: it affects <2026.3 (high, exploited since 2026-11-19).',
    { severity: 'high', exploitedSince: '2026-11-19' },
  ],
  ['advisory-withdrawn', 'was withdrawn.'],
  ['replaced', 'is replaced by next.', { to: 'next' }],
  ['replaced', 'is no longer replaced.', { from: 'next' }],
])('an event in words: %s "%s"', (type, words, facts) => {
  const [subject, of] = subjects[type.split('-')[0]!] ?? ofRelease;
  const event = { at, on, type, ...of, ...facts };

  const index = judgeComponents({ svc: { definition: { title: 'Server' }, journal: [event] } });

  expect(listChanges(index.components[0]!, index)).toEqual([
    { ...event, id: 'svc/1', component: 'svc', text: `${subject} ${words}` },
  ]);
});

const event = (facts: object, instant = at) => ({ at: instant, on, ...facts });
const released = (version: string, instant = at) => event({ type: 'released', version }, instant);

test('news has the day on which it came: no end of the future, and no release that was there without a day', () => {
  const initial = true;
  const journal = [
    { ...released('1.0'), initial },
    { ...released('1.1'), on: '2026-09-01', initial },
    event({ type: 'support-ended', line: '0.9', initial, on: '2026-10-08' }),
    event({ type: 'support-ending', line: '1.0', on: '2027-02-15' }),
    event({ type: 'support-ending', line: '1.1', on: '2026-12-01', initial }),
    event({ type: 'support-ended', line: '0.8', on: '2026-11-01' }),
    released('1.2', '2026-11-21T06:00:00.000Z'),
  ];
  const { components, ...index } = judgeComponents({ svc: { journal } });

  const news = listNews(components[0]!, { components, ...index });

  expect(news.map(({ type, version, line, on }) => [type, version ?? line, on])).toEqual([
    ['released', '1.2', '2026-11-20'],
    ['support-ending', '1.0', '2026-11-20'],
    ['support-ended', '0.8', '2026-11-01'],
    ['support-ended', '0.9', '2026-10-08'],
    ['released', '1.1', '2026-09-01'],
  ]);
});

describe('changes', () => {
  const index = judgeComponents({
    a: { journal: [released('1.0'), released('1.1', '2026-11-21T06:00:00.000Z')] },
    b: {
      definition: { renamedFrom: ['first', 'second'] },
      journal: [released('1.0'), released('1.1'), released('2.0', '2025-12-31T23:59:59.999Z')],
    },
  });

  test('are newest first, under the first name', () => {
    const ids = listAllChanges(index).map(({ id }) => id);

    expect(ids).toEqual(['a/2', 'first/2', 'first/1', 'a/1', 'first/3']);
  });

  test('are written by year, with a line for each', () => {
    const files = new Map(renderChanges(listAllChanges(index), index));

    expect([...files.keys()]).toEqual(['changes.json', 'changes/2026.json', 'changes/2025.json']);
    expect(String(files.get('changes/2025.json')).split('\n')).toHaveLength(4);
  });

  test('of which only the newest 1,000 are in changes.json', () => {
    const journal = Array.from({ length: 1001 }, (_, place) => released(`1.${place}`));
    const many = judgeComponents({ a: { journal } });
    const [newest, ofYear] = renderChanges(listAllChanges(many), many);

    expect(JSON.parse(String(newest![1])).changes.at(-1).id).toBe('a/2');
    expect(JSON.parse(String(ofYear![1])).changes).toHaveLength(1001);
  });
});

const listIds = (text: string) => Array.from(text.matchAll(/<id>(.*)<\/id>/g), ([, id]) => id);

describe('feeds of the example', () => {
  test('are Atom that a reader of feeds understands', () => {
    const feed = parseFeed(example.get('feed.atom')!);

    expect(feed).toMatchObject({
      meta: { type: 'atom', version: '1.0' },
      title: 'Release index: changes',
      url: 'https://releases.example.com/',
      self: 'https://releases.example.com/feed.atom',
      updated: new Date('2026-11-24T23:22:27Z'),
    });
    expect(feed.items[0]!.url).toBe('https://releases.example.com/svc.html#v2022.3.3');
  });

  test.each([
    ['feed.atom', ['feed/all', 'svc/158', 'svc/157', 'test-distribution-agent/12']],
    ['feeds/svc.atom', ['feed/svc', 'svc/158', 'svc/157', 'svc/156']],
    ['feeds/dashboard-bundle.atom', ['feed/dashboard-bundle']],
  ])('keep the ids that readers have seen: %s', (path, ids) => {
    const prefix = 'tag:releases.example.com,2026:release-index/';

    expect(listIds(example.get(path)!)).toEqual(ids.map((id) => prefix + id));
  });

  test('keep the ids of runs', () => {
    expect(JSON.parse(example.get('builds/2026.json')!).builds[0].id).toBe('mey0smz1rwuej');
  });

  test('have an instant without an event', () => {
    expect(parseFeed(example.get('feeds/dashboard-bundle.atom')!).updated).toEqual(
      new Date('2000-01-01'),
    );
  });
});

test('foreign text makes no markup', () => {
  const title = `<b> & "x" ' ]]>`;
  const journal = [event({ type: 'deprecated', version: '1.0', reason: '<script>' })];
  const index = judgeComponents({ svc: { definition: { title }, journal } });
  const feed = parseFeed(renderFiles(index).get('feeds/svc.atom')!);

  expect([feed.title, feed.items[0]!.title]).toEqual([
    `${title}: changes`,
    `${title} 1.0 is deprecated. <script>.`,
  ]);
});

function listEntries(components: Readonly<Record<string, Facts>>) {
  const index = judgeComponents(components);
  return viewFeed(listAllChanges(index), index.settings).entries;
}

test.each([
  ['svc.html#v1.0+a~20~b', { type: 'restored', version: '1.0+a b' }],
  ['svc.html#line-2025.1', { type: 'support-ended', line: '2025.1' }],
  ['svc.html', { type: 'advisory-withdrawn', advisory: 'CVE-2026-1' }],
  // Such a release has left the page.
  ['svc.html', { type: 'excluded', version: '1.0' }],
])('an entry leads to what it is about: %s of %j', (place, facts) => {
  expect(listEntries({ svc: { journal: [event(facts)] } })).toMatchObject([{ place }]);
});

const initial = (version: string) => ({ ...released(version), initial: true });
const svc = { journal: [initial('1.0'), initial('1.1')] };

test.each([
  ['svc added, with 2 releases', 'svc.html', { svc }],
  ['2 components added, with 3 releases', 'changes.html', { a: { journal: [initial('1')] }, svc }],
])('what a run began with is one entry: %s', (title, place, components) => {
  expect(listEntries(components)).toEqual([
    { id: 'svc/2', title, place, type: 'added', at: '2026-11-20T06:00:00Z', url: undefined },
  ]);
});

test.each([
  [[70], 70],
  [[10, 40, 30], 70],
  [[600], 500],
])(
  'of runs with %j events, a feed has at least 50, their whole run, at most 500: %i',
  (runs, count) => {
    const journal = runs.flatMap((size, hour) =>
      Array.from({ length: size }, (_, place) =>
        released(`1.${place}`, `2026-11-20T0${hour}:00:00.000Z`),
      ),
    );

    expect(listEntries({ svc: { journal } })).toHaveLength(count);
  },
);
