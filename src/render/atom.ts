import type { Day } from '../dates.ts';
import type { Change } from '../model/change.ts';
import type { Component, ComponentSummary, SiteContext } from '../model/component.ts';
import { authorityOf, changeUrl, pageUrl } from './addresses.ts';
import { escapeXml } from './xml.ts';

export const maxFeedEntries = 50;

/** `feeds/<component>.atom`. */
export function renderComponentFeed(
  component: Component,
  changes: readonly Change[],
  site: SiteContext,
): string {
  const { name, definition, judgement } = component;
  return renderFeed(site, {
    id: name,
    path: `feeds/${name}.atom`,
    title: `${definition.title}: changes`,
    subtitle: `New, deprecated, withdrawn and corrected releases of ${name}.`,
    alternate: pageUrl(site, name),
    changes,
    restDay: newestDay(judgement.releases.map((release) => release.releaseTimestamp)),
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
    restDay: newestDay(summaries.map((summary) => summary.latest?.releaseTimestamp)),
  });
}

interface Feed {
  /** Names the feed among those of the site, for ever. */
  id: string;
  path: string;
  title: string;
  subtitle: string;
  /** The page that says the same. */
  alternate: string;
  /** Newest first. */
  changes: readonly Change[];
  /** When it was updated if nothing ever changed. */
  restDay: Day;
}

/** Atom, RFC 4287. `updated` follows the data and never the clock, so that a reader fetches again only what is new. */
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
  return [
    '  <entry>',
    `    <id>${escapeXml(tag + change.id)}</id>`,
    `    <title>${escapeXml(titleOf(change))}</title>`,
    `    <updated>${instant(change.on)}</updated>`,
    `    <link rel="alternate" type="text/html" href="${escapeXml(changeUrl(site, change))}"/>`,
    ...(change.url === undefined ? [] : [`    <link rel="related" href="${escapeXml(change.url)}"/>`]),
    `    <category term="${change.kind}"/>`,
    `    <content type="text">${escapeXml(contentOf(change))}</content>`,
    '  </entry>',
  ].join('\n');
}

function titleOf({ component, version, line, kind }: Change): string {
  return version === undefined
    ? `${component}: release line ${line} ${kind}`
    : `${component} ${version} ${kind}`;
}

function contentOf({ text, versions, url }: Change): string {
  const lines = [text];
  if (versions && !versions.every((version) => text.includes(version)))
    lines.push(`Releases: ${versions.join(', ')}`);
  if (url !== undefined) lines.push(url);
  return lines.join('\n');
}

/**
 * What ids begin with (RFC 4151): unique for ever, whatever becomes of the address. The year is when the scheme of the ids
 * was made.
 */
function tagOf(site: SiteContext): string {
  return `tag:${authorityOf(site)},2026:${site.config.datasource}/`;
}

function instant(day: Day): string {
  return `${day}T00:00:00Z`;
}

function newestDay(timestamps: readonly (string | undefined)[]): Day {
  let newest = '2000-01-01';
  for (const timestamp of timestamps) if (timestamp !== undefined && timestamp > newest) newest = timestamp;
  return newest.slice(0, 10);
}
