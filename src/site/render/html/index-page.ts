import { phraseExamples } from '../../../ask/answers/phrases.ts';
import {
  cutDay,
  type Day,
  countDaysSinceEpoch,
  countDaysBetween,
  oldestFirst,
} from '../../../core/model/dates.ts';
import { isSoon } from '../../../core/model/states.ts';
import { stateLabels } from '../../../core/model/words.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { findNextEnd } from '../../../decide/ends-of-support.ts';
import { type RecentRelease, mergeRecentReleases } from '../../../decide/recent.ts';
import { summariseFreshness } from '../../../decide/sentences.ts';
import type { SiteContext } from '../site-context.ts';
import {
  describeAnnouncedEnd,
  drawEnds,
  listEndsAhead,
  groupByMonth,
  mostRows,
  nameReplacement,
} from './end-rows.ts';
import { nameReleaseAnchor } from './markup.ts';
import { renderPage } from './templates.ts';

const maxNews = 5;
const maxActions = 12;
const maxNames = 2;
/** A longer table has groups by letter, and browsers skip the layout of rows that are not visible. */
const maxRowsAtOnce = 100;

/** `index.html`. It changes only with verdicts, news and the quarter. */
export function renderIndexPage(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const { day, config } = site;
  const ends = listEndsAhead(summaries, day);
  const isLong = summaries.length > maxRowsAtOnce;
  const isStrip = ends.length > mostRows;
  const due = ends.filter((end) => isSoon(day, end.day)).length;
  const shown = Math.min(due, maxActions);
  const actions = ends.slice(0, Math.max(shown, maxNews));
  const released = listNewestOfEach(mergeRecentReleases(summaries)).slice(0, maxNews);

  return renderPage(site, 'index', {
    ...config,
    count: formatCount(summaries.length, 'component'),
    question: summaries.some(hasStatedSupport)
      ? 'Is your version still supported?'
      : 'Which version do you run?',
    examples: chooseExamples(summaries, day),
    // A page that grows old shows ends that have come near.
    actions: actions.map((end, index) => ({
      ...describeAnnouncedEnd(end, day),
      isLater: index >= due,
      tone: index >= due ? 'ok' : 'soon',
    })),
    due: due > 0 && formatCount(due, 'end'),
    moreDue: due > shown && formatCount(due - shown, 'more end'),
    years: sumYears(ends),
    released,
    plan: !isStrip && drawEnds(ends, site),
    ends: ends.length > 0 && formatCount(ends.length, 'end'),
    twelve: isStrip && groupByMonth(ends, day),
    groups: isLong ? describeLetters(summaries, day) : describeGroups(summaries, day),
    groupings: isLong ? listLabelNames(summaries) : [],
    isLong,
    presetLine: `"extends": [${JSON.stringify(`${site.baseUrl}/renovate.json`)}]`,
    freshness: summariseFreshness(summaries.map((summary) => summary.freshness)),
  });
}

/** `Ends: 1 in 2026, 6 in 2027.` */
function sumYears(ends: ReturnType<typeof listEndsAhead>): string {
  const years = Map.groupBy(ends, (end) => end.day.slice(0, 4));
  return `Ends: ${formatList(
    Array.from(years, ([year, group]) => `${group.length} in ${year}`),
    4,
  )}.`;
}

/** Whether an end of support is known, or is known not to be set yet. */
function hasStatedSupport({ lines }: ComponentSummary): boolean {
  return lines.some(({ phases = [], isSupported }) => phases.length > 0 || isSupported);
}

/** The first example is about the next end; the others fit every index. */
function chooseExamples(summaries: readonly ComponentSummary[], day: Day): string[] {
  const next = findNextEnd(summaries, day);
  const component = summaries.find(({ latest }) => latest);
  const fallback = component && `${component.definition.title} ${component.latest!.version}`;
  const first = next ? `${next.component.definition.title} ${next.lines[0].name}` : fallback;

  // Where no end is stated, nothing ends.
  const phrases = phraseExamples.filter((text) => next !== undefined || !text.startsWith('ends '));
  return first === undefined ? [] : [first, ...phrases.slice(0, 1)];
}

