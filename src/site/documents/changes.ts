/** Renders events for readers: `changes.json`, `changes/<year>.json`, `builds/<year>.json` and feeds. */
import { nameAnchor } from '../../core/anchors.ts';
import { type Day, toDay, toTimestamp } from '../../core/day.ts';
import { findLatestEnd } from '../../core/phrases.ts';
import type { Change } from '../../core/schema/documents.ts';
import type { Component, Release } from '../../core/schema/published.ts';
import type { Event } from '../../core/schema/recorded.ts';
import { endSentence, formatCount, joinList } from '../../core/text.ts';
import { describeRisk } from '../descriptions.ts';
import type { Settings } from '../../core/schema/written.ts';
import type { Index } from '../load-index.ts';
import type { File } from '../output.ts';
import { renderRows } from './json.ts';

const maxChanges = 1000;

/**
 * Returns the component's oldest name. The ids of its events begin with this name: `svc/12`. Readers keep these ids, so a renaming must not
 * change them.
 */
export function nameInIds({
  component,
  renamedFrom = [],
}: Pick<Component, 'component' | 'renamedFrom'>): string {
  return renamedFrom[0] ?? component;
}

/** A change. `initial`: whether it was reported when the component was added. */
type ReportedChange = Change & Pick<Event, 'initial'>;
/** A change in a list of news. `on`: the day under which the list shows the change. */
export type News = ReportedChange;

/** Lists the events of a component, newest first. */
export function listChanges(
  component: Component,
  { components, journals }: Index,
): ReportedChange[] {
  const journal = journals.get(component.component) ?? [];
  const findTitle = (name: string) =>
    components.find((each) => each.component === name)?.title ?? name;
  return journal
    .map(({ id, ...event }) => ({
      ...event,
      id: `${nameInIds(component)}/${id}`,
      component: component.component,
      text: describeEvent(component.title, event, findTitle),
    }))
    .reverse();
}

/**
 * Gives the events `released` the present release dates, because a date may have been corrected after its event. Pages and feeds show these
 * dates. All ids stay, and `changes.json` lists the events as they were reported.
 */
function correctDays(
  changes: readonly ReportedChange[],
  components: readonly Component[],
): ReportedChange[] {
  const isCorrection = ({ type, field }: ReportedChange) => type === 'corrected' && field === 'day';
  const corrections = Map.groupBy(changes.filter(isCorrection), ({ component }) => component);
  const present = new Map(
    components.flatMap(({ component, title, releases }) => {
      const versions = new Set(corrections.get(component)?.map(({ version }) => version));
      return releases
        .filter(({ version }) => versions.has(version))
        .map((release) => [`${component} ${release.version}`, { title, release }]);
    }),
  );
  return changes.map((change) => {
    const { title = '', release } = present.get(`${change.component} ${change.version}`) ?? {};
    if (change.type !== 'released' || release?.releaseTimestamp === undefined) {
      return change;
    }

    const isObserved = release.timestampKind === 'observed' || undefined;
    const event = { ...change, on: toDay(release.releaseTimestamp), isObserved };
    return { ...event, text: describeEvent(title, event) };
  });
}

/**
 * Lists the news of a component, the newest first. Initial events are the events of the run that added the component. An initial event is
 * news only if it reports one of these:
 * - a release whose release date is before the day of this run
 * - an end of support before the day of this run
 */
export function listNews(component: Component, index: Index): News[] {
  const releases = new Map(component.releases.map((release) => [release.version, release]));
  const news = correctDays(listChanges(component, index), [component]).flatMap((change) => {
    const { initial, type, on, at, version = '' } = change;
    const reported = toDay(at);
    const isDated = type === 'released' ? hasNewsDay(releases.get(version)) : isEnd(type);
    // The date of an event, such as an end of support, may be after the day of its report. Then the event is listed under the day of its
    // report.
    return initial && !(isDated && on < reported)
      ? []
      : { ...change, on: on < reported ? on : reported };
  });
  return sortNews(news);
}

