import { addDays, cutDay, newestFirst, oldestFirst, type Day } from '../../../core/model/dates.ts';
import type { NonEmpty } from '../../../core/model/objects.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { describeMany, describeSize } from '../../../decide/event-words.ts';
import { mergeRecentReleases, type RecentRelease } from '../../../decide/release-days.ts';
import type { ListedChange } from './published-events.ts';

/** News of a component on a day: new releases or a change. */
export interface IndexNews {
  day: Day;
  component: string;
  title: string;
  kind: ListedChange['type'];
  /** The new releases, the greatest first. */
  released: readonly RecentRelease[];
  /** The change in a sentence, without its reason; empty for releases. */
  text: string;
  /** The single changes behind an entry for several, in sentences. */
  behind?: readonly string[] | undefined;
  /** The newest of the changes; absent for releases. */
  change?: ListedChange;
}

/** More changes than this of one component, type and day share a sentence. */
const maxListed = 3;

/** How many days after its release a version may be recorded without separate news. */
const soonDays = 7;

/**
 * Releases by release day and changes by the day they were recorded; newest day first, then by component. A release that was
 * recorded soon after it came out appears once.
 */
export function listIndexNews(
  summaries: readonly ComponentSummary[],
  changes: readonly ListedChange[],
): IndexNews[] {
  const titles = new Map(summaries.map(({ name, definition }) => [name, definition.title]));
  const releases = mergeRecentReleases(summaries);
  const days = new Map(releases.map((release) => [createKey(release), release.day]));

  const isSoon = (change: ListedChange) => {
    const day = change.type === 'released' ? days.get(createKey(change)) : undefined;
    return day !== undefined && day >= addDays(cutDay(change.at), -soonDays);
  };

  const byDay = Map.groupBy(releases, ({ day, component }) => `${day} ${component}`);
  const groups = Map.groupBy(
    changes.filter((change) => !isSoon(change)),
    ({ at, id, component, type, line, group }) =>
      group ? id : `${cutDay(at)} ${component} ${type} ${line !== undefined}`,
  );
  const changeNews = [...groups.values()].flatMap((group) =>
    group.length > maxListed
      ? [createChangeNews(group, titles)]
      : group.map((change) => createChangeNews([change], titles)),
  );

  return [...byDay.values()]
    .map(createReleaseNews)
    .concat(changeNews)
    .sort((a, b) => newestFirst(a.day, b.day) || oldestFirst(a.component, b.component));
}

function createKey({ component, version = '' }: { component: string; version?: string }): string {
  return `${component} ${version}`;
}

function createReleaseNews(released: NonEmpty<RecentRelease>): IndexNews {
  const { day, component, title } = released[0];
  return { day, component, title, kind: 'released', released, text: '' };
}

function createChangeNews(
  changes: NonEmpty<ListedChange>,
  titles: ReadonlyMap<string, string>,
): IndexNews {
  const [change] = changes;
  const { at, component, type, group } = change;
  const components = group?.components ?? [component];
  const title =
    components.length > 1
      ? formatCount(components.length, 'component')
      : (titles.get(component) ?? component);
  const text = describeChanges(changes);
  return {
    day: cutDay(at),
    component,
    title,
    kind: type,
    released: [],
    text,
    behind: group?.sentences,
    change,
  };
}

/** One headline for changes of one type. */
function describeChanges(changes: NonEmpty<ListedChange>): string {
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
