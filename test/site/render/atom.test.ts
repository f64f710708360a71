import { parseFeed } from '@rowanmanning/feed-parser';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../src/core/dates.ts';
import { changesOf } from '../../../src/decide/changes.ts';
import type { Component } from '../../../src/decide/component.ts';
import { renderComponentFeed, renderSiteFeed } from '../../../src/site/render/atom.ts';
import { componentOf, hostileText, site, newestChangesOf, summariesOf } from './sites.ts';

function feedOf(component: Component): string {
  return renderComponentFeed(component, changesOf(component), site);
}

const component = componentOf(
  [
    { version: '1.0', releaseTimestamp: '2024-01-10T08:00:00Z' },
    {
      version: '1.1',
      releaseTimestamp: '2026-03-01',
      firstSeen: '2026-03-02',
      changelogUrl: 'https://example.com/1.1',
    },
  ],
  { support: { policy: 'term', months: 12 } },
);

describe('feed of a component', () => {
  it('is read by a feed reader', () => {
    const feed = parseFeed(feedOf(component));

    expect(feed.toJSON()).toMatchObject({
      meta: { type: 'atom', version: '1.0' },
      title: 'Server: changes',
      url: 'https://releases.example.com/svc.html',
      self: 'https://releases.example.com/feeds/svc.atom',
      updated: '2026-03-02T00:00:00.000Z',
      authors: [{ name: 'Release index' }],
    });
    expect(
      feed.items.map((item) => ({
        id: item.id,
        title: item.title,
        url: item.url,
        updated: item.updated?.toISOString(),
      })),
    ).toEqual([
      {
        id: 'tag:releases.example.com,2026:release-index/svc/1.1/added/2026-03-02',
        title: 'svc 1.1 added',
        url: 'https://releases.example.com/svc.html#v1.1',
        updated: '2026-03-02T00:00:00.000Z',
      },
      {
        id: 'tag:releases.example.com,2026:release-index/svc/line/1.0/deprecated/2025-01-10/support-policy',
        title: 'svc: release line 1.0 deprecated',
        url: 'https://releases.example.com/svc.html#v1.0',
        updated: '2025-01-10T00:00:00.000Z',
      },
    ]);
  });

  it('has everything that Atom requires of a feed and of each entry (RFC 4287, 4.1)', () => {
    const text = feedOf(component);
    const { feed } = new XMLParser({
      ignoreAttributes: false,
      isArray: (name) => name === 'entry' || name === 'link',
    }).parse(text) as {
      feed: Record<string, unknown> & { entry: Record<string, unknown>[] };
    };

    expect(XMLValidator.validate(text)).toBe(true);
    expect(feed['@_xmlns']).toBe('http://www.w3.org/2005/Atom');
    for (const element of [feed, ...feed.entry]) {
      expect(element).toMatchObject({ id: expect.stringMatching(/^tag:/), title: expect.any(String) });
      expect(element['updated']).toMatch(/^\d{4}-\d{2}-\d{2}T00:00:00Z$/);
      expect(element['link']).toContainEqual(expect.objectContaining({ '@_rel': 'alternate' }));
    }
  });

  it('says old value, new value and why of a correction', () => {
    const corrected = componentOf([
      {
        version: '1.0',
        corrections: [
          {
            on: '2026-02-01',
            field: 'releaseTimestamp',
            from: '2026-01-09',
            to: '2026-01-03',
            reason: 'npm:a states the day',
          },
        ],
      },
    ]);

    expect(parseFeed(feedOf(corrected)).items[0]!.content).toBe(
      '1.0: the release day was "2026-01-09" and is "2026-01-03" now: npm:a states the day.',
    );
  });

  it('keeps hostile text as text, and drops what XML cannot hold', () => {
    const reason = `${hostileText}\u0000\u0008\uFFFF${'\uD800'}`;
    const hostile = componentOf([{ version: '1.0' }], {
      title: hostileText,
      deprecated: [{ versions: ['1.0'], reason: hostileText, since: '2026-01-01' }],
    });
    const change = { ...changesOf(hostile)[0]!, text: reason };
    const text = renderComponentFeed(hostile, [change], site);

    expect(XMLValidator.validate(text)).toBe(true);
    expect(text).not.toContain('<script>');
    for (const dropped of ['\u0000', '\u0008', '\uFFFF', '\uD800']) expect(text).not.toContain(dropped);
    expect(parseFeed(text).items[0]!.content).toContain(hostileText);
  });

  it('takes its day from the data where nothing ever changed', () => {
    const quiet = componentOf([{ version: '1.0', releaseTimestamp: '2026-01-10T08:00:00Z' }]);

    expect(parseFeed(feedOf(quiet)).updated?.toISOString()).toBe('2026-01-10T00:00:00.000Z');
    expect(parseFeed(feedOf(componentOf([]))).updated?.toISOString()).toBe('2000-01-01T00:00:00.000Z');
  });

  it('holds the newest 50 changes', () => {
    const many = componentOf(
      Array.from({ length: 60 }, (_, index) => ({
        version: `1.${index}`,
        firstSeen: addDays('2026-01-01', index),
      })),
    );

    const { items } = parseFeed(feedOf(many));
    expect(items).toHaveLength(50);
    expect(items[0]!.title).toBe('svc 1.59 added');
  });

  it('keeps the ids of a component whatever else changes, and wherever the site is published', () => {
    const before = feedOf(componentOf([{ version: '1.0', firstSeen: '2026-01-01' }]));
    const releases = ['0.9', '1.0', '1.1'].map((version) => ({ version, firstSeen: '2026-01-01' }));
    const later = componentOf(releases, { title: 'Renamed' });
    const after = renderComponentFeed(later, changesOf(later), { ...site, baseUrl: 'http://127.0.0.1:8787' });

    const [id] = parseFeed(before).items.map((item) => item.id);
    expect(parseFeed(after).items.map((item) => item.id)).toContain(id);
  });
});

describe('feed of all components', () => {
  it('is the changes of all, newest first', () => {
    const components = [
      componentOf([{ version: '1.0', firstSeen: '2026-01-01' }], {}, { name: 'a' }),
      componentOf([{ version: '2.0', firstSeen: '2026-01-02' }], {}, { name: 'b' }),
      componentOf([{ version: '3.0', firstSeen: '2026-01-01' }], {}, { name: 'c' }),
    ];

    const feed = parseFeed(renderSiteFeed(site, summariesOf(...components), newestChangesOf(...components)));
    expect(feed.self).toBe('https://releases.example.com/feed.atom');
    expect(feed.items.map((item) => item.title)).toEqual([
      'b: 1 release added',
      'a: 1 release added',
      'c: 1 release added',
    ]);
  });
});
