import { addDays, cutDay, newestFirst, oldestFirst, type Day } from '../../../core/model/dates.ts';
import type { NonEmpty } from '../../../core/model/objects.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { describeMany, describeSize } from '../../../decide/event-words.ts';
import { mergeRecentReleases, type RecentRelease } from '../../../decide/release-days.ts';
import type { ChangeEntry } from './change-entries.ts';

/** News of a component on a day: new releases or a change. */
export interface IndexNews {
  day: Day;
  component: string;
  title: string;
  /** The new releases, the greatest first. */
  versions: readonly string[];
  /** Whether the releases may be older than the day. */
  isObserved: boolean;
  /** The first of the new releases, if its day is stated. */
  release?: RecentRelease;
  /** The change in a sentence, without its reason; empty for releases of a stated day. */
  text: string;
  /** The newest of the changes; absent for releases of a stated day. */
  change?: ChangeEntry;
}

/** More changes than this of one component, type and day share a sentence. */
const maxListed = 3;

/** A release that is recorded within so many days has no news besides those of its release day. */
const soonDays = 7;

/**
 * Releases by release day and changes by the day they were recorded; newest day first, then by component. A release that was
 * recorded soon after it came out appears once.
 */
export function listIndexNews(
  summaries: readonly ComponentSummary[],
  changes: readonly ChangeEntry[],
): IndexNews[] {
  const titles = new Map(summaries.map(({ name, definition }) => [name, definition.title]));
  const releases = mergeRecentReleases(summaries);
  const releaseDays = new Map(releases.map((release) => [createKey(release), release.day]));
  const otherChanges = changes.filter((change) => {
    const releaseDay = change.type === 'released' ? releaseDays.get(createKey(change)) : undefined;
    return releaseDay === undefined || releaseDay < addDays(cutDay(change.at), -soonDays);
  });

  const byDay = Map.groupBy(releases, ({ day, component }) => `${day} ${component}`);
  const news = Array.from(byDay.values(), createReleaseNews);
  for (const group of Map.groupBy(otherChanges, chooseGroup).values()) {
    if (group.length > maxListed) {
      news.push(createChangeNews(group, titles));
    } else {
      news.push(...group.map((change) => createChangeNews([change], titles)));
    }
  }

  return news.sort((a, b) => newestFirst(a.day, b.day) || oldestFirst(a.component, b.component));
}

function createKey({ component, version = '' }: { component: string; version?: string }): string {
  return `${component} ${version}`;
}

/** Equal for the changes of one component, type and day. An entry that joins changes stays alone. */
function chooseGroup({ at, id, component, type, line, group }: ChangeEntry): string {
  return group ? id : `${cutDay(at)} ${component} ${type} ${line !== undefined}`;
}

function createReleaseNews(releases: NonEmpty<RecentRelease>): IndexNews {
  const [release] = releases;
  const { day, component, title } = release;
  const versions = releases.map(({ version }) => version);
  const isObserved = releases.every((each) => each.isObserved);
  return { day, component, title, versions, isObserved, release, text: '' };
}

function createChangeNews(
  changes: NonEmpty<ChangeEntry>,
  titles: ReadonlyMap<string, string>,
): IndexNews {
  const [change] = changes;
  const { at, component, type, group } = change;
  const count = group?.components.length ?? 1;
  const title = count > 1 ? formatCount(count, 'component') : (titles.get(component) ?? component);
  const versions = type === 'released' ? changes.flatMap((each) => each.version ?? []) : [];
  return {
    day: cutDay(at),
    component,
    title,
    versions,
    isObserved: versions.length > 0,
    text: describeChanges(changes),
    change,
  };
}

/** One headline for changes of one type. */
function describeChanges(changes: NonEmpty<ChangeEntry>): string {
  const [{ type, version, headline }] = changes;
  if (changes.length === 1 || type === 'added' || type === 'edited') {
    return headline;
  }

  const subjects = changes
    .map((change) => change.version ?? change.line)
    .filter((subject) => subject !== undefined);
  const noun = version === undefined ? 'release line' : 'release';
  const size = describeSize(type, changes.length, noun);
  return describeMany(type, size, formatList([...new Set(subjects)], 5));
}
