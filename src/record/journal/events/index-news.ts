import { addDays, cutDay, newestFirst, oldestFirst } from '../../../core/model/dates.ts';
import type { NonEmpty } from '../../../core/model/objects.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import { mapByNames } from '../../../decide/component.ts';
import type { ComponentSummary } from '../../../decide/component-summary.ts';
import { describeMany, describeSize } from '../../../decide/event-words.ts';
import { mergeRecentReleases, type RecentRelease } from '../../../decide/release-days.ts';
import type { ChangeEntry } from './change-entries.ts';

/** News of a component on a day: its recent releases of that day, or changes that were recorded on it. */
export type IndexNews = ReturnType<typeof createReleaseNews> | ReturnType<typeof createChangeNews>;

/** The changes of more releases or lines than this of one component, type and day share a sentence. */
const maxListed = 3;

/** A release that was recorded later than so many days after its release day is news on the day of recording, too. */
const lateDays = 7;

/**
 * Recent releases by release day, and changes by the day they were recorded; newest day first, then by component. The recording of
 * recent releases is left out as a change unless it was late. `changes`: newest first.
 */
export function listIndexNews(
  summaries: readonly ComponentSummary[],
  changes: readonly ChangeEntry[],
): IndexNews[] {
  const releases = mergeRecentReleases(summaries);
  const byDay = Map.groupBy(releases, ({ day, component }) => `${day} ${component}`);
  const news: IndexNews[] = Array.from(byDay.values(), createReleaseNews);

  const byName = mapByNames(summaries);
  for (const group of Map.groupBy(omitRecorded(changes, releases), createGroupKey).values()) {
    if (listSubjects(group).length > maxListed) {
      news.push(createChangeNews(group, byName));
    } else {
      news.push(...group.map((change) => createChangeNews([change], byName)));
    }
  }

  return news.sort((a, b) => newestFirst(a.day, b.day) || oldestFirst(a.component, b.component));
}

/** The changes without those that only recorded recent releases soon after they came out. */
function omitRecorded(
  changes: readonly ChangeEntry[],
  releases: readonly RecentRelease[],
): ChangeEntry[] {
  const releaseDays = new Map(
    releases.map(({ component, version, day }) => [`${component} ${version}`, day]),
  );

  return changes.filter(({ type, at, component, version, subjects }) => {
    if (type !== 'released') {
      return true;
    }

    const firstSoonDay = addDays(cutDay(at), -lateDays);
    const versions = version === undefined ? (subjects ?? []) : [version];
    return versions.some((each) => {
      const releaseDay = releaseDays.get(`${component} ${each}`);
      return releaseDay === undefined || releaseDay < firstSoonDay;
    });
  });
}

/** Equal for the changes of one component, type and day, all of releases or all of lines. An entry about an edit stays by itself. */
function createGroupKey(change: ChangeEntry): string {
  const { at, id, component, type, group } = change;
  return group ? id : `${cutDay(at)} ${component} ${type} ${chooseNoun(change)}`;
}

/** What a change is about, for all but advisories. */
function chooseNoun({ version, last }: ChangeEntry): 'release' | 'release line' {
  return (version ?? last?.version) === undefined ? 'release line' : 'release';
}

/** `versions`: the releases, the greatest first. `release`: the first of them. */
function createReleaseNews(releases: NonEmpty<RecentRelease>) {
  const [release] = releases;
  const { day, component, title } = release;
  const versions = releases.map(({ version }) => version);
  const mayBeOlder = releases.every(({ isObserved }) => isObserved);
  const kind = 'releases' as const;
  return { kind, day, component, title, versions, mayBeOlder, release };
}

function createChangeNews(
  changes: NonEmpty<ChangeEntry>,
  byName: ReadonlyMap<string, ComponentSummary>,
) {
  const [change] = changes;
  const { at, component, type, group } = change;
  const count = group?.components.length ?? 1;
  const ownTitle = byName.get(component)?.definition.title ?? component;
  const title = count > 1 ? formatCount(count, 'component') : ownTitle;
  const versions = type === 'released' ? changes.flatMap(({ version }) => version ?? []) : [];
  return {
    kind: 'change' as const,
    day: cutDay(at),
    component,
    title,
    /** Empty for a change that only the text describes. */
    versions,
    /** Whether the releases may be older than the day. */
    mayBeOlder: versions.length > 0,
    /** The changes in a sentence, without their reasons. */
    text: describeChanges(changes),
    /** The newest of the changes. */
    change,
  };
}

/** One headline for changes of one type. */
function describeChanges(changes: NonEmpty<ChangeEntry>): string {
  const [first] = changes;
  const { type, headline } = first;
  if (changes.length === 1 || type === 'added' || type === 'edited') {
    return headline;
  }

  const subjects = listSubjects(changes);
  const names = type.startsWith('advisory-') ? '' : formatList(subjects, 5);
  return describeMany(type, describeSize(type, subjects.length, chooseNoun(first)), names);
}

/** The versions and lines that changed, each once. The entry of an advisory does not name it, so its id stands for it. */
function listSubjects(changes: readonly ChangeEntry[]): string[] {
  const subjects = changes.flatMap((change) => {
    return change.subjects ?? change.version ?? change.line ?? change.id;
  });
  return [...new Set(subjects)];
}