const isEnd = (type: Event['type']) => type === 'support-ended';

/**
 * Tells whether a release can be news on its release date. A source's first answer also lists old releases. If it gives no date for a
 * release, the day of the answer is recorded as the release date. Such a release is not news, because it may be much older.
 */
function hasNewsDay({ releaseTimestamp = '', firstSeen, ...release }: Partial<Release> = {}) {
  const isLater = release.timestampKind !== 'observed' || release.notBefore !== undefined;
  return isLater || toDay(releaseTimestamp) !== firstSeen;
}

/** Lists the news of all components, the newest first. Also lists the newest releases and ends that no run has reported yet. */
export function listAllNews(index: Index): News[] {
  const news = index.components.flatMap((component) => listNews(component, index));
  return sortNews([...news, ...listUnreportedEnds(index), ...listUnreported(index)]);
}

function sortNews(news: News[]): News[] {
  return news.sort((a, b) => b.on.localeCompare(a.on));
}

/**
 * The greatest number of unreported releases among the news of all components. It is more than `changes.html` shows, even with 400
 * components.
 */
const maxUnreported = 1000;

/** Lists releases that no run has reported yet. There are such releases if an index is built before its first run. */
function listUnreported({ components, journals }: Index): News[] {
  const newest = components.reduce((rows: Unreported[], component) => {
    const journal = journals.get(component.component) ?? [];
    const reported = new Set(journal.map(({ type, version }) => isArrival(type) && version));
    // A large index has 100,000 releases, so releases that are too old for the list are skipped early.
    const oldest = rows[maxUnreported - 1]?.at ?? '';
    const newer = component.releases.flatMap((release) => {
      const { version, releaseTimestamp: at = '' } = release;
      return at > oldest && !reported.has(version) && hasNewsDay(release)
        ? { component, release, at }
        : [];
    });
    return [...rows, ...newer].sort((a, b) => b.at.localeCompare(a.at)).slice(0, maxUnreported);
  }, []);
  return newest.map(describeUnreported);
}

interface Unreported {
  readonly component: Component;
  readonly release: Release;
  readonly at: string;
}

const isArrival = (type: Event['type']) => type === 'released' || type === 'included';

function describeUnreported({ component: { component, title }, release, at }: Unreported): News {
  const { version, line, timestampKind } = release;
  const isObserved = timestampKind === 'observed' || undefined;
  const event = { type: 'released' as const, at, on: toDay(at), version, line, isObserved };
  return { ...event, id: version, component, text: describeEvent(title, event) };
}

/** Lists release lines that ended before the first run, or since the last run. */
function listUnreportedEnds({ components, journals }: Index): News[] {
  return components.flatMap(({ component, title, lines }) => {
    const journal = journals.get(component) ?? [];
    const reported = new Set(journal.map(({ type, line }) => isEnd(type) && line));
    return lines.flatMap(({ line, state, ...ends }) => {
      const on = findLatestEnd(ends);
      if (state !== 'ended' || on === undefined || reported.has(line)) {
        return [];
      }

      const event = { type: 'support-ended' as const, at: on, on, line };
      return [{ ...event, id: line, component, text: describeEvent(title, event) }];
    });
  });
}

/**
 * Lists the events of all components, newest first. The events of one run are in reverse order of their components. The events of one
 * component are in reverse order of the journal.
 */
export function listAllChanges(index: Index): ReportedChange[] {
  const components = index.components.toReversed();
  const changes = components.flatMap((component) => listChanges(component, index));
  return changes.sort((a, b) => b.at.localeCompare(a.at));
}

/** Lists the years of events or runs, the oldest first. */
export function listYears(items: readonly { readonly at: string }[]): string[] {
  return [...new Set(items.map(({ at }) => at.slice(0, 4)))].sort();
}

/** Lists the years for which there is `changes/<year>.json`, the oldest first. */
export function listYearsOfChanges({ journals }: Index): string[] {
  return listYears([...journals.values()].flat().filter(isLater));
}

