import { endsOfSupport, type EndOfSupport } from '../../../decide/ends.ts';
import { freshnessOfAll } from '../../../decide/sentences.ts';
import { releasedLately, type ReleasedLately } from '../../../decide/recent.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { counted, listed } from '../../../core/text.ts';
import { releaseAnchor } from '../addresses.ts';
import type { SiteContext } from '../site-context.ts';
import { siteSnippets } from '../snippets.ts';
import { renderPage } from './page-frame.ts';
import { isSoon } from './time-axis.ts';
import { timetableOf } from './timetable.ts';

const maxNews = 5;
const maxNames = 2;

/** `index.html`. It changes with verdicts and news, and with a new quarter. */
export function renderIndexPage(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const { title, description } = site.config;
  const ends = endsOfSupport(summaries).filter(({ day }) => day > site.day);
  const released = newestOfEach(releasedLately(summaries));
  const releases = summaries.reduce((sum, summary) => sum + summary.releases, 0);
  const example = summaries.find((summary) => summary.latest) ?? summaries[0];
  return renderPage(site, 'index', {
    title,
    description,
    count: counted(summaries.length, 'component'),
    releases: counted(releases, 'release'),
    ends: ends.slice(0, maxNews).map((end) => endView(end, site.day)),
    moreEnds: ends.length > maxNews ? `${ends.length - maxNews} more` : 'All of them',
    released: released.slice(0, maxNews).map(releaseView),
    presetLine: `"extends": [${JSON.stringify(`${site.baseUrl}/renovate.json`)}]`,
    timetable: timetableOf(summaries, site.day),
    freshness: freshnessOfAll(summaries.map((summary) => summary.freshness)),
    snippets: example ? snippetsOf(site, summaries, example) : [],
  });
}

/** The inline configuration names every component, so that it is shown closed. */
function snippetsOf(
  site: SiteContext,
  summaries: readonly ComponentSummary[],
  example: ComponentSummary,
): object[] {
  return siteSnippets(site, summaries, example).map((snippet) => ({
    ...snippet,
    isLong: snippet.id === 'renovate-inline',
  }));
}

function endView({ day, component, title, lines, isOfAll }: EndOfSupport, today: string): object {
  const isOne = !isOfAll && lines.length === 1;
  return {
    day,
    title,
    what: isOfAll ? 'all versions' : listed(lines, maxNames),
    href: `${component}.html#${isOne ? `line-${lines[0]!}` : 'lines'}`,
    isSoon: isSoon(today, day),
  };
}

/** The usable releases of each component on its last release day, newest day first. */
function newestOfEach(released: readonly ReleasedLately[]): ReleasedLately[][] {
  const usable = released.filter(({ isDeprecated }) => !isDeprecated);
  const byComponent = Map.groupBy(usable, ({ component }) => component).values();
  return Array.from(byComponent, (of) => of.filter(({ day }) => day === of[0]!.day));
}

function releaseView(released: readonly ReleasedLately[]): object {
  const { day, component, title, version, isObserved } = released[0]!;
  return {
    day,
    title,
    what: listed(
      released.map((release) => release.version),
      maxNames,
    ),
    href: `${component}.html#${releaseAnchor(version)}`,
    isObserved,
  };
}
