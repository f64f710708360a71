/** The view of `feed.atom` and `feeds/<component>.atom`: Atom, RFC 4287. Nothing in it names the day of the build. */
import { toTimestamp } from '../../core/day.ts';
import type { Index } from '../../core/judged-index.ts';
import type { Change } from '../../core/schema/documents.ts';
import type { Component } from '../../core/schema/published.ts';
import { formatList } from '../../core/text.ts';
import { nameAnchor } from '../../core/words.ts';
import { listEntries, nameInIds, type Entry } from './changes.ts';

/** A feed has at least so many of the newest entries, then the rest of their run: a daily reader must miss none. */
const minEntries = 50;
const maxEntries = 500;

/** Of a component, in one entry. */
const maxSubjects = 10;

/** A feed must have an instant, also before the first run. */
const startOfEmptyFeed = '2000-01-01';

/** `changes`: newest first. With `component`, its own feed. */
export function viewFeed(
  changes: readonly Change[],
  { settings, components }: Index,
  component?: Component,
) {
  const titles = new Map(components.map((each) => [each.component, each.title]));
  const all = listEntries(changes, titles);
  const last = all[minEntries - 1];
  const entries = last ? all.filter(({ at }) => at >= last.at).slice(0, maxEntries) : all;
  return {
    // RFC 4151. The year is when ids were first given.
    prefix: `tag:${new URL(settings.releasesUrl).hostname},2026:${settings.datasource}/`,
    name: component ? nameInIds(component) : 'all',
    title: component?.title ?? settings.title,
    place: component ? `${component.component}.html` : '',
    updated: toTimestamp(entries[0]?.at ?? startOfEmptyFeed),
    entries: entries.map(viewEntry),
  };
}

function viewEntry({ id, at, type, title, changes }: Entry) {
  const [first, ...others] = changes as [Change, ...Change[]];
  const isSingle = others.length === 0;
  return {
    id,
    type,
    title,
    instant: toTimestamp(at),
    place: findPlace(first, others),
    url: isSingle ? first.url : undefined,
    content: isSingle ? first.text : listSubjects(changes),
  };
}

/** The page of the component, and on it the row or the line of a single change. */
function findPlace({ component, type, version, line }: Change, others: readonly Change[]): string {
  if (others.some((change) => change.component !== component)) {
    return 'changes.html';
  }

  const anchor = version === undefined ? line && `line-${line}` : nameAnchor(version);
  const isShown = anchor && others.length === 0 && type !== 'excluded';
  return `${component}.html${isShown ? `#${anchor}` : ''}`;
}

/** `svc: 2025.1, 2025.2`: a line for each component, oldest first. */
function listSubjects(changes: readonly Change[]): string {
  const groups = Map.groupBy(changes.toReversed(), ({ component }) => component);
  const rows = Array.from(groups, ([component, group]) => {
    const subjects = group.flatMap(
      ({ version, line, advisory }) => version ?? line ?? advisory ?? [],
    );
    return `${component}: ${formatList([...new Set(subjects)], maxSubjects)}`;
  });
  return rows.join('\n');
}
