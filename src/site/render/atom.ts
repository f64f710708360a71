import { dayOf, type Day, type Timestamp } from '../../core/dates.ts';
import { writeAtom, type Feed } from '../../ask/formats/atom.ts';
import type { ListedChange } from '../../decide/journal/published-events.ts';
import { nameInIds, type Component, type ComponentSummary } from '../../decide/component.ts';
import { authorityOf, pageUrl } from './addresses.ts';
import type { SiteContext } from './site-context.ts';

const minFeedEntries = 50;
const maxFeedEntries = 500;

/** `feeds/<component>.atom`. */
export function renderComponentFeed(
  component: Component,
  changes: readonly ListedChange[],
  site: SiteContext,
): string {
  const { name, definition, judgement } = component;
  return renderFeed(site, changes, {
    id: nameInIds(component),
    path: `feeds/${name}.atom`,
    title: `${definition.title}: changes`,
    subtitle: `New, deprecated, withdrawn and corrected releases of ${name}.`,
    alternate: pageUrl(site, name),
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
  return renderFeed(site, changes, {
    id: 'all',
    path: 'feed.atom',
    title: `${site.config.title}: changes`,
    subtitle: 'New, deprecated, withdrawn and corrected releases of all components.',
    alternate: `${site.baseUrl}/`,
    titles: new Map(summaries.map(({ name, definition }) => [name, definition.title])),
    restDay: newestDay(summaries.flatMap((summary) => summary.latest ?? [])),
  });
}

function renderFeed(
  site: SiteContext,
  changes: readonly ListedChange[],
  feed: Omit<Feed, 'tag' | 'author' | 'baseUrl' | 'changes'>,
): string {
  return writeAtom({
    ...feed,
    tag: `tag:${authorityOf(site)},2026:${site.config.datasource}/`,
    author: site.config.title,
    baseUrl: site.baseUrl,
    changes: entriesOf(changes),
  });
}

/** The newest entries of whole runs: a reader who polls once a day must not miss a part of a run. */
function entriesOf(changes: readonly ListedChange[]): readonly ListedChange[] {
  const last = changes[Math.min(minFeedEntries, changes.length) - 1];
  return changes.filter(({ at }) => last !== undefined && at >= last.at).slice(0, maxFeedEntries);
}

function newestDay(releases: readonly { releaseTimestamp?: Timestamp | undefined }[]): Day {
  const timestamps = releases.flatMap(({ releaseTimestamp }) => releaseTimestamp ?? []);
  return dayOf(timestamps.reduce((newest, at) => (at > newest ? at : newest), '2000-01-01'));
}
