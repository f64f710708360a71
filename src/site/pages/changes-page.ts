/** Creates the view of `changes.html`: the changes of the newest days, and queries for older changes. */
import { addDays, addMonths, type Day } from '../../core/day.ts';
import { formatMonth } from '../../core/phrases.ts';
import { formatCount } from '../../core/text.ts';
import { findPlace, listYearsOfChanges, nameSubject, type News } from '../documents/changes.ts';
import { findComponent, type Index } from '../load-index.ts';

/** The page shows at least `minDays` days, and further days until it shows at least `minChanges` changes. */
const minDays = 14;
const minChanges = 40;
/** The greatest number of changes that are shown for one day, because a run may find thousands. */
const maxOfDay = 200;
const maxMonths = 6;

/** Returns the view. `news`: the newest first. The view does not contain the build's date, so it changes only when there is news. */
export function viewChanges(index: Index, news: readonly News[]) {
  const days = listDays(news);
  const since = days.at(-1)?.[0];
  return {
    since,
    days: days.map(([day, changes]) => viewDay(day, changes, index)),
    months: since === undefined ? [] : listMonths(since),
    years: listYearsOfChanges(index).reverse(),
  };
}

/** Groups changes by day, down to the last day that the page shows. */
function listDays(news: readonly News[]): [Day, News[]][] {
  const all = [...Map.groupBy(news, ({ on }) => on)];
  const newest = all[0]?.[0];
  if (newest === undefined) {
    return [];
  }

  const oldest = addDays(newest, 1 - minDays);
  let count = 0;
  const end = all.findIndex(([day, changes]) => {
    const isPast = day < oldest && count >= minChanges;
    count += changes.length;
    return isPast;
  });
  return end === -1 ? all : all.slice(0, end);
}

/** Returns the view of a day: ends of support, then other changes, then new releases by component. */
function viewDay(day: Day, news: readonly News[], index: Index) {
  const { ends = [], others = [], releases = [] } = Object.groupBy(news, findGroup);
  const changes = [...ends, ...others];
  const hidden = changes.slice(maxOfDay).length + releases.slice(maxOfDay).length;
  return {
    day,
    changes: changes.slice(0, maxOfDay).map((change) => viewChange(change, index)),
    released: viewReleases(releases.slice(0, maxOfDay), index),
    hidden: hidden > 0 && formatCount(hidden, 'more change'),
  };
}

function findGroup({ type }: News): 'ends' | 'others' | 'releases' {
  if (type === 'released') {
    return 'releases';
  }

  return type.startsWith('support-') ? 'ends' : 'others';
}

/** Returns the view of a change. The sentence of the change is split after its subject, because the subject becomes a link. */
function viewChange(change: News, index: Index) {
  const { title } = findComponent(change.component, index)!;
  const subject = nameSubject(title, change);
  return { place: findPlace(change), subject, text: change.text.slice(subject.length) };
}

/** Returns a row for each component with its releases. */
function viewReleases(releases: readonly News[], index: Index) {
  const byComponent = Map.groupBy(releases, ({ component }) => component);
  return Array.from(byComponent, ([name, group]) => ({
    name,
    title: findComponent(name, index)!.title,
    releases: group.map((change, position) => ({
      version: change.version,
      place: findPlace(change),
      // If the date is only an upper bound, the remark says "or before".
      remark: change.isObserved && 'or before',
      separator: position < group.length - 1 ? ',' : '',
    })),
  }));
}

/** Lists the months up to a day, the newest first. Each month has two queries: for its releases, and for the lines that ended in it. */
function listMonths(day: Day) {
  return Array.from({ length: maxMonths }, (_, back) => {
    const from = addMonths(`${day.slice(0, 7)}-01`, -back);
    const to = addDays(addMonths(from, 1), -1);
    return {
      name: formatMonth(from),
      released: encodeURIComponent(`releaseTimestamp:[${from} to ${to}]`),
      ended: encodeURIComponent(describeEndsBetween(from, to)),
    };
  });
}

/** Writes the query for lines whose end is in a period. */
function describeEndsBetween(from: Day, to: Day): string {
  const period = `[${from} to ${to}]`;
  // Some lines have only a latest possible end.
  return `(supportedUntil:${period} or supportedUntilAtMost:${period}) isNewestOfLine`;
}
