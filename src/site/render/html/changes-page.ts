import { addMonths, findLatestDay, startOfWeek, type Day } from '../../../core/model/dates.ts';
import { describeEnd } from '../../../core/model/words.ts';
import { mapByNames } from '../../../decide/component.ts';
import type { ComponentSummary, LineSummary } from '../../../decide/component-summary.ts';
import type { RecentRelease } from '../../../decide/release-days.ts';
import { listIndexNews, type IndexNews } from '../../../record/journal/events/index-news.ts';
import type { SiteContext, SiteInput } from '../site-context.ts';
import { nameChangeAnchor, nameReleaseAnchor } from './anchors.ts';
import { renderPage } from './templates.ts';

const monthsBack = 6;
const maxNews = 500;

/** The number of named releases of a component on a day. */
const maxNamed = 6;

/**
 * `changes.html`: releases and changes of half a year by week. The time counts back from the newest news, so the page does not
 * change on a day without news.
 */
export function renderChangesPage(
  site: SiteContext,
  { summaries, entries, entriesFrom, years }: SiteInput,
): string {
  const news = selectNews(listIndexNews(summaries, entries), entriesFrom);
  const byName = mapByNames(summaries);
  const weeks = Map.groupBy(news, ({ day }) => startOfWeek(day));
  return renderPage(site, 'changes', {
    weeks: Array.from(weeks, ([monday, group]) => ({
      monday,
      news: group.map((each) => createNewsView(each, byName.get(each.component))),
    })),
    years,
  });
}

/** The news of six months or from the first day on of which all changes are listed, those of the newest day, and at most `maxNews`. */
function selectNews(news: readonly IndexNews[], entriesFrom: Day | undefined): IndexNews[] {
  const [newest] = news;
  if (!newest) {
    return [];
  }

  const start = addMonths(`${newest.day.slice(0, 7)}-01`, 1 - monthsBack);
  const from = findLatestDay(start, entriesFrom);
  return news.filter(({ day }) => day >= from || day === newest.day).slice(0, maxNews);
}

/** A row in a list of news: released versions, or a text. A component that has left the index has no summary and no page. */
function createNewsView(news: IndexNews, summary: ComponentSummary | undefined): object {
  const { day, title, mayBeOlder: isObserved } = news;
  const page = summary && `${summary.name}.html`;
  const versions = summary ? news.versions : [];
  const view = {
    day,
    title,
    releases: versions.slice(0, maxNamed).map((version) => ({
      version,
      href: `${page}#${nameReleaseAnchor(version)}`,
    })),
    more: versions.length > maxNamed ? `and ${versions.length - maxNamed} more` : '',
    isObserved,
  };

  if (news.kind === 'releases') {
    return { ...view, ...describeLine(news.release, summary?.lines) };
  }

  const { text, change } = news;
  const { components = [], sentences } = change.group ?? {};
  const ownPage = page && `${page}${nameChangeAnchor(change)}`;
  const href = components.length > 1 ? 'index.html' : ownPage;
  return { ...view, text, href, behind: sentences };
}

/** The line of a release with its end, and the notes of the release. */
function describeLine(release: RecentRelease, lines: readonly LineSummary[] = []): object {
  const { line: name, opensLine, changelogUrl: url, notes } = release;
  const line = lines.find((each) => each.name === name);
  const end = line?.isSupported ? describeEnd(line) : '';
  const support = end === '' ? '' : `, supported ${end}`;
  return { line: opensLine ? `New line ${name}${support}` : `Line ${name}`, url, notes };
}
