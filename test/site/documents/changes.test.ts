import { parseFeed } from '@rowanmanning/feed-parser';
import { describe, expect, test } from 'vitest';
import {
  listAllChanges,
  listChanges,
  renderChanges,
  viewFeed,
} from '../../../src/site/documents/changes.ts';
import type { Event } from '../../../src/core/schema/events.ts';
import { judgeComponents, renderFiles, type Facts } from '../../harness/components.ts';
import { exampleRoot, loadExample } from '../../harness/example.ts';

const at = '2026-11-20T06:00:00.000Z';
const later = '2026-11-21T06:00:00.000Z';

describe('an event in words', () => {
  const { components } = judgeComponents({ svc: { definition: { title: 'Server' } } });
  const cases: [Partial<Event>, string][] = [
    [
      { type: 'released', version: '2026.3', on: '2026-11-20' },
      'Server 2026.3 was released on 2026-11-20.',
    ],
    [
      { type: 'released', version: '2026.3', on: '2026-11-20', isObserved: true },
      'Server 2026.3 was released on or before 2026-11-20.',
    ],
    [
      { type: 'released', version: '2026.3', on: '2026-11-20', timestampKind: 'observed' },
      'Server 2026.3 was released on or before 2026-11-20.',
    ],
    [{ type: 'withdrawn', version: '2026.3' }, 'Server 2026.3 was withdrawn.'],
    [{ type: 'relisted', version: '2026.3' }, 'Server 2026.3 is listed again.'],
    [{ type: 'excluded', version: '2026.3' }, 'Server 2026.3 is no longer in this index.'],
    [{ type: 'included', version: '2026.3' }, 'Server 2026.3 is in this index again.'],
    [
      { type: 'deprecated', version: '2026.3', reason: 'Loses data' },
      'Server 2026.3 is deprecated. Loses data.',
    ],
    [{ type: 'restored', version: '2026.3' }, 'Server 2026.3 is no longer deprecated.'],
    [
      { type: 'corrected', version: '2026.3', field: 'day', from: '2026-11-20', to: '2026-11-19' },
      'Server 2026.3 was corrected: its day is 2026-11-19 now.',
    ],
    [{ type: 'republished', version: '2026.3' }, 'Server 2026.3 has other bytes than recorded.'],
    [
      { type: 'support-changed', line: '2026.3', to: '2028-05-20' },
      'Server 2026.3 is supported until 2028-05-20.',
    ],
    [
      { type: 'support-changed', line: '2026.3', from: '2028-01-01', to: '2028-05-20' },
      'Server 2026.3 is supported until 2028-05-20, not 2028-01-01.',
    ],
    [
      { type: 'support-changed', line: '2026.3', toAtMost: '2028-05-20' },
      'Server 2026.3 is supported until 2028-05-20 at the latest.',
    ],
    [
      { type: 'support-changed', line: '2026.3', from: '2028-01-01' },
      'Server 2026.3 has no stated end of support, not 2028-01-01.',
    ],
    [
      { type: 'support-announced', line: '2026.3', to: '2028-05-20' },
      'Server 2026.3 is supported until 2028-05-20.',
    ],
    [
      { type: 'support-ending', line: '2026.3', on: '2026-12-31' },
      'Server 2026.3 will soon be out of support: its last sure day is 2026-12-31.',
    ],
    [{ type: 'support-ended', line: '2026.3' }, 'Server 2026.3 is no longer supported.'],
    [
      { type: 'advisory-published', advisory: 'CVE-2026-1', to: '<2026.3' },
      'Advisory CVE-2026-1 on Server was published: it affects <2026.3.',
    ],
    [
      { type: 'advisory-changed', advisory: 'CVE-2026-1', to: '<2026.2' },
      'Advisory CVE-2026-1 on Server was changed: it affects <2026.2.',
    ],
    [
      { type: 'advisory-withdrawn', advisory: 'CVE-2026-1' },
      'Advisory CVE-2026-1 on Server was withdrawn.',
    ],
    [{ type: 'replaced', to: 'next' }, 'Server is replaced by next.'],
    [{ type: 'replaced', from: 'next' }, 'Server is no longer replaced.'],
  ];

  test.each(cases)('%j', (event, text) => {
    const journal = [{ id: 1, at, on: '2026-11-20', ...event } as Event];

    expect(listChanges(components[0]!, journal)).toEqual([
      { at, on: '2026-11-20', ...event, id: 'svc/1', component: 'svc', text },
    ]);
  });
});

