import { endsExample, releasesExample } from '../../../ask/answers/read-span.ts';
import type { Day } from '../../../core/model/dates.ts';
import { isSoon } from '../../../core/model/states.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { findNextEnd, type EndOfSupport } from '../../../decide/ends-of-support.ts';
import { type RecentRelease, mergeRecentReleases } from '../../../decide/recent.ts';
import { summariseFreshness } from '../../../decide/freshness-words.ts';
import type { SiteContext } from '../site-context.ts';
import { createComponentTable } from './component-table.ts';
import { describeAnnouncedEnd, drawEnds, listEndsAhead, maxEndRows } from './end-rows.ts';
import { groupByMonth } from './ends-by-month.ts';
import { nameReleaseAnchor } from './anchors.ts';
import { renderPage } from './templates.ts';

const maxNews = 5;
/** The list holds later ends as hidden rows: the script shows each that comes near before the next publication. */
const minActions = 5;
const maxActions = 12;
const maxNames = 2;

/** `index.html`. */
export function renderIndexPage(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const { day, config, baseUrl } = site;
  // A line has a summary if it is supported or has a known end.
  const hasSupport = summaries.some(({ lines }) => lines.length > 0);
  const ends = listEndsAhead(summaries, day);

  return renderPage(site, 'index', {
    ...config,
    count: formatCount(summaries.length, 'component'),
    question: hasSupport ? 'Is your version still supported?' : 'Which version do you run?',
    examples: chooseExamples(summaries, day),
    ...createActionsView(ends, day),
    released: listNewestOfEach(mergeRecentReleases(summaries)).slice(0, maxNews),
    ...createEndsView(ends, site),
    ...createComponentTable(summaries, day),
    presetLine: `"extends": [${JSON.stringify(`${baseUrl}/renovate.json`)}]`,
    freshness: summariseFreshness(summaries.map(({ freshness }) => freshness)),
  });
}

/** The first example is about the next end, or else about the first component with a version. */
function chooseExamples(summaries: readonly ComponentSummary[], day: Day): string[] {
  const nextEnd = findNextEnd(summaries, day);
  if (nextEnd) {
    const { component, lines } = nextEnd;
    return [`${component.definition.title} ${lines[0].name}`, endsExample];
  }

  for (const { definition, latest } of summaries) {
    if (latest) {
      return [`${definition.title} ${latest.version}`, releasesExample];
    }
  }

  return [];
}

/** The ends that are near, and some later ones. */
function createActionsView(ends: readonly EndOfSupport[], day: Day) {
  const dueCount = ends.filter((end) => isSoon(day, end.day)).length;
  const shownCount = Math.min(dueCount, maxActions);
  const byYear = Map.groupBy(ends, (end) => end.day.slice(0, 4));
  const years = Array.from(byYear, ([year, group]) => `${group.length} in ${year}`);

  return {
    actions: ends.slice(0, Math.max(shownCount, minActions)).map((end, index) => {
      const isLater = index >= dueCount;
      return { ...describeAnnouncedEnd(end, day), isLater, tone: isLater ? 'ok' : 'soon' };
    }),
    due: dueCount > 0 && formatCount(dueCount, 'end'),
    moreDue: dueCount > shownCount && formatCount(dueCount - shownCount, 'more end'),
    years: `Ends: ${formatList(years, 4)}.`,
  };
}

/** A picture of the ends, or twelve months if a picture would have too many rows. */
function createEndsView(ends: readonly EndOfSupport[], site: SiteContext) {
  const isByMonth = ends.length > maxEndRows;
  return {
    ends: ends.length > 0 && formatCount(ends.length, 'end'),
    plan: !isByMonth && drawEnds(ends, site),
    twelve: isByMonth && groupByMonth(ends, site.day),
  };
}

/** The usable releases of each component on its last release day, newest day first. */
function listNewestOfEach(releases: readonly RecentRelease[]) {
  const usable = releases.filter(({ isDeprecated }) => !isDeprecated);
  const byComponent = Map.groupBy(usable, ({ component }) => component);

  return Array.from(byComponent, ([component, group]) => {
    const [newest] = group;
    const versions = group.filter(({ day }) => day === newest.day).map(({ version }) => version);
    return {
      ...newest,
      subject: formatList(versions, maxNames),
      href: `${component}.html#${nameReleaseAnchor(newest.version)}`,
    };
  });
}
