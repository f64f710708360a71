import { addDays, addMonths, cutDay, type Day } from '../../../core/model/dates.ts';
import { describeEnd } from '../../../core/model/words.ts';
import type { LineSummary } from '../../../decide/component.ts';
import { listIndexNews, type IndexNews } from '../../../record/journal/events/index-news.ts';
import type { ListedChange } from '../../../record/journal/events/published-events.ts';
import { maxChanges } from '../documents/change-log.ts';
import type { SiteContext, SiteInput } from '../site-context.ts';
import { formatMonth } from './ends-by-month.ts';
import { nameChangeAnchor, nameReleaseAnchor } from './markup.ts';
import { renderPage } from './templates.ts';

const monthsBack = 6;
const maxNews = 500;

/** The number of named releases of a component on a day. */
const maxNamed = 6;

/**
 * `changes.html`: releases and changes of half a year by month. The time counts back from the newest news, so the page does not
 * change on a day without news.
 */
export function renderChangesPage(
  site: SiteContext,
  { summaries, listed, years }: SiteInput,
): string {
  const news = selectNews(listIndexNews(summaries, listed), findOldest(listed));
  const lines = new Map(summaries.map((summary) => [summary.name, summary.lines]));
  const months = Map.groupBy(news, ({ day }) => day.slice(0, 7));
  return renderPage(site, 'changes', {
    months: Array.from(months, ([id, group]) => ({
      id,
      name: formatMonth(`${id}-01`),
      news: group.map((each) => ({ ...createNewsView(each), ...describeRelease(each, lines) })),
    })),
    years,
  });
}

/** The first day with all its changes; empty if no change is missing. */
function findOldest(changes: readonly ListedChange[]): Day | '' {
  const oldest = changes.at(-1);
  return !oldest || changes.length < maxChanges ? '' : addDays(cutDay(oldest.at), 1);
}

/** The news of six months. */
function selectNews(news: readonly IndexNews[], oldest: Day | ''): IndexNews[] {
  const [newest] = news;
  const first = newest ? addMonths(`${newest.day.slice(0, 7)}-01`, 1 - monthsBack) : '';
  const from = first > oldest ? first : oldest;
  return news.filter(({ day }) => day >= from).slice(0, maxNews);
}

/** The release line of the greatest release of an entry, and its notes. */
function describeRelease(
  { component, released: [newest] }: IndexNews,
  lines: ReadonlyMap<string, readonly LineSummary[]>,
): object {
  if (!newest) {
    return {};
  }

  const { line: name, opensLine, changelogUrl: url, notes } = newest;
  const line = lines.get(component)?.find((each) => each.name === name);
  const end = line?.isSupported ? describeEnd({ ...line, phase: undefined }) : '';
  const support = end === '' ? '' : `, supported ${end}`;
  return { line: opensLine ? `New line ${name}${support}` : `Line ${name}`, url, notes };
}

/** A line in a list of news: released versions, or a text. */
function createNewsView(news: IndexNews): object {
  const { day, component, title, kind, released, text, behind, change } = news;
  const isOfSeveral = (change?.group?.components.length ?? 0) > 1;
  const page = isOfSeveral ? 'index.html' : `${component}.html`;

  // The release has no day of its own; it was recorded on this day.
  const isUndated = kind === 'released' && change?.version !== undefined;
  const versions = isUndated ? [change.version] : released.map(({ version }) => version);
  const firstVersions = versions.slice(0, maxNamed);

  return {
    day,
    title,
    href: change && !isOfSeveral ? `${page}${nameChangeAnchor(change)}` : page,
    releases: firstVersions.map((version) => ({
      version,
      href: `${page}#${nameReleaseAnchor(version)}`,
    })),
    more:
      versions.length > firstVersions.length
        ? `and ${versions.length - firstVersions.length} more`
        : '',
    isObserved:
      isUndated || (released.length > 0 && released.every((release) => release.isObserved)),
    text,
    behind,
  };
}