const released = (version: string, instant: string) => ({
  type: 'released',
  version,
  at: instant,
  on: '2026-11-20',
});

describe('changes', () => {
  const index = judgeComponents({
    a: { journal: [released('1.0', at), released('1.1', later)] },
    b: {
      definition: { renamedFrom: ['first', 'second'] },
      journal: [
        released('1.0', at),
        released('1.1', at),
        released('2.0', '2025-12-31T23:59:59.999Z'),
      ],
    },
  });

  test('are newest first, of a run by component and number, under the first name', () => {
    const ids = listAllChanges(index).map(({ id }) => id);

    expect(ids).toEqual(['a/2', 'first/2', 'first/1', 'a/1', 'first/3']);
  });

  test('are written by year, with a line for each', () => {
    const files = new Map(renderChanges(listAllChanges(index), index));

    expect([...files.keys()]).toEqual(['changes.json', 'changes/2026.json', 'changes/2025.json']);
    expect(String(files.get('changes/2025.json')).split('\n')).toHaveLength(4);
  });

  test('of which only the newest 1,000 are in changes.json', () => {
    const many = Array.from({ length: 1001 }, (_, place) => released(`1.${place}`, at));
    const full = judgeComponents({ a: { journal: many } });
    const files = new Map(renderChanges(listAllChanges(full), full));
    const list = (path: string): { id: string }[] => JSON.parse(String(files.get(path))).changes;

    expect(list('changes.json')).toHaveLength(1000);
    expect(list('changes.json').at(-1)!.id).toBe('a/2');
    expect(list('changes/2026.json')).toHaveLength(1001);
  });

  test('of no run are an empty list', () => {
    const files = new Map(renderChanges([], judgeComponents({})));

    expect(Object.fromEntries(files)).toEqual({ 'changes.json': '{"changes": [\n]}\n' });
  });

  test('of the example keep their ids, and its runs their place', () => {
    const example = loadExample();
    const files = new Map(renderChanges(listAllChanges(example), example));
    const { changes } = JSON.parse(String(files.get('changes/2026.json'))) as {
      changes: { id: string }[];
    };

    expect(changes).toHaveLength(539);
    expect(changes.slice(0, 3).map(({ id }) => id)).toEqual([
      'svc/158',
      'svc/157',
      'test-distribution-agent/12',
    ]);
    expect(JSON.parse(String(files.get('builds/2026.json'))).builds[0].id).toBe('mey0smz1rwuej');
  });
});

function readFeed(text: string) {
  const { url, title, self, updated, meta, items } = parseFeed(text);
  return {
    type: `${meta.type} ${meta.version}`,
    title,
    url,
    self,
    updated: updated?.toISOString(),
    items,
  };
}

const example = renderFiles(loadExample(), exampleRoot);
const listIds = (text: string) => Array.from(text.matchAll(/<id>(.*)<\/id>/g), ([, id]) => id);

