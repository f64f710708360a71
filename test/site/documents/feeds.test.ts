import { parseFeed } from '@rowanmanning/feed-parser';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { listAllChanges, viewFeed } from '../../../src/site/documents/changes.ts';
import { judgeComponents, readFiles, renderFiles, type Facts } from '../../harness/components.ts';
import { hiddenCharacters } from '../../harness/hostile-answers.ts';
import { buildExample } from '../../harness/site.ts';

const example = readFiles(buildExample());

const on = '2026-11-20';
const event = (facts: object, at = `${on}T06:00:00.000Z`) => ({ at, on, ...facts });
const released = (version: string, at?: string) => event({ type: 'released', version }, at);

const listIds = (text: string) => Array.from(text.matchAll(/<id>(.*)<\/id>/g), ([, id]) => id);

describe('feeds of the example', () => {
  test('are Atom feeds that a feed parser understands', () => {
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
  ])('keep their entry ids stable: %s', (path, ids) => {
    const prefix = 'tag:releases.example.com,2026:release-index/';

    expect(listIds(example.get(path)!)).toEqual(ids.map((id) => prefix + id));
  });

  test('come with stable run ids in builds/2026.json', () => {
    expect(JSON.parse(example.get('builds/2026.json')!).builds[0].id).toBe('mey0smz1rwuej');
  });

  test('have an "updated" date even without entries', () => {
    expect(parseFeed(example.get('feeds/dashboard-bundle.atom')!).updated).toEqual(
      new Date('2000-01-01'),
    );
  });
});

test('a feed escapes foreign text', () => {
  const title = `<b> & "x" ' ]]>`;
  const journal = [event({ type: 'deprecated', version: '1.0', reason: '<script>' })];
  const index = judgeComponents({ svc: { definition: { title }, journal } });
  const feed = parseFeed(renderFiles(index).get('feeds/svc.atom')!);

  expect([feed.title, feed.items[0]!.title]).toEqual([
    `${title}: changes`,
    `${title} 1.0 is deprecated. <script>.`,
  ]);
});

test('a feed is XML, even if a recorded text or URL contains characters that XML cannot contain', () => {
  const hidden = hiddenCharacters.join('');
  const journal = [
    event({ type: 'deprecated', version: '1.0', reason: `Loses ${hidden}data` }),
    event({ ...released('1.1'), url: `https://example.com/${hidden}` }),
  ];
  const text = renderFiles(judgeComponents({ svc: { journal } })).get('feeds/svc.atom')!;

  // The characters of XML 1.0, section 2.2.
  expect(text).toMatch(/^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u);
  expect(XMLValidator.validate(text)).toBe(true);
  expect(parseFeed(text).items).toHaveLength(2);
});

function listEntries(components: Readonly<Record<string, Facts>>) {
  const index = judgeComponents(components);
  return viewFeed(listAllChanges(index), index).entries;
}

test.each([
  ['svc.html#v1.0+a~20~b', { type: 'restored', version: '1.0+a b' }],
  ['svc.html#line-2025.1', { type: 'support-ended', line: '2025.1' }],
  ['svc.html', { type: 'advisory-withdrawn', advisory: 'CVE-2026-1' }],
  // An excluded release is no longer on the page.
  ['svc.html', { type: 'excluded', version: '1.0' }],
])('a feed entry links to the address %s if the event is %j', (place, facts) => {
  expect(listEntries({ svc: { journal: [event(facts)] } })).toMatchObject([{ place }]);
});

const initial = (version: string) => ({ ...released(version), initial: true });
const svc = { journal: [initial('1.0'), initial('1.1')] };

test.each([
  ['svc added, with 2 releases', 'svc.html', { svc }],
  ['2 components added, with 3 releases', 'changes.html', { a: { journal: [initial('1')] }, svc }],
])(
  'the first releases of a component share one feed entry with the title "%s"',
  (title, place, components) => {
    expect(listEntries(components)).toEqual([
      { id: 'svc/2', title, place, type: 'added', at: '2026-11-20T06:00:00Z', url: undefined },
    ]);
  },
);

test.each([
  [[10, 40, 30], 70],
  [[600], 500],
])('a feed has a limited number of entries: runs with %j events give %i entries', (runs, count) => {
  const journal = runs.flatMap((size, hour) =>
    Array.from({ length: size }, (_, place) =>
      released(`1.${place}`, `2026-11-20T0${hour}:00:00.000Z`),
    ),
  );

  expect(listEntries({ svc: { journal } })).toHaveLength(count);
});
