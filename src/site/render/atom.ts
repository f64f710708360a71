import { dayOf, toTimestamp, type Day, type Timestamp } from '../../core/dates.ts';
import type { ListedChange } from '../../decide/journal/published-events.ts';
import { nameInIds, type Component, type ComponentSummary } from '../../decide/component.ts';
import type { SiteContext } from './site-context.ts';
import { authorityOf, changeUrl, pageUrl } from './addresses.ts';
import { renderTemplate, siteView } from './html/templates.ts';
import { sentencesOf } from '../../core/edits.ts';
import { withoutIllegalCharacters } from '../../core/text.ts';

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
    titles: new Map([[name, definition.title]]),
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
    titles: new Map(summaries.map(({ name, definition }) => [name, definition.title])),
    restDay: newestDay(summaries.flatMap((summary) => summary.latest ?? [])),
  });
}

interface Feed {
  /** Unique among the feeds of the site. Never changes. */
  id: string;
  path: string;
  title: string;
  subtitle: string;
  /** The page with the same content. */
  alternate: string;
  /** Newest first. */
  changes: readonly ListedChange[];
  /** Titles of components by name. Components that have left the index have none. */
  titles: ReadonlyMap<string, string>;
  /** The day of the last update if the feed has no changes. */
  restDay: Day;
}

/** Atom, RFC 4287. `updated` follows the data, not the clock, so readers fetch only new entries. */
function renderFeed(site: SiteContext, { changes, restDay, titles, ...feed }: Feed): string {
  const entries = entriesOf(changes);
  const text = renderTemplate(site.theme, 'feed', {
    ...feed,
    // The prefix of every id (RFC 4151), unique even if the address is given up. The year is when this id scheme began.
    tag: `tag:${authorityOf(site)},2026:${site.config.datasource}/`,
    site: siteView(site),
    updated: toTimestamp(entries[0]?.at ?? restDay),
    entries: entries.map((change) => ({
      ...change,
      title: titleOf(change, titles),
      updated: toTimestamp(change.at),
      href: changeUrl(site, change),
      content: contentOf(change),
    })),
  });
  return withoutIllegalCharacters(text);
}

/** The newest entries of whole runs: a reader who polls once a day must not miss a part of a run. */
function entriesOf(changes: readonly ListedChange[]): readonly ListedChange[] {
  const last = changes[Math.min(minFeedEntries, changes.length) - 1];
  return changes.filter(({ at }) => last !== undefined && at >= last.at).slice(0, maxFeedEntries);
}

function titleOf(
  { component: name, version, line, type, subjects, edit }: ListedChange,
  titles: Feed['titles'],
): string {
  if (edit) return edit.text;
  const what = type.replaceAll('-', ' ');
  const component = titles.get(name) ?? name;
  if (subjects) return `${component}: ${subjects.length} ${what}`;
  const subject = version ?? (line === undefined ? undefined : `release line ${line}`);
  return [component, subject, what].filter((part) => part !== undefined).join(' ');
}

function contentOf({ text, subjects = [], type, url, edit }: ListedChange): string {
  if (edit) return [text, ...sentencesOf(edit)].join('\n');
  const names = type === 'added' || subjects.length === 0 ? [] : [`All: ${subjects.join(', ')}`];
  return [text, ...names, ...(url === undefined ? [] : [url])].join('\n');
}

function newestDay(releases: readonly { releaseTimestamp?: Timestamp | undefined }[]): Day {
  const timestamps = releases.flatMap(({ releaseTimestamp }) => releaseTimestamp ?? []);
  return dayOf(['2000-01-01', ...timestamps].sort().at(-1)!);
}
