import { toTimestamp } from '../../../core/model/dates.ts';
import { escapeMarkup, removeIllegalCharacters } from '../../../core/text/foreign-text.ts';
import { mapByNames, nameInIds, type Component } from '../../../decide/component.ts';
import type { ComponentSummary } from '../../../decide/component-summary.ts';
import type { EntryGroup, ChangeEntry } from '../../../record/journal/events/change-entries.ts';
import { nameChangeAnchor } from '../html/anchors.ts';
import { createCanonicalUrl, nameAuthority, type SiteContext } from '../site-context.ts';

/** A feed has at least so many of the newest entries, and then the rest of the run of the last one, up to the maximum. */
const minFeedEntries = 50;
const maxFeedEntries = 500;

/** A feed must have a day, also before the first run. */
const dayOfEmptyFeed = '2000-01-01';

type NamedComponent = Pick<Component, 'name' | 'definition'>;

interface Feed {
  /** Unique among the feeds of the site. It never changes. */
  readonly id: string;
  readonly path: string;
  /** The title of the index or the component. */
  readonly title: string;
  /** The page that a reader opens. */
  readonly alternate: string;
  /** Those that are in the index, by each of their names. */
  readonly components: ReadonlyMap<string, NamedComponent>;
}

/** `feeds/<component>.atom`. */
export function renderComponentFeed(
  component: Component,
  changes: readonly ChangeEntry[],
  site: SiteContext,
): string {
  const { name, definition } = component;
  return renderFeed(site, changes, {
    id: nameInIds(component),
    path: `feeds/${name}.atom`,
    title: definition.title,
    alternate: createCanonicalUrl(site, `${name}.html`),
    components: mapByNames([component]),
  });
}

/** `feed.atom`. */
export function renderSiteFeed(
  site: SiteContext,
  summaries: readonly ComponentSummary[],
  changes: readonly ChangeEntry[],
): string {
  return renderFeed(site, changes, {
    id: 'all',
    path: 'feed.atom',
    title: site.config.title,
    alternate: `${site.baseUrl}/`,
    components: mapByNames<NamedComponent>(summaries),
  });
}

/** Atom, RFC 4287. `updated` follows the data, not the clock, so readers fetch only new entries. */
function renderFeed(site: SiteContext, allChanges: readonly ChangeEntry[], feed: Feed): string {
  const { id, path, title, alternate, components } = feed;
  const { baseUrl } = site;
  const changes = listNewestChanges(allChanges);

  const text = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${escapeMarkup(`${createIdPrefix(site)}feed/${id}`)}</id>
  <title>${escapeMarkup(title)}: changes</title>
  <subtitle>Releases and changes of ${escapeMarkup(title)}.</subtitle>
  <updated>${toTimestamp(changes[0]?.at ?? dayOfEmptyFeed)}</updated>
  <link rel="self" type="application/atom+xml" href="${escapeMarkup(`${baseUrl}/${path}`)}"/>
  <link rel="alternate" type="text/html" href="${escapeMarkup(alternate)}"/>
  <author><name>${escapeMarkup(site.config.title)}</name><uri>${escapeMarkup(baseUrl)}/</uri></author>
${changes.map((change) => renderEntry(change, components, site)).join('')}</feed>
`;

  return removeIllegalCharacters(text);
}

/** The prefix of every id (RFC 4151), unique even if the address is given up. The year is when this id scheme began. */
function createIdPrefix(site: SiteContext): string {
  return `tag:${nameAuthority(site)},2026:${site.config.datasource}/`;
}

/** The newest of `changes`, which begin with the newest: whole runs, up to a limit, since a daily reader must miss no part of a run. */
function listNewestChanges(changes: readonly ChangeEntry[]): readonly ChangeEntry[] {
  const last = changes[minFeedEntries - 1];
  return last ? changes.filter(({ at }) => at >= last.at).slice(0, maxFeedEntries) : changes;
}

function renderEntry(
  change: ChangeEntry,
  components: Feed['components'],
  site: SiteContext,
): string {
  const { id, at, type, url } = change;
  const { title, page, content } = change.group
    ? describeGroup(change.text, change.group, components)
    : describeSingle(change, components);
  const related =
    url === undefined ? '' : `\n    <link rel="related" href="${escapeMarkup(url)}"/>`;

  return `  <entry>
    <id>${escapeMarkup(createIdPrefix(site) + id)}</id>
    <title>${escapeMarkup(title)}</title>
    <published>${toTimestamp(at)}</published>
    <updated>${toTimestamp(at)}</updated>
    <link rel="alternate" type="text/html" href="${escapeMarkup(`${site.baseUrl}/${page}`)}"/>${related}
    <category term="${type}"/>
    <content type="text">${escapeMarkup(content.join('\n'))}</content>
  </entry>
`;
}

function describeGroup(text: string, group: EntryGroup, components: Feed['components']) {
  const [name = '', ...others] = group.components;
  const page = others.length === 0 ? choosePage(components.get(name), '') : changesPage;
  return { title: text, page, content: [text, ...group.sentences] };
}

const changesPage = 'changes.html';

/** A component that has left the index has no page. */
function choosePage(component: NamedComponent | undefined, anchor: string): string {
  return component ? `${component.name}.html${anchor}` : changesPage;
}

function describeSingle(change: ChangeEntry, components: Feed['components']) {
  const { component: name, type, text, url, subjects } = change;
  const content = [text];
  if (subjects && type !== 'added') {
    content.push(`All: ${subjects.join(', ')}`);
  }
  if (url !== undefined) {
    content.push(url);
  }

  const component = components.get(name);
  return {
    title: nameChange(change, component?.definition.title ?? name),
    page: choosePage(component, nameChangeAnchor(change)),
    content,
  };
}

/** `Server: 21 released`, `Server 1.2 released`, `Server release line 1 support ended`, `Server added`. */
function nameChange({ type, version, line, subjects }: ChangeEntry, title: string): string {
  const event = type.replaceAll('-', ' ');
  if (subjects && type !== 'added') {
    return `${title}: ${subjects.length} ${event}`;
  }
  if (version !== undefined) {
    return `${title} ${version} ${event}`;
  }

  return line === undefined ? `${title} ${event}` : `${title} release line ${line} ${event}`;
}
