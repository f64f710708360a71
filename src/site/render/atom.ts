import { dayOf, toTimestamp, type Day, type Timestamp } from '../../core/dates.ts';
import type { ListedChange } from '../../decide/journal/published-events.ts';
import { nameInIds, type Component, type ComponentSummary } from '../../decide/component.ts';
import type { SiteContext } from './site-context.ts';
import { authorityOf, changeUrl, pageUrl } from './addresses.ts';
import { escapeXml } from './xml.ts';

const minFeedEntries = 50;
const maxFeedEntries = 500;

/** `feeds/<component>.atom`. */
export function renderComponentFeed(
  component: Component,
  changes: readonly ListedChange[],
  site: SiteContext,
): string {
  const { name, definition, judgement } = component;
  return renderFeed(site, {
    id: nameInIds(component),
    path: `feeds/${name}.atom`,
    title: `${definition.title}: changes`,
    subtitle: `New, deprecated, withdrawn and corrected releases of ${name}.`,
    alternate: pageUrl(site, name),
    changes,
    restDay: newestDay(judgement.releases),
  });
}

/** `feed.atom`. */
export function renderSiteFeed(
  site: SiteContext,
  summaries: readonly ComponentSummary[],
  changes: readonly ListedChange[],
): string {
  return renderFeed(site, {
    id: 'all',
    path: 'feed.atom',
    title: `${site.config.title}: changes`,
    subtitle: 'New, deprecated, withdrawn and corrected releases of all components.',
    alternate: `${site.baseUrl}/`,
    changes,
    restDay: newestDay(summaries.flatMap((summary) => summary.latest ?? [])),
  });
}

interface Feed {
  /** Names the feed among those of the site, and never changes. */
  id: string;
  path: string;
  title: string;
  subtitle: string;
  /** The page with the same content. */
  alternate: string;
  /** Newest first. */
  changes: readonly ListedChange[];
  /** Its day of update while it has no change. */
  restDay: Day;
}

/** Atom, RFC 4287. `updated` follows the data and not the clock, so that readers fetch only what is new. */
function renderFeed(site: SiteContext, feed: Feed): string {
  const entries = entriesOf(feed.changes);
  const tag = tagOf(site);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `  <id>${escapeXml(`${tag}feed/${feed.id}`)}</id>`,
    `  <title>${escapeXml(feed.title)}</title>`,
    `  <subtitle>${escapeXml(feed.subtitle)}</subtitle>`,
    `  <updated>${entries[0] ? toTimestamp(entries[0].at) : toTimestamp(feed.restDay)}</updated>`,
    `  <link rel="self" type="application/atom+xml" href="${escapeXml(`${site.baseUrl}/${feed.path}`)}"/>`,
    `  <link rel="alternate" type="text/html" href="${escapeXml(feed.alternate)}"/>`,
    `  <author><name>${escapeXml(site.config.title)}</name><uri>${escapeXml(`${site.baseUrl}/`)}</uri></author>`,
    ...entries.map((change) => renderEntry(site, tag, change)),
    '</feed>',
    '',
  ].join('\n');
}

/** The newest, and whole runs only: a reader who looks once a day must not miss a part of the last one. */
function entriesOf(changes: readonly ListedChange[]): readonly ListedChange[] {
  const last = changes[Math.min(minFeedEntries, changes.length) - 1];
  return changes.filter(({ at }) => last !== undefined && at >= last.at).slice(0, maxFeedEntries);
}

function renderEntry(site: SiteContext, tag: string, change: ListedChange): string {
  const related =
    change.url === undefined ? '' : `    <link rel="related" href="${escapeXml(change.url)}"/>\n`;
  return (
    `  <entry>\n    <id>${escapeXml(tag + change.id)}</id>\n    <title>${escapeXml(titleOf(change))}</title>\n` +
    `    <updated>${toTimestamp(change.at)}</updated>\n` +
    `    <link rel="alternate" type="text/html" href="${escapeXml(changeUrl(site, change))}"/>\n${related}` +
    `    <category term="${change.type}"/>\n` +
    `    <content type="text">${escapeXml(contentOf(change))}</content>\n  </entry>`
  );
}

function titleOf({ component, version, line, type, subjects }: ListedChange): string {
  const what = type.replaceAll('-', ' ');
  if (subjects) return `${component}: ${subjects.length} ${what}`;
  const subject = version ?? (line === undefined ? undefined : `release line ${line}`);
  return [component, subject, what].filter((part) => part !== undefined).join(' ');
}

/** Everything about the change, so that readers need no other page for a verdict. */
function contentOf({ text, subjects = [], type, url }: ListedChange): string {
  const names = type === 'added' || subjects.length === 0 ? [] : [`All: ${subjects.join(', ')}`];
  return [text, ...names, ...(url === undefined ? [] : [url])].join('\n');
}

/** The beginning of every id (RFC 4151), unique even if the address is given up. The year is that of this scheme of ids. */
function tagOf(site: SiteContext): string {
  return `tag:${authorityOf(site)},2026:${site.config.datasource}/`;
}

function newestDay(releases: readonly { releaseTimestamp?: Timestamp | undefined }[]): Day {
  const timestamps = releases.flatMap(({ releaseTimestamp }) => releaseTimestamp ?? []);
  return dayOf(['2000-01-01', ...timestamps].sort().at(-1)!);
}
