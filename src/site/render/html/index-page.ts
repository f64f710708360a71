import { endsExample, releasesExample } from '../../../ask/answers/example-questions.ts';
import { cutDay, countDaysSinceEpoch, oldestFirst, type Day } from '../../../core/model/dates.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import type { ComponentSummary } from '../../../decide/component-summary.ts';
import { listEndsAhead, type EndAhead } from '../../../decide/ends-of-support.ts';
import { mergeRecentReleases, type RecentRelease } from '../../../decide/release-days.ts';
import { summariseFreshness } from '../../../decide/component-freshness.ts';
import type { SiteContext } from '../site-context.ts';
import { describeEndOfSupport, drawEnds, maxEndRows } from './ends-ahead.ts';
import { groupByMonth } from './ends-by-month.ts';
import { nameReleaseAnchor } from './anchors.ts';
import { renderPage } from './templates.ts';
import { stateLabels } from '../../../core/model/words.ts';
import { writeMarks } from './picture.ts';

const maxNews = 5;
/** The list holds later ends as hidden rows: the script shows each that comes near before the next publication. */
const minActions = 5;
const maxActions = 12;
const maxNames = 2;
/** A longer table has groups by letter, and browsers skip the layout of rows that are not visible. */
const maxRowsAtOnce = 100;

/** `index.html`. */
export function renderIndexPage(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const { day, config, baseUrl } = site;
  // A line has a summary if it is supported or has a known end.
  const hasSupport = summaries.some(({ lines }) => lines.length > 0);
  const ends = listEndsAhead(summaries, day);
  const isLong = summaries.length > maxRowsAtOnce;

  return renderPage(site, 'index', {
    ...config,
    count: formatCount(summaries.length, 'component'),
    question: hasSupport ? 'Is your version still supported?' : 'Which version do you run?',
    examples: chooseExamples(summaries, ends),
    ...createActionsView(ends, day),
    released: listNewestOfEach(mergeRecentReleases(summaries)).slice(0, maxNews),
    ...createEndsView(ends, site),
    isLong,
    groups: isLong ? groupByLetter(summaries) : groupByEnd(summaries, ends),
    presetLine: `"extends": [${JSON.stringify(`${baseUrl}/renovate.json`)}]`,
    freshness: summariseFreshness(summaries.map(({ freshness }) => freshness)),
  });
}

/** The first example is about the next end whose day has not passed, or else about the first component with a version. */
function chooseExamples(
  summaries: readonly ComponentSummary[],
  ends: readonly EndAhead[],
): string[] {
  const nextEnds = ends.filter((end) => !end.isWholeComponent && end.day >= end.dueOn);
  const [nextEnd] = nextEnds;
  if (nextEnd) {
    const { component, lines } = nextEnd;
    // A question about ends finds none of which only the last day is known.
    const isAnswered = nextEnds.some(({ until }) => until !== undefined);
    const further = isAnswered ? endsExample : releasesExample;
    return [`${component.definition.title} ${lines[0].name}`, further];
  }

  for (const { definition, latest } of summaries) {
    if (latest) {
      return [`${definition.title} ${latest.version}`, releasesExample];
    }
  }

  return [];
}

/** The ends that are near, and some later ones. */
function createActionsView(ends: readonly EndAhead[], day: Day) {
  const dueCount = ends.filter(({ tone }) => tone === 'soon').length;
  const shownCount = Math.min(dueCount, maxActions);

  return {
    actions: ends.slice(0, Math.max(shownCount, minActions)).map((end) => ({
      ...describeEndOfSupport(end, day),
      isLater: end.tone === 'ok',
    })),
    due: dueCount > 0 && formatCount(dueCount, 'end'),
    moreDue: dueCount > shownCount && formatCount(dueCount - shownCount, 'more end'),
  };
}

