/** The view of `changes.html`: releases by their day, and what else happened. */
import { addDays, type Day } from '../../core/day.ts';
import type { Index } from '../../core/judged-index.ts';
import type { Event } from '../../core/schema/events.ts';
import type { Component, Release } from '../../core/schema/published.ts';
import { nameAnchor } from '../../core/words.ts';
import { listChanges } from '../documents/changes.ts';
import { viewDay } from './line-view.ts';

const maxRows = 40;

interface News {
  day: Day;
  text: string;
}

export function viewChanges({ components, journals }: Index) {
  const rows = components.flatMap((component) => {
    const news = listNews(component, journals.get(component.component));
    return [...news.map((each) => viewNews(component, each)), ...listReleases(component)];
  });
  rows.sort((a, b) => Number(a.day < b.day) - Number(a.day > b.day));
  const weeks = Map.groupBy(rows.slice(0, maxRows), ({ day }) => findMonday(day));
  const years = new Set([...journals.values()].flat().map(({ at }) => at.slice(0, 4)));
  return {
    weeks: Array.from(weeks, ([monday, news]) => ({ monday, news })),
    years: [...years].sort().reverse(),
  };
}

/** What happened to a component since it was added, besides its releases; newest first. */
export function listNews(component: Component, journal: readonly Event[] = []): News[] {
  const news = journal.filter(({ initial, type }) => !initial && type !== 'released');
  return listChanges(component, news).map(({ on: day, text }) => ({ day, text }));
}

/** A text about a component, which usually begins with its title, as a link and the rest. */
function viewNews({ component, title }: Component, { day, text }: News) {
  const rest = text.startsWith(title) ? text.slice(title.length) : `: ${text}`;
  return { day, title, href: `${component}.html`, rest };
}

/** The releases of each day, with the line of the newest one. */
function listReleases(component: Component) {
  const { component: name, title, releases, lines } = component;
  const dated = releases.filter(({ releaseTimestamp }) => releaseTimestamp !== undefined);
  const byDay = Map.groupBy(dated, (release) => viewDay(release).day!);
  return Array.from(byDay, ([day, group]) => {
    const newestFirst = group.toReversed();
    const [newest] = newestFirst as [Release];
    const line = lines.find((each) => each.line === newest.line);
    const opensLine = releases.find((each) => each.line === newest.line) === newest;
    const isSaid = opensLine && line && /^(?:until|at least) /.test(line.end);
    return {
      title,
      day,
      isObserved: viewDay(newest).isObserved,
      releases: newestFirst.map(({ version }) => ({
        version,
        href: `${name}.html#${nameAnchor(version)}`,
      })),
      line: `${opensLine ? 'New line' : 'Line'} ${newest.line}${isSaid ? `, supported ${line.end}` : ''}`,
      url: newest.changelogUrl,
    };
  });
}

function findMonday(day: Day): Day {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}
