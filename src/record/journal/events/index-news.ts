import { addDays, cutDay, newestFirst, oldestFirst, type Day } from '../../../core/model/dates.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { describeMany, describeSize } from '../../../decide/event-words.ts';
import { mergeRecentReleases, type RecentRelease } from '../../../decide/recent.ts';
import type { ListedChange } from './published-events.ts';

/** News of a component on a day: new releases or a change. */
export interface IndexNews {
  readonly day: Day;
  readonly component: string;
  readonly title: string;
  readonly kind: ListedChange['type'];
  /** The new releases, the greatest first. */
  readonly released: readonly RecentRelease[];
  /** The change in a sentence, without its reason; empty for releases. */
  readonly text: string;
  /** The single changes of an edit. */
  readonly behind?: readonly string[] | undefined;
  /** The newest of the changes; absent for releases. */
  readonly change?: ListedChange;
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
    const day = days.get(createKey(change)) ?? '';
    return change.type === 'released' && day >= addDays(cutDay(change.at), -soonDays);
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

type Group<T> = readonly [T, ...T[]];

function createReleaseNews(released: Group<RecentRelease>): IndexNews {
  const { day, component, title } = released[0];
  return { day, component, title, kind: 'released', released, text: '' };
}

function createChangeNews(
  changes: Group<ListedChange>,
  titles: ReadonlyMap<string, string>,
): IndexNews {
  const [change] = changes;
  const { at, component, type, version, headline, group } = change;
  const subjects = [
    ...new Set(
      changes.map((each) => each.version ?? each.line).filter((value) => value !== undefined),
    ),
  ];
  const isOne = changes.length === 1 || type === 'added' || type === 'edited';
  const noun = version === undefined ? 'release line' : 'release';

  return {
    day: cutDay(at),
    component,
    title:
      group && group.components.length > 1
        ? formatCount(group.components.length, 'component')
        : (titles.get(component) ?? component),
    kind: type,
    released: [],
    text: isOne
      ? headline
      : describeMany(type, describeSize(type, changes.length, noun), formatList(subjects, 5)),
    behind: group?.sentences,
    change,
  };
}