/** A picture of the ends, or twelve months if a picture would have too many rows. */
function createEndsView(ends: readonly EndAhead[], site: SiteContext) {
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

/** The groups of rows, in order. A heading says once what all rows of a group lack. */
const headings = {
  'ends-stated': '',
  'newest-lines': 'Supported until newer lines appear',
  'no-end': 'Supported, no end announced',
  'no-promise': stateLabels['no-promise'],
  deprecated: 'No version to use: every release is deprecated or a prerelease',
  ended: 'No version to use: support has ended',
  'no-release': 'No release known yet',
};

/** By the soonest end, then by title. */
function groupByEnd(summaries: readonly ComponentSummary[], ends: readonly EndAhead[]) {
  const entries = summaries.map((summary) => {
    const end = ends.find(({ component }) => component === summary);
    return {
      summary,
      group: end ? 'ends-stated' : chooseGroup(summary),
      firstEnd: end?.dueOn ?? '',
    };
  });
  entries.sort(
    (a, b) => oldestFirst(a.firstEnd, b.firstEnd) || compareTitles(a.summary, b.summary),
  );

  const groups = Map.groupBy(entries, ({ group }): string => group);
  const views = [];
  for (const [id, heading] of Object.entries(headings)) {
    const rows = groups.get(id)?.map(({ summary }) => createComponentRow(summary));
    if (rows) {
      views.push({ id, heading, rows });
    }
  }
  return views;
}

/** The group of a component without an end ahead. */
function chooseGroup(summary: ComponentSummary): keyof typeof headings {
  const { definition, lines, releaseCount, latest, isEnded } = summary;
  const isSupported = lines.some((line) => line.isSupported);

  if (releaseCount === 0 && lines.length === 0) {
    return 'no-release';
  }
  if (releaseCount === 0) {
    return isSupported ? 'no-end' : 'ended';
  }
  if (!latest) {
    return isEnded ? 'ended' : 'deprecated';
  }
  if (!isSupported) {
    return 'no-promise';
  }

  return definition.support?.policy === 'latest-lines' ? 'newest-lines' : 'no-end';
}

/** Groups by the first letter of the title, in any script, for the links of a long index. */
function groupByLetter(summaries: readonly ComponentSummary[]) {
  const sorted = summaries.toSorted(compareTitles);
  const findHeading = ({ definition }: ComponentSummary) => {
    // NFD parts an accent from its letter.
    const [first = ''] = definition.title.normalize('NFD');
    if (/\d/.test(first)) {
      return '0–9';
    }

    return /\p{L}/u.test(first) ? first.toUpperCase() : 'Other';
  };

  return Array.from(Map.groupBy(sorted, findHeading), ([heading, group]) => ({
    id: `letter-${heading.toLowerCase()}`,
    heading,
    rows: group.map(createComponentRow),
  }));
}

const titleOrder = new Intl.Collator('en');

function compareTitles(a: ComponentSummary, b: ComponentSummary): number {
  return titleOrder.compare(a.definition.title, b.definition.title);
}

/** A component in a table. */
function createComponentRow(summary: ComponentSummary) {
  const { name, definition, latest, freshness, timetableDays } = summary;

  return {
    ...definition,
    name,
    // A name that only repeats the title is left out.
    requestName: name === definition.title.toLowerCase() ? undefined : name,
    isHeld: freshness.state === 'held',
    latest: latest?.version,
    instead: latest ? '' : nameReplacement(summary),
    day: latest?.releaseTimestamp && cutDay(latest.releaseTimestamp),
    isObserved: latest?.timestampKind === 'observed',
    releases: formatCount(timetableDays.length, 'day'),
    ticks: writeMarks(timetableDays.map(countDaysSinceEpoch), '0', '1'),
  };
}

/** The replacement of a component, `Edge node 2.2`; empty if there is none. */
function nameReplacement({ definition, replacement }: ComponentSummary): string {
  const { title = definition.replacedBy, version } = replacement ?? {};
  return [title, version].filter(Boolean).join(' ');
}
