/** The view of `changes.html`: releases by their day, and what else happened. */
import { addDays } from '../../core/day.ts';
import type { Index } from '../load-index.ts';
import type { Event } from '../../core/schema/events.ts';
import type { Component } from '../../core/schema/published.ts';
import { nameAnchor } from '../../core/words.ts';
import { listChanges, listYears } from '../documents/changes.ts';
import { viewDay } from './line-view.ts';

const maxRows = 40;

export function viewChanges({ components, journals }: Index) {
  // On each of these days, a component has a release: what is older than the last `maxRows` of them is not shown.
  const days = components.map(({ releases }) => viewDay(releases.at(-1)).day ?? '').sort();
  const rows = components.flatMap((component) => {
    const { component: name, title } = component;
    const news = listNews(component, journals.get(name)).map(({ on: day, text }) => {
      // The title that a text usually begins with is a link.
      const rest = text.startsWith(title) ? text.slice(title.length) : `: ${text}`;
      return { day, title, href: `${name}.html`, rest };
    });
    return [...news, ...listReleases(component, days.at(-maxRows))];
  });
  rows.sort((a, b) => b.day.localeCompare(a.day));
  const weeks = Map.groupBy(rows.slice(0, maxRows), ({ day }) =>
    addDays(day, -((new Date(day).getUTCDay() + 6) % 7)),
  );
  return {
    weeks: Array.from(weeks, ([monday, news]) => ({ monday, news })),
    years: listYears([...journals.values()].flat()).reverse(),
  };
}

/** What happened to a component since it was added, besides its releases; newest first. */
export function listNews(component: Component, journal: readonly Event[] = []) {
  const news = journal.filter(({ initial, type }) => !initial && type !== 'released');
  return listChanges(component, news);
}

/** The releases of each day, with the line of the newest one. */
function listReleases({ component: name, title, releases, lines }: Component, since = '') {
  const recent = releases.filter((each) => each.releaseTimestamp! >= since).reverse();
  const byDay = Map.groupBy(recent, (each) => viewDay(each).day!);
  return Array.from(byDay, ([day, newestFirst]) => {
    const newest = newestFirst[0]!;
    const { line, end } = lines.find((each) => each.line === newest.line)!;
    const opensLine = releases.find((each) => each.line === line) === newest;
    const isSaid = opensLine && /^(?:until|at least) /.test(end);
    return {
      title,
      ...viewDay(newest),
      day,
      releases: newestFirst.map(({ version }) => ({
        version,
        href: `${name}.html#${nameAnchor(version)}`,
      })),
      line: `${opensLine ? 'New line' : 'Line'} ${line}${isSaid ? `, supported ${end}` : ''}`,
      url: newest.changelogUrl,
    };
  });
}