/**
 * Tells whether an event was reported after the run that added the component. In a large index, the events of that run could make a file
 * too large for a host (Cloudflare: 25 MiB).
 */
const isLater = ({ initial }: Pick<Event, 'initial'>) => !initial;

/** Yields the files with events. `reported`: the events, newest first. */
export function* renderChanges(
  reported: readonly ReportedChange[],
  { runs }: Index,
): Generator<File> {
  const changes = reported.filter(isLater);
  yield ['changes.json', `{"changes": ${renderRows(changes.slice(0, maxChanges))}}\n`];
  const lists = { changes, builds: runs.toReversed() };
  for (const [key, items] of Object.entries<readonly { at: string }[]>(lists)) {
    for (const [year, group] of Map.groupBy(items, ({ at }) => at.slice(0, 4))) {
      yield [`${key}/${year}.json`, `{"${key}": ${renderRows(group)}}\n`];
    }
  }
}

/** Returns the URL of the row or release line that a change is about, on the component's page. */
export function findPlace({ type, component, version, line }: Change): string {
  const lineAnchor = line && `line-${line}`;
  const anchor = version === undefined ? lineAnchor : nameAnchor(version);
  return anchor && type !== 'excluded' ? `${component}.html#${anchor}` : `${component}.html`;
}

type Happening = Omit<Event, 'id'>;

/** For each type of event, returns its sentence without the subject at its beginning. */
const predicates: Readonly<
  Record<Event['type'], (event: Happening, findTitle: FindTitle) => string>
> = {
  released: ({ on, isObserved }) => `was released ${isObserved ? 'on or before' : 'on'} ${on}`,
  withdrawn: () => 'was withdrawn',
  relisted: () => 'is listed again',
  excluded: () => 'is no longer in this index',
  included: () => 'is in this index again',
  deprecated: () => 'is deprecated',
  restored: () => 'is no longer deprecated',
  corrected: ({ field, file, to }) =>
    `was corrected: its ${field}${file ? ` of ${file}` : ''} is now ${to}`,
  republished: () => 'was republished with different content',
  unproven: ({ from }) => `was published without provenance, unlike ${from}`,
  'support-changed': describeEnd,
  'support-ending': ({ on, toAtMost }) =>
    `will soon be out of support: it is supported ${describeDays(on, toAtMost)}`,
  'support-ended': () => 'is no longer supported',
  'stop-added': () => 'is a required stop: upgrades must pass through it',
  'stop-removed': () => 'is no longer a required stop',
  'advisory-published': (event) => `was published: it affects ${event.to}${describeRisk(event)}`,
  'advisory-changed': (event) => `was changed: it affects ${event.to}${describeRisk(event)}`,
  'advisory-withdrawn': () => 'was withdrawn',
  'advisory-removed': () => 'is no longer in this index',
  replaced: describeReplacement,
};

/** Returns the title of a component. If the component was removed, returns its name. */
type FindTitle = (component: string) => string;

function describeReplacement({ to }: Happening, findTitle: FindTitle): string {
  if (to === undefined) {
    return 'is no longer replaced';
  }

  // If the component was split, `to` contains several names: `orders and billing`.
  const titles = to.split(/, | and /).map(findTitle);
  return `${titles.length > 1 ? 'was split into' : 'is replaced by'} ${joinList(titles)}`;
}

/** Describes an end of support: `until 2027-12-30`. If the end is uncertain: `at least until 2027-12-30 and at most until 2028-01-31`. */
function describeDays(to: Day, toAtMost: Day | undefined): string {
  return toAtMost === undefined
    ? `until ${to}`
    : `at least until ${to} and at most until ${toAtMost}`;
}