describe('feeds of the example', () => {
  test('are Atom that a reader of feeds understands', () => {
    const { items, ...feed } = readFeed(example.get('feed.atom')!);

    expect(feed).toEqual({
      type: 'atom 1.0',
      title: 'Release index: changes',
      url: 'https://releases.example.com/',
      self: 'https://releases.example.com/feed.atom',
      updated: '2026-11-24T23:22:27.000Z',
    });
    expect(items[0]).toMatchObject({
      id: 'tag:releases.example.com,2026:release-index/svc/158',
      url: 'https://releases.example.com/svc.html#v2022.3.3',
      title:
        "Server 2022.3.3 is deprecated. The vendor's samples used it for a day and went back to 2022.3. It may never have been public.",
    });
    expect(items[2]).toMatchObject({
      title: '14 components added, with 335 releases',
      url: 'https://releases.example.com/changes.html',
    });
  });

  test.each<[string, string[]]>([
    ['feed.atom', ['feed/all', 'svc/158', 'svc/157', 'test-distribution-agent/12']],
    ['feeds/svc.atom', ['feed/svc', 'svc/158', 'svc/157', 'svc/156']],
    ['feeds/build-agent-npm.atom', ['feed/build-agent-npm', 'build-agent-npm/11']],
    ['feeds/dashboard-bundle.atom', ['feed/dashboard-bundle']],
  ])('keep the ids that readers have seen: %s', (path, ids) => {
    const prefix = 'tag:releases.example.com,2026:release-index/';

    expect(listIds(example.get(path)!)).toEqual(ids.map((id) => prefix + id));
  });

  test('have an instant without an event', () => {
    expect(readFeed(example.get('feeds/dashboard-bundle.atom')!).updated).toBe(
      '2000-01-01T00:00:00.000Z',
    );
  });
});

const event = (more: object, instant = '2026-11-20T06:00:00.000Z') => ({
  at: instant,
  on: '2026-11-20',
  ...more,
});

function renderFeed(facts: Facts, path = 'feed.atom'): string {
  return renderFiles(judgeComponents({ svc: facts }), exampleRoot).get(path)!;
}

test('foreign text makes no markup', () => {
  const title = `<b> & "x" ' ]]>`;
  const journal = [event({ type: 'deprecated', version: '1.0', reason: '<script>' })];
  const feed = readFeed(renderFeed({ definition: { title }, journal }, 'feeds/svc.atom'));

  expect([feed.title, feed.items[0]!.title]).toEqual([
    `${title}: changes`,
    `${title} 1.0 is deprecated. <script>.`,
  ]);
});

test.each<[string, object, string]>([
  ['a release', { type: 'restored', version: '1.0+a b' }, 'svc.html#v1.0+a~20~b'],
  ['a line', { type: 'support-ended', line: '2025.1' }, 'svc.html#line-2025.1'],
  ['an advisory', { type: 'advisory-withdrawn', advisory: 'CVE-2026-1' }, 'svc.html'],
  ['a release that has left the page', { type: 'excluded', version: '1.0' }, 'svc.html'],
])('an entry leads to what it is about: %s', (_, facts, place) => {
  const { items } = readFeed(renderFeed({ journal: [event(facts)] }));

  expect(items[0]!.url).toBe(`https://releases.example.com/${place}`);
});

const initial = (version: string) => event({ type: 'released', version, initial: true });

test.each<[string, Record<string, Facts>, string[]]>([
  [
    'svc added, with 2 releases',
    { svc: { journal: [initial('1.0'), initial('1.1')] } },
    ['svc/2', 'svc.html'],
  ],
  [
    '2 components added, with 3 releases',
    { agent: { journal: [initial('1.0')] }, svc: { journal: [initial('1.0'), initial('1.1')] } },
    ['svc/2', 'changes.html'],
  ],
])('what a run began with is one entry: %s', (title, components, [id, place]) => {
  const index = judgeComponents(components);

  expect(viewFeed(listAllChanges(index), index.settings).entries).toEqual([
    { id, title, place, type: 'added', at: '2026-11-20T06:00:00Z', url: undefined },
  ]);
});

test('a feed has 50 entries and the rest of their run, and 500 at most', () => {
  const createRun = (hour: number, size: number) =>
    Array.from({ length: size }, (_, place) =>
      event(
        { type: 'relisted', version: `1.${place}` },
        `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`,
      ),
    );
  const count = (...journal: object[]) => {
    const index = judgeComponents({ svc: { journal } });
    return viewFeed(listAllChanges(index), index.settings).entries.length;
  };

  expect(count(...createRun(0, 70))).toBe(70);
  expect(count(...createRun(0, 10), ...createRun(1, 40), ...createRun(2, 30))).toBe(70);
  expect(count(...createRun(0, 600))).toBe(500);
});
