import { parseFeed } from '@rowanmanning/feed-parser';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../../src/core/model/dates.ts';
import type { JournalEvent } from '../../../../src/core/schemas/recorded/journal.ts';
import type { RecordedRelease } from '../../../../src/core/schemas/recorded/recorded.ts';
import type { Component } from '../../../../src/decide/component.ts';
import { listChangeEntries } from '../../../../src/record/journal/events/change-entries.ts';
import { toPublishedEvents } from '../../../../src/decide/event-words.ts';
import { renderComponentFeed, renderSiteFeed } from '../../../../src/site/render/documents/atom.ts';
import { changeLogOf, componentOf, recordedBy, site, summariesOf } from '../sites.ts';

function feedOf(
  component: Component,
  journal: readonly JournalEvent[] = recordedBy(component),
): string {
  return renderComponentFeed(component, changesIn(journal), site);
}

function changesIn(journal: readonly JournalEvent[]) {
  return listChangeEntries(toPublishedEvents(journal));
}

const releases: readonly RecordedRelease[] = [
  { version: '1.0', releaseTimestamp: '2024-01-10T08:00:00Z' },
  {
    version: '1.1',
    releaseTimestamp: '2026-03-01',
    firstSeen: '2026-03-02',
    changelogUrl: 'https://example.com/1.1',
  },
];
const term = { support: { policy: 'term', months: 28 } } as const;
const [before, between, after] = ['2026-03-01', '2026-03-02', '2026-05-11'].map((day) =>
  componentOf(day < '2026-03-02' ? releases.slice(0, 1) : releases, term, { day }),
) as [Component, Component, Component];
const component = after;
const lived = recordedBy(after, recordedBy(between, recordedBy(before)));

describe('feed of a component', () => {
  it('is a valid feed for a feed reader', () => {
    const feed = parseFeed(feedOf(component, lived));

    expect(feed.toJSON()).toMatchObject({
      meta: { type: 'atom', version: '1.0' },
      title: 'Server: changes',
      url: 'https://releases.example.com/svc.html',
      self: 'https://releases.example.com/feeds/svc.atom',
      updated: '2026-05-11T00:00:00.000Z',
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
      entry(7, 'Server 1.0 deprecated', '#v1.0', '2026-05-11'),
      entry(4, 'Server 1.1 released', '#v1.1', '2026-03-02'),
      entry(3, 'Server added', '#v1.0', '2026-03-01'),
    ]);
  });

  it('names no number of releases of a component that was added without any', () => {
    const advisory = { id: 'CVE-2026-1', affected: '<2', severity: 'high' } as const;
    const added = componentOf([], { advisories: [advisory] });

    expect(parseFeed(feedOf(added)).items.map(({ title }) => title)).toEqual(['Server added']);
  });

  it('has a day before the first run', () => {
    expect(parseFeed(feedOf(componentOf([]), [])).updated?.toISOString()).toBe(
      '2000-01-01T00:00:00.000Z',
    );
  });

  it('holds at least the newest 50 changes, and whole runs', () => {
    const many = Array.from({ length: 80 }, (_, index) => ({
      version: `1.${index}`,
      firstSeen: addDays('2026-01-01', index),
    }));
    let journal: JournalEvent[] = [];
    for (let count = 1; count <= many.length; count += 7) {
      const day = many[count - 1]!.firstSeen;
      journal = recordedBy(componentOf(many.slice(0, count), {}, { day }), journal);
    }

    const { items } = parseFeed(feedOf(componentOf(many), journal));
    expect(items).toHaveLength(56);
    expect(items.map((item) => item.title)).toContain('Server 1.77 released');
  });

  it('has the sentence of a change and its link as the content of an entry', () => {
    expect(parseFeed(feedOf(component, lived)).items[1]!.content).toBe(
      '1.1 was released on 2026-03-01.\nhttps://example.com/1.1',
    );
  });

  it('keeps the ids of its entries when a component or the address of the site changes', () => {
    const first = componentOf([{ version: '1.0', firstSeen: '2026-01-01' }]);
    const later = componentOf(
      ['0.9', '1.0', '1.1'].map((version) => ({ version, firstSeen: '2026-01-01' })),
      { title: 'Renamed' },
    );
    const journal = recordedBy(later, recordedBy(first), '2026-07-01T00:00:00.000Z');
    const changed = renderComponentFeed(later, changesIn(journal), {
      ...site,
      baseUrl: 'http://127.0.0.1:8787',
    });

    const [id] = parseFeed(feedOf(first)).items.map((item) => item.id);
    expect(parseFeed(changed).items.map((item) => item.id)).toContain(id);
  });
});

function entry(id: number, title: string, anchor: string, day: string): object {
  return {
    id: `tag:releases.example.com,2026:release-index/svc/${id}`,
    title,
    url: `https://releases.example.com/svc.html${anchor}`,
    updated: `${day}T00:00:00.000Z`,
  };
}

describe('feed of all components', () => {
  it('has the changes of all components, newest first', () => {
    const days = { a: '2026-01-01', b: '2026-01-02', c: '2026-01-01' };
    const components = Object.entries(days).map(([name, day]) =>
      componentOf(
        [{ version: '1.0', firstSeen: day }],
        { title: name.toUpperCase() },
        { name, day },
      ),
    );
    const log = changeLogOf(...components.map((one) => recordedBy(one)));

    const feed = parseFeed(renderSiteFeed(site, summariesOf(...components), log.newest().entries));
    expect(feed.self).toBe('https://releases.example.com/feed.atom');
    expect(feed.items.map((item) => item.title)).toEqual([
      'B added',
      '2 components were added with 2 releases.',
    ]);
  });
});

it('the feed of the index leads from a component that has left it to the page of changes', () => {
  const feed = parseFeed(renderSiteFeed(site, [], changeLogOf(lived).newest().entries));

  expect(feed.items.length).toBeGreaterThan(2);
  expect(new Set(feed.items.map(({ url }) => url))).toEqual(
    new Set(['https://releases.example.com/changes.html']),
  );
});

it('entries before a renaming have the title and the page of the new name', () => {
  const renamed = componentOf(releases, { renamedFrom: ['svc'] }, { name: 'server' });
  const feed = parseFeed(
    renderSiteFeed(site, summariesOf(renamed), changeLogOf(lived).newest().entries),
  );

  expect(feed.items.map(({ title }) => title)).toContain('Server 1.1 released');
  expect(feed.items.every(({ url }) => url?.includes('/server.html'))).toBe(true);
});