function describeEnd({ on, from, to, toAtMost, isSupportedAgain }: Happening): string {
  const end =
    to === undefined ? toAtMost && `until ${toAtMost} at the latest` : describeDays(to, toAtMost);
  if (isSupportedAgain) {
    return ['is supported again', end].filter(Boolean).join(', ');
  }
  if (end === undefined) {
    const former = from === undefined ? '' : `. It was ${from}`;
    return `${former ? 'no longer has a' : 'has no'} stated end of support${former}`;
  }

  // A move of the upper bound alone is not told as a move of the end.
  const former = from === undefined || from === (to ?? toAtMost) ? '' : `, not ${from}`;
  if ((toAtMost ?? to!) < on) {
    return `was supported ${end}${former}`;
  }
  return to !== undefined && to < on
    ? `may have ended: its support lasts ${end}${former}`
    : `is ${from === undefined ? '' : 'now '}supported ${end}${former}`;
}

/** Names what an event is about. Its sentence begins with this name. */
export function nameSubject(
  title: string,
  { version, line, advisory }: Pick<Event, 'version' | 'line' | 'advisory'>,
): string {
  return advisory
    ? `Advisory ${advisory} on ${title}`
    : `${title} ${version ?? line ?? ''}`.trimEnd();
}

function describeEvent(
  title: string,
  event: Happening,
  findTitle: FindTitle = (name) => name,
): string {
  const { type, version, line, reason, paidSupport, initial } = event;
  const sentence = endSentence(
    `${nameSubject(title, event)} ${predicates[type](event, findTitle)}`,
  );
  // An initial event about a line gets neither a reason nor paid support. Both were true on the day on which the component was added, but
  // may no longer be true.
  const isOld = initial && line !== undefined && version === undefined;
  const facts = isOld ? [] : [paidSupport, reason && endSentence(reason)];
  return [sentence, ...facts].filter(Boolean).join(' ');
}

/**
 * A feed has the 50 newest entries. It also has the other entries of the run that reported the 50th entry, up to `maxEntries`. So somebody
 * who reads the feed daily misses nothing, even if a run reports 200 entries.
 */
const minEntries = 50;
const maxEntries = 500;

/**
 * Returns the view of `feed.atom` or `feeds/<component>.atom` (Atom, RFC 4287). It does not contain the date of the build.
 * - `changes`: newest first
 * - `component`: only for the feed of one component
 */
export function viewFeed(
  changes: readonly ReportedChange[],
  { settings, components }: Pick<Index, 'settings' | 'components'>,
  component?: Component,
) {
  const corrected = correctDays(changes, component ? [component] : components);
  // The initial events of components that were added in one run share an entry.
  const groups = Map.groupBy(corrected, ({ id, at, initial }) => (initial ? at : id));
  const all = Array.from(groups.values(), viewEntry);
  const last = all[minEntries - 1];
  const entries = last ? all.filter(({ at }) => at >= last.at).slice(0, maxEntries) : all;
  return {
    prefix: nameFeedIds(settings),
    name: component ? nameInIds(component) : 'all',
    title: component?.title ?? settings.title,
    place: component ? `${component.component}.html` : '',
    // A feed must contain an instant, even before the first run.
    updated: entries[0]?.at ?? '2000-01-01T00:00:00Z',
    entries,
  };
}

/**
 * Returns the start of all ids in feeds: a tag URI (RFC 4151). Its year is the year in which this program first gave ids to entries.
 */
export function nameFeedIds({ releasesUrl, datasource }: Settings): string {
  return `tag:${new URL(releasesUrl).hostname},2026:${datasource}/`;
}

/** Returns the view of an entry. All initial events of a run share one entry, under the id of the last of these events. */
function viewEntry(group: readonly ReportedChange[]) {
  const change = group[0]!;
  const { id, at, type, initial, component, text, url } = change;
  const event = { id, at: toTimestamp(at), type, title: text, place: findPlace(change), url };
  if (!initial) {
    return event;
  }

  const { size } = new Set(group.map((each) => each.component));
  const releases = group.filter((each) => each.type === 'released');
  const subject = size === 1 ? component : formatCount(size, 'component');
  const title = `${subject} added, with ${formatCount(releases.length, 'release')}`;
  const place = size === 1 ? `${component}.html` : 'changes.html';
  return { ...event, type: 'added', title, place, url: undefined };
}
