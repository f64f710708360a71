import { indexNews, type IndexNews } from '../../../record/journal/events/index-news.ts';
import { addDays, cutDay, isoWeek, startOfWeek, type Day } from '../../../core/model/dates.ts';
import type { ListedChange } from '../../../record/journal/events/published-events.ts';
import { changeAnchor, releaseAnchor } from '../../../core/text/anchors.ts';
import { maxChanges } from '../documents/change-log.ts';
import type { SiteContext } from '../site-context.ts';
import type { SiteInput } from '../site-input.ts';
import { renderPage } from './templates.ts';

const maxWeeks = 26;
const maxNews = 500;

/** The number of named releases of a component on a day. */
const maxNamed = 6;

/**
 * `changes.html`: releases and changes by week. The weeks count back from the newest news, so the page does not change on a
 * day without news.
 */
export function renderChangesPage(
  site: SiteContext,
  { summaries, listed, years }: SiteInput,
): string {
  const weeks = groupByWeek(indexNews(summaries, listed), findOldest(listed));

  return renderPage(site, 'changes', {
    weeks: weeks.map(([monday, news]) => ({
      id: isoWeek(monday),
      name: weekInWords(monday),
      news: news.map(newsView),
    })),
    years,
  });
}

const weeks = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** `5 to 11 October 2026`. */
function weekInWords(monday: Day): string {
  const range = weeks.formatRange(new Date(monday), new Date(addDays(monday, 6)));
  return range.replace(/\s*–\s*/u, ' to ');
}

/** The first day with all its changes; empty if no change is missing. */
function findOldest(changes: readonly ListedChange[]): Day | '' {
  const oldest = changes.at(-1);
  return !oldest || changes.length < maxChanges ? '' : addDays(cutDay(oldest.at), 1);
}

/** Whole weeks with at most `maxNews` entries. The newest week may be incomplete. */
function groupByWeek(
  news: readonly IndexNews[],
  oldest: Day | '',
): [monday: Day, news: readonly IndexNews[]][] {
  const [newest] = news;
  if (!newest) {
    return [];
  }

  const first = addDays(startOfWeek(newest.day), -7 * (maxWeeks - 1));
  const from = first > oldest ? first : oldest;

  const weeks = Map.groupBy(
    news.filter(({ day }) => day >= from),
    ({ day }) => startOfWeek(day),
  );

  let count = 0;

  return Array.from(weeks, ([monday, ofWeek]): [Day, readonly IndexNews[]] => [
    monday,
    ofWeek.slice(0, maxNews),
  ]).filter(([, ofWeek]) => (count += ofWeek.length) <= maxNews);
}

/** A line in a list of news: released versions, or a text. */
export function newsView(news: IndexNews): object {
  const { day, component, title, kind, released, text, behind, change } = news;
  const isOfSeveral = (change?.group?.components.length ?? 0) > 1;
  const page = isOfSeveral ? 'index.html' : `${component}.html`;

  // The release has no day of its own; it was recorded on this day.
  const isUndated = kind === 'released' && change?.version !== undefined;
  const versions = isUndated ? [change.version] : released.map(({ version }) => version);
  const named = versions.slice(0, maxNamed);

  return {
    day,
    title,
    href: change && !isOfSeveral ? `${page}${changeAnchor(change)}` : page,
    releases: named.map((version) => ({ version, href: `${page}#${releaseAnchor(version)}` })),
    more: versions.length > named.length ? `and ${versions.length - named.length} more` : '',
    isObserved:
      isUndated || (released.length > 0 && released.every((release) => release.isObserved)),
    text,
    behind,
  };
}
