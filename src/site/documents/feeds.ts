/** The view of `feed.atom` and `feeds/<component>.atom`: Atom, RFC 4287. Nothing in it names the day of the build. */
import { toTimestamp } from '../../core/day.ts';
import type { Change } from '../../core/schema/documents.ts';
import type { Component } from '../../core/schema/published.ts';
import { formatCount } from '../../core/text.ts';
import type { Index } from '../load-index.ts';
import { findPlace, nameInIds } from './changes.ts';

/** A feed has at least so many of the newest entries, then the rest of their run: a daily reader must miss none. */
const minEntries = 50;
const maxEntries = 500;

/** `changes`: newest first. With `component`, its own feed. */
export function viewFeed(
  changes: readonly Change[],
  { releasesUrl, datasource, title }: Index['settings'],
  component?: Component,
) {
  // What a run began with is one entry.
  const groups = Map.groupBy(changes, ({ id, at, initial }) => (initial ? at : id));
  const all = Array.from(groups.values(), viewEntry);
  const last = all[minEntries - 1];
  const entries = last ? all.filter(({ at }) => at >= last.at).slice(0, maxEntries) : all;
  return {
    // RFC 4151. The year is when ids were first given.
    prefix: `tag:${new URL(releasesUrl).hostname},2026:${datasource}/`,
    name: component ? nameInIds(component) : 'all',
    title: component?.title ?? title,
    place: component ? `${component.component}.html` : '',
    // A feed must have an instant, also before the first run.
    updated: entries[0]?.at ?? '2000-01-01T00:00:00Z',
    entries,
  };
}

/** An event, or what a run began with, which has the id of its last event. */
function viewEntry(group: readonly Change[]) {
  const change = group[0]!;
  const { id, at, type, initial, component, text, url } = change;
  const event = { id, at: toTimestamp(at), type, title: text, place: findPlace(change), url };
  if (!initial) {
    return event;
  }

  const { size } = new Set(group.map((each) => each.component));
  const releases = group.filter((each) => each.type === 'released');
  const subject = size === 1 ? component : formatCount(size, 'component');
  const title = `${subject} added, with ${formatCount(releases.length, 'release')}`;
  const place = size === 1 ? `${component}.html` : 'changes.html';
  return { ...event, type: 'added', title, place, url: undefined };
}
