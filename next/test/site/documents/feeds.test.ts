import { parseFeed } from '@rowanmanning/feed-parser';
import { describe, expect, test } from 'vitest';
import { listAllChanges } from '../../../src/site/documents/changes.ts';
import { viewFeed } from '../../../src/site/documents/feeds.ts';
import { judgeComponents, renderFiles, type Facts } from '../../harness/components.ts';
import { exampleRoot, loadExample } from '../../harness/example.ts';

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
  ['a release', { type: 'released', version: '1.0+a b' }, 'svc.html#v1.0+a~20~b'],
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
