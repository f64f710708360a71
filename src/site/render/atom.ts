import { dayOf, type Day, type Timestamp } from '../../core/dates.ts';
import { counted } from '../../core/text.ts';
import type { Change } from '../../decide/change.ts';
import { nameInIds, type Component, type ComponentSummary } from '../../decide/component.ts';
import type { SiteContext } from './site-context.ts';
import { authorityOf, changeUrl, pageUrl } from './addresses.ts';
import { escapeXml } from './xml.ts';

const maxFeedEntries = 50;

/** `feeds/<component>.atom`. */
export function renderComponentFeed(
  component: Component,
  changes: readonly Change[],
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
  changes: readonly Change[],
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
  changes: readonly Change[];
  /** Day of the last update while there is no change. */
  restDay: Day;
}

/** Atom, RFC 4287. `updated` follows the data and not the clock, so that readers fetch only what is new. */
function renderFeed(site: SiteContext, feed: Feed): string {
  const entries = feed.changes.slice(0, maxFeedEntries);
  const tag = tagOf(site);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    `  <id>${escapeXml(`${tag}feed/${feed.id}`)}</id>`,
    `  <title>${escapeXml(feed.title)}</title>`,
    `  <subtitle>${escapeXml(feed.subtitle)}</subtitle>`,
    `  <updated>${instant(entries[0]?.on ?? feed.restDay)}</updated>`,
    `  <link rel="self" type="application/atom+xml" href="${escapeXml(`${site.baseUrl}/${feed.path}`)}"/>`,
    `  <link rel="alternate" type="text/html" href="${escapeXml(feed.alternate)}"/>`,
    `  <author><name>${escapeXml(site.config.title)}</name><uri>${escapeXml(`${site.baseUrl}/`)}</uri></author>`,
    ...entries.map((change) => renderEntry(site, tag, change)),
    '</feed>',
    '',
  ].join('\n');
}

function renderEntry(site: SiteContext, tag: string, change: Change): string {
  const related =
    change.url === undefined ? '' : `    <link rel="related" href="${escapeXml(change.url)}"/>\n`;
  return (
    `  <entry>\n    <id>${escapeXml(tag + change.id)}</id>\n    <title>${escapeXml(titleOf(change))}</title>\n` +
    `    <updated>${instant(change.on)}</updated>\n` +
    `    <link rel="alternate" type="text/html" href="${escapeXml(changeUrl(site, change))}"/>\n${related}` +
    `    <category term="${change.kind}"/>\n` +
    `    <content type="text">${escapeXml(contentOf(change))}</content>\n  </entry>`
  );
}

function titleOf({ component, version, line, releases, kind }: Change): string {
  if (releases !== undefined) return `${component}: ${counted(releases, 'release')} ${kind}`;
  return version === undefined
    ? `${component}: release line ${line} ${kind}`
    : `${component} ${version} ${kind}`;
}

function contentOf({ text, versions, url }: Change): string {
  let content = text;
  if (versions && !versions.every((version) => text.includes(version)))
    content += `\nReleases: ${versions.join(', ')}`;
  return url === undefined ? content : `${content}\n${url}`;
}

/** The beginning of every id (RFC 4151), unique even if the address is given up. The year is that of this scheme of ids. */
function tagOf(site: SiteContext): string {
  return `tag:${authorityOf(site)},2026:${site.config.datasource}/`;
}

function instant(day: Day): string {
  return `${day}T00:00:00Z`;
}

function newestDay(releases: readonly { releaseTimestamp?: Timestamp | undefined }[]): Day {
  const timestamps = releases.flatMap(({ releaseTimestamp }) => releaseTimestamp ?? []);
  return dayOf(['2000-01-01', ...timestamps].sort().at(-1)!);
}
