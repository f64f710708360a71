/** The view of `changes.html`: releases by their day, and what else happened. */
import { addDays, type Day } from '../../core/day.ts';
import type { Index } from '../../core/judged-index.ts';
import type { Event } from '../../core/schema/events.ts';
import type { Component, Release } from '../../core/schema/published.ts';
import { formatCount } from '../../core/text.ts';
import { nameAnchor } from '../../core/words.ts';
import { listChanges } from '../documents/changes.ts';
import { viewDay } from './line-view.ts';

const maxRows = 100;
/** Of a component on a day. */
const maxVersions = 4;

interface News {
  day: Day;
  text: string;
}

export function viewChanges(index: Index) {
  const rows = index.components.flatMap((component) => [
    ...listNews(component, index.journals.get(component.component)).map(({ day, text }) => ({
      ...viewSubject(component, text),
      day,
    })),
    ...listReleases(component),
  ]);
  const newestFirst = rows.sort((a, b) => Number(a.day < b.day) - Number(a.day > b.day));
  const weeks = Map.groupBy(newestFirst.slice(0, maxRows), ({ day }) => findMonday(day));
  const years = new Set([...index.journals.values()].flat().map(({ at }) => at.slice(0, 4)));
  return {
    weeks: Array.from(weeks, ([monday, news]) => ({ monday, news })),
    years: [...years].sort().reverse(),
  };
}

/** What happened to a component besides its releases, newest first; what it began with is one entry. */
export function listNews(component: Component, journal: readonly Event[] = []): News[] {
  const initial = journal.filter((event) => event.initial === true);
  const later = journal.filter(({ initial: isInitial, type }) => !isInitial && type !== 'released');
  const news = listChanges(component, later).map(({ on: day, text }) => ({ day, text }));
  const [first] = initial;
  const releases = initial.filter(({ type }) => type === 'released');
  if (first) {
    const text = `${component.title} was added with ${formatCount(releases.length, 'release')}.`;
    news.push({ day: first.at.slice(0, 10), text });
  }
  return news;
}

/** A text about a component, which usually begins with its title, as a link and the rest. */
function viewSubject({ component, title }: Component, text: string) {
  const rest = text.startsWith(title) ? text.slice(title.length) : `: ${text}`;
  return { title, href: `${component}.html`, rest };
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
    const end = opensLine && line?.isSupported && line.phases.length > 0 ? `: ${line.end}` : '';
    return {
      title,
      day,
      isObserved: viewDay(newest).isObserved,
      releases: newestFirst.slice(0, maxVersions).map(({ version }) => ({
        version,
        href: `${name}.html#${nameAnchor(version)}`,
      })),
      more: newestFirst.length > maxVersions && `and ${newestFirst.length - maxVersions} more`,
      line: `${opensLine ? 'New line' : 'Line'} ${newest.line}${end}`,
      url: newest.changelogUrl,
    };
  });
}

function findMonday(day: Day): Day {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}
