import { endsOfSupport, type EndOfSupport } from '../../../decide/ends.ts';
import { freshnessOfAll } from '../../../decide/sentences.ts';
import { releasedLately, type RecentRelease } from '../../../decide/recent.ts';
import { dayNumber, dayOf, daysBetween, oldestFirst, type Day } from '../../../core/dates.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { counted, listed } from '../../../core/text.ts';
import { releaseAnchor } from '../addresses.ts';
import type { SiteContext } from '../site-context.ts';
import { siteSnippets } from '../snippets.ts';
import { endView } from './end-view.ts';
import { phraseExamples } from '../../../ask/phrases.ts';
import { renderPage } from './templates.ts';
import { isSoon } from './time-axis.ts';
import { barsOf, byEnd, endOf, planOf, remedyAfter, windowOf } from './timeline.ts';

const maxNews = 5;
const maxBars = 12;
const maxNames = 2;
/** A browser need not lay out more rows than this before somebody scrolls to them. */
const maxRowsAtOnce = 100;

/** `index.html`. It changes with verdicts and news, and with a new quarter. */
export function renderIndexPage(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const { day, config } = site;
  const ahead = endsOfSupport(summaries).filter((end) => isAhead(end, day));
  const actions = ahead.filter((end) => isSoon(day, end.day)).slice(0, maxNews);
  const later = ahead.length - actions.length;
  const released = newestOfEach(releasedLately(summaries)).slice(0, maxNews);
  const { bars, sentence } = barsToShow(summaries, day);
  const example = summaries.find((summary) => summary.latest) ?? summaries[0];
  return renderPage(site, 'index', {
    ...config,
    count: counted(summaries.length, 'component'),
    examples: examplesOf(summaries, day),
    actions: actions.map((end) => ({ ...announcedEnd(end, day), remedy: remedyAfter(end, summaries) })),
    later: later > 0 && { size: counted(later, 'more end'), day: ahead.at(-1)!.day },
    released: released.map(releaseView),
    plan: bars.length > 0 && planOf([{ heading: '', size: '', bars }], windowOf(bars, day), day),
    sentence,
    groups: groupsOf(summaries, day),
    isLong: summaries.length > maxRowsAtOnce,
    presetLine: `"extends": [${JSON.stringify(`${site.baseUrl}/renovate.json`)}]`,
    freshness: freshnessOfAll(summaries.map((summary) => summary.freshness)),
    snippets: example ? siteSnippets(site, summaries, example) : [],
  });
}

/** What ends next is the best question; the others can be asked on every index. */
function examplesOf(summaries: readonly ComponentSummary[], day: Day): string[] {
  const next = endsOfSupport(summaries).find((end) => end.day > day && !end.isOfAll);
  const known = summaries.find(({ latest }) => latest);
  const ofLatest = known && `${known.definition.title} ${known.latest!.version}`;
  const ofEnd = next ? `${next.title} ${next.lines[0]!}` : ofLatest;
  return ofEnd === undefined ? [] : [ofEnd, ...phraseExamples];
}

/** Every supported line of the components with an end; those that end first where they are too many. */
function barsToShow(summaries: readonly ComponentSummary[], day: Day) {
  const running = barsOf(summaries, day).filter(({ tone }) => tone !== 'over');
  if (running.length <= maxBars)
    return { bars: running, sentence: `The ${counted(running.length, 'supported line')} with an end.` };
  const bars = running.filter((bar) => endOf(bar) !== undefined).sort(byEnd);
  const size = counted(running.length, 'supported line');
  return { bars: bars.slice(0, maxBars), sentence: `The first ${maxBars} to end of ${size}.` };
}

/** Whether it may be still to come. */
export function isAhead(end: EndOfSupport, day: Day): boolean {
  return (end.atMost ?? end.day) > day;
}