/** The usable releases of each component on its last release day, newest day first. */
function listNewestOfEach(releases: readonly RecentRelease[]): object[] {
  const usable = releases.filter(({ isDeprecated }) => !isDeprecated);

  return Array.from(
    Map.groupBy(usable, ({ component }) => component),
    ([component, group]) => {
      const [newest] = group;
      const versions = group.filter(({ day }) => day === newest.day).map(({ version }) => version);
      return {
        ...newest,
        subject: formatList(versions, maxNames),
        href: `${component}.html#${nameReleaseAnchor(newest.version)}`,
      };
    },
  );
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

function chooseGroup(summary: ComponentSummary, day: Day): keyof typeof headings {
  const policy = summary.definition.support?.policy ?? 'none';

  if (listEndsAhead([summary], day).length > 0) {
    return 'ends-stated';
  }

  const isSupported = summary.lines.some((line) => line.isSupported);
  if (summary.releases === 0) {
    const group = isSupported ? 'no-end' : 'ended';
    return summary.lines.length === 0 ? 'no-release' : group;
  }
  if (!summary.latest) {
    return policy === 'none' || isSupported ? 'deprecated' : 'ended';
  }
  if (!isSupported) {
    return 'no-promise';
  }

  return policy === 'latest-lines' ? 'newest-lines' : 'no-end';
}

/** By the soonest end, then by title. */
function describeGroups(summaries: readonly ComponentSummary[], day: Day): object[] {
  const sorted = summaries
    .map((summary) => ({
      key: summary.definition.title.toLowerCase(),
      row: createComponentRow(summary, day),
      summary,
    }))
    .sort((a, b) => oldestFirst(a.row.firstEnd, b.row.firstEnd) || oldestFirst(a.key, b.key));
  const groups = Map.groupBy(sorted, ({ summary }) => chooseGroup(summary, day));

  return Object.entries(headings)
    .map(([id, heading]) => {
      const members = groups.get(id as keyof typeof headings) ?? [];
      return { id, heading, rows: members.map(({ row }) => row) };
    })
    .filter(({ rows }) => rows.length > 0);
}

/** Groups by the first letter of the title, for the links of a long index. */
function describeLetters(summaries: readonly ComponentSummary[], day: Day): object[] {
  const order = new Intl.Collator('en');
  const sorted = summaries.toSorted((a, b) =>
    order.compare(a.definition.title, b.definition.title),
  );
  const findLetter = ({ definition }: ComponentSummary) =>
    /^[a-z]/i.exec(definition.title)?.[0].toUpperCase() ?? '0–9';
  return Array.from(Map.groupBy(sorted, findLetter), ([heading, group]) => ({
    id: `letter-${heading.toLowerCase()}`,
    heading,
    rows: group.map((summary) => createComponentRow(summary, day)),
  }));
}

/** A component in a table. */
function createComponentRow(summary: ComponentSummary, day: Day) {
  const { name, definition, latest, freshness, releaseDays } = summary;
  const [next] = listEndsAhead([summary], day);

  return {
    ...definition,
    name,
    // A name that only repeats the title is left out.
    requestName: name === definition.title.toLowerCase() ? undefined : name,
    labels: joinLabels(summary),
    isHeld: freshness.state === 'held',
    latest: latest?.version,
    instead: latest ? '' : nameReplacement(summary),
    day: latest?.releaseTimestamp && cutDay(latest.releaseTimestamp),
    isObserved: latest?.timestampKind === 'observed',
    firstEnd: next?.day ?? '',
    releases: formatCount(releaseDays.length, 'day'),
    ticks: releaseDays.map((on, index) => drawTick(on, releaseDays[index - 1])).join(''),
  };
}

/** A part of a path. A tick is relative to the previous tick, because such paths compress well. */
function drawTick(day: Day, previous: Day | undefined): string {
  return previous === undefined
    ? `M${countDaysSinceEpoch(day)} 0v1`
    : `m${countDaysBetween(previous, day)}-1v1`;
}

/** The labels of a component, one per line, for the groups of the first page. */
function joinLabels({ definition }: Pick<ComponentSummary, 'definition'>): string {
  return Object.entries(definition.labels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}

/** Labels that only some components have. */
function listLabelNames(summaries: readonly ComponentSummary[]): string[] {
  const labels = summaries.flatMap(({ definition }) => Object.entries(definition.labels ?? {}));
  return [...Map.groupBy(labels, ([name]) => name)]
    .filter(([, group]) => new Set(group.map(([, value]) => value)).size > 1)
    .map(([name]) => name);
}
