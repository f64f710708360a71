/** Events as readers see them: `changes.json`, `changes/<year>.json`, `builds/<year>.json`, feeds. */
import { nameAnchor } from '../../core/anchors.ts';
import { toDay, toTimestamp } from '../../core/day.ts';
import type { Change } from '../../core/schema/documents.ts';
import type { Component, Release } from '../../core/schema/published.ts';
import type { Event } from '../../core/schema/recorded.ts';
import { endSentence, formatCount } from '../../core/text.ts';
import { describeRisk } from '../descriptions.ts';
import type { Index } from '../load-index.ts';
import type { File } from '../output.ts';
import { renderRows } from './json.ts';

const maxChanges = 1000;

/** The name in ids that readers keep, which renaming must not change. */
export function nameInIds({
  component,
  renamedFrom = [],
}: Pick<Component, 'component' | 'renamedFrom'>): string {
  return renamedFrom[0] ?? component;
}

/** `initial`: the component began with it, so it is no news. */
type ReportedChange = Change & Pick<Event, 'initial'>;
/** An event on the day of its news. */
export type News = ReportedChange;

/** The events of a component, newest first. */
export function listChanges(component: Component, { journals }: Index): ReportedChange[] {
  const journal = journals.get(component.component) ?? [];
  return journal
    .map(({ id, ...event }) => ({
      ...event,
      id: `${nameInIds(component)}/${id}`,
      component: component.component,
      text: describeEvent(component.title, event),
    }))
    .reverse();
}

/**
 * Lists what happened to a component, the newest first, each on the day of its news. An end that will come is news of the day on which
 * readers were told. If the component began with an event, it is news only as a release or an end of an earlier day.
 */
export function listNews(component: Component, index: Index): News[] {
  const releases = new Map(component.releases.map((release) => [release.version, release]));
  const news = listChanges(component, index).flatMap((change) => {
    const { initial, type, on, at, version = '' } = change;
    const reported = toDay(at);
    const isDated = type === 'released' ? hasNewsDay(releases.get(version)) : isEnd(type);
    return initial && !(isDated && on < reported)
      ? []
      : { ...change, on: on < reported ? on : reported };
  });
  return sortNews(news);
}

const isEnd = (type: Event['type']) => type === 'support-ended';

/** An observed day that is only the day of the first answer of its source is no news. */
function hasNewsDay({ releaseTimestamp = '', firstSeen, ...release }: Partial<Release> = {}) {
  const isLater = release.timestampKind !== 'observed' || release.notBefore !== undefined;
  return isLater || toDay(releaseTimestamp) !== firstSeen;
}

/** Lists the news of all components, and the newest releases and the ends that no run has reported yet, the newest first. */
export function listAllNews(index: Index): News[] {
  const news = index.components.flatMap((component) => listNews(component, index));
  return sortNews([...news, ...listUnreportedEnds(index), ...listUnreported(index)]);
}

function sortNews(news: News[]): News[] {
  return news.sort((a, b) => b.on.localeCompare(a.on));
}

/** More than the page of changes shows of an index of 400 components. */
const maxUnreported = 1000;