/** `isCounted`: the script adds how far away a near end is. */
export function announcedEnd(end: EndOfSupport, day: Day, isCounted = true): object {
  const { atMost, component, title, lines, phase, isOfAll } = end;
  const isOne = !isOfAll && lines.length === 1;
  const view = endView({ until: end.day === atMost ? undefined : end.day, untilAtMost: atMost }, day);
  return {
    end: isCounted ? view : { ...view, isNear: false },
    title,
    what: `${isOfAll ? 'all versions' : listed(lines, maxNames)}${phase === undefined ? '' : ` (${phase})`}`,
    href: `${component}.html#${isOne ? `line-${lines[0]!}` : 'lines'}`,
  };
}

/** The usable releases of each component on its last release day, newest day first. */
function newestOfEach(released: readonly RecentRelease[]): RecentRelease[][] {
  const usable = released.filter(({ isDeprecated }) => !isDeprecated);
  const byComponent = Map.groupBy(usable, ({ component }) => component).values();
  return Array.from(byComponent, (of) => of.filter(({ day }) => day === of[0]!.day));
}

function releaseView(released: readonly RecentRelease[]): object {
  const { component, version } = released[0]!;
  const versions = released.map((release) => release.version);
  return {
    ...released[0],
    what: listed(versions, maxNames),
    href: `${component}.html#${releaseAnchor(version)}`,
  };
}

/** The groups of rows in their order. A heading says once what all of its rows lack. */
const headings = {
  'ends-stated': '',
  'newest-lines': 'Supported until newer lines come',
  'no-end': 'Supported, no end announced',
  listed: 'Nobody states how long they are supported',
  deprecated: 'No version to use: every release is deprecated or a prerelease',
  ended: 'No version to use: support has ended',
  'no-release': 'No release known yet',
};

function groupOf(summary: ComponentSummary, day: Day): keyof typeof headings {
  const policy = summary.definition.support?.policy ?? 'none';
  if (endsOfSupport([summary]).some((end) => isAhead(end, day))) return 'ends-stated';
  if (summary.releases === 0) return 'no-release';
  const isPromised = summary.lines.some((line) => line.isSupported);
  if (!summary.latest) return policy === 'none' || isPromised ? 'deprecated' : 'ended';
  if (!isPromised) return 'listed';
  return policy === 'latest-lines' ? 'newest-lines' : 'no-end';
}

/** The soonest end first, else by title. */
export function groupsOf(summaries: readonly ComponentSummary[], day: Day): object[] {
  const sorted = summaries
    .map((summary) => ({
      key: summary.definition.title.toLowerCase(),
      row: componentRow(summary, day),
      summary,
    }))
    .sort((a, b) => oldestFirst(a.row.next?.day ?? '', b.row.next?.day ?? '') || oldestFirst(a.key, b.key));
  const groups = Map.groupBy(sorted, ({ summary }) => groupOf(summary, day));
  return Object.entries(headings).flatMap(([id, heading]) => {
    const rows = groups.get(id as keyof typeof headings)?.map(({ row }) => row) ?? [];
    return rows.length === 0 ? [] : { id, heading, rows };
  });
}

/** A component in a table. */
function componentRow(summary: ComponentSummary, day: Day) {
  const { name, definition, latest, freshness, lines, releaseDays } = summary;
  const [next] = endsOfSupport([summary]).filter((end) => isAhead(end, day));
  const running = lines.filter((line) => line.isSupported).length;
  return {
    ...definition,
    name,
    description: definition.description ?? '',
    // The same name twice in a row would be noise.
    requestName: name === definition.title.toLowerCase() ? undefined : name,
    aliases: definition.aliases?.join('\n'),
    isHeld: freshness.state === 'held',
    latest: latest?.version,
    day: latest?.releaseTimestamp && dayOf(latest.releaseTimestamp),
    isObserved: latest?.timestampKind === 'observed',
    next: next && { ...next, ...announcedEnd(next, day, false) },
    isSoon: next !== undefined && isSoon(day, next.day),
    lines: next && !next.isOfAll && running > 1 && counted(running, 'line'),
    releases: counted(releaseDays.length, 'day'),
    // A tick for each day, relative to the one before it: such paths compress well.
    ticks: releaseDays
      .map((on, index) =>
        index === 0 ? `M${dayNumber(on)} 0v1` : `m${daysBetween(releaseDays[index - 1]!, on)}-1v1`,
      )
      .join(''),
  };
}