/** An index is built before its first run, too. */
function listUnreported({ components, journals }: Index): News[] {
  const newest = components.reduce((rows: Unreported[], component) => {
    const journal = journals.get(component.component) ?? [];
    const reported = new Set(journal.map(({ type, version }) => isArrival(type) && version));
    // A large index has 100,000 releases, of which few are newer than those of other components.
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

/** Lines that ended before the first run, or since the last one. */
function listUnreportedEnds({ components, journals }: Index): News[] {
  return components.flatMap(({ component, title, lines }) => {
    const journal = journals.get(component) ?? [];
    const reported = new Set(journal.map(({ type, line }) => isEnd(type) && line));
    return lines.flatMap(({ line, state, supportedUntil, supportedUntilAtMost }) => {
      const on = supportedUntilAtMost ?? supportedUntil;
      if (state !== 'ended' || on === undefined || reported.has(line)) {
        return [];
      }

      const event = { type: 'support-ended' as const, at: on, on, line };
      return [{ ...event, id: line, component, text: describeEvent(title, event) }];
    });
  });
}

/** The events of all components, newest first; of a run, the last component and its last event first. */
export function listAllChanges(index: Index): ReportedChange[] {
  const components = index.components.toReversed();
  const changes = components.flatMap((component) => listChanges(component, index));
  return changes.sort((a, b) => b.at.localeCompare(a.at));
}

/** The years of events or runs, the oldest first. */
export function listYears(items: readonly { readonly at: string }[]): string[] {
  return [...new Set(items.map(({ at }) => at.slice(0, 4)))].sort();
}

/** The years of `changes/<year>.json`, the oldest first. */
export function listYearsOfChanges({ journals }: Index): string[] {
  return listYears([...journals.values()].flat().filter(isLater));
}

/** In a large index, what components began with would make files that no host takes. */
const isLater = ({ initial }: Pick<Event, 'initial'>) => !initial;

/** `reported`: newest first. */
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

/** The row or the line on the page of its component. */
export function findPlace({ type, component, version, line }: Change): string {
  const lineAnchor = line && `line-${line}`;
  const anchor = version === undefined ? lineAnchor : nameAnchor(version);
  return anchor && type !== 'excluded' ? `${component}.html#${anchor}` : `${component}.html`;
}

type Happening = Omit<Event, 'id'>;

/** The sentence of each event, without the subject at its beginning. */
const predicates: Readonly<Record<Event['type'], (event: Happening) => string>> = {
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
  'support-ending': ({ on }) =>
    `will soon be out of support: its support is certain only until ${on}`,
  'support-ended': () => 'is no longer supported',
  'advisory-published': (event) => `was published: it affects ${event.to}${describeRisk(event)}`,
  'advisory-changed': (event) => `was changed: it affects ${event.to}${describeRisk(event)}`,
  'advisory-withdrawn': () => 'was withdrawn',
  replaced: ({ to }) => (to === undefined ? 'is no longer replaced' : `is replaced by ${to}`),
};

function describeEnd({ from, to, toAtMost }: Happening): string {
  const end = to ?? (toAtMost && `${toAtMost} at the latest`);
  if (from === undefined) {
    return end ? `is supported until ${end}` : 'has no stated end of support';
  }
  return end
    ? `is now supported until ${end}, not ${from}`
    : `no longer has a stated end of support. It was ${from}`;
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

function describeEvent(title: string, event: Happening): string {
  const { type, version, line, reason, initial } = event;
  const sentence = endSentence(`${nameSubject(title, event)} ${predicates[type](event)}`);
  // The reasons of lines that the index began with are in the words of that day.
  const isOld = initial && line !== undefined && version === undefined;
  return reason && !isOld ? `${sentence} ${endSentence(reason)}` : sentence;
}

/** A feed has at least so many of the newest entries, then the rest of their run: a daily reader must miss none. */
const minEntries = 50;
const maxEntries = 500;

/**
 * The view of `feed.atom` and `feeds/<component>.atom`: Atom, RFC 4287. Nothing in it names the day of the build. `changes`: newest
 * first. With `component`, its own feed.
 */
export function viewFeed(
  changes: readonly ReportedChange[],
  { releasesUrl, datasource, title }: Index['settings'],
  component?: Component,
) {
  // The events with which components began in one run share an entry.
  const groups = Map.groupBy(changes, ({ id, at, initial }) => (initial ? at : id));
  const all = Array.from(groups.values(), viewEntry);
  const last = all[minEntries - 1];
  const entries = last ? all.filter(({ at }) => at >= last.at).slice(0, maxEntries) : all;
  return {
    // RFC 4151. The year is when ids were first given.
    prefix: `tag:${new URL(releasesUrl).hostname},2026:${datasource}/`,
    name: component ? nameInIds(component) : 'all',
    title: component?.title ?? title,
    place: component ? `${component.component}.html` : '',
    // A feed must have an instant, also before the first run.
    updated: entries[0]?.at ?? '2000-01-01T00:00:00Z',
    entries,
  };
}

/** An event, or what a run began with, which has the id of its last event. */
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
