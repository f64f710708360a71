/** The view of `changes.html`: releases by their day, and what else happened. */
import { addDays } from '../../core/day.ts';
import type { Index } from '../load-index.ts';
import type { Component } from '../../core/schema/published.ts';
import { nameAnchor } from '../../core/words.ts';
import { listYears } from '../documents/changes.ts';
import { listNews } from '../words.ts';
import { describeDay } from './line-view.ts';

const maxRows = 40;

export function viewChanges(index: Index) {
  const rows = index.components.flatMap((component) => {
    const { component: name, title } = component;
    const news = listNews(component, index).map(({ on, text }) => {
      // The title that a text usually begins with is a link.
      const rest = text.startsWith(title) ? text.slice(title.length) : text;
      return { day: on, happened: on, title, href: `${name}.html`, versions: [], text: rest };
    });
    return [...news, ...listReleases(component)];
  });
  rows.sort((a, b) => b.day.localeCompare(a.day));
  const weeks = Map.groupBy(rows.slice(0, maxRows), ({ day }) =>
    addDays(day, -((new Date(day).getUTCDay() + 6) % 7)),
  );
  return {
    weeks: Array.from(weeks, ([monday, news]) => ({ monday, news })),
    years: listYears([...index.journals.values()].flat()).reverse(),
  };
}

/** The releases of each of the newest days, with the line of the newest one. */
function listReleases({ component: name, title, releases, lines }: Component) {
  const dated = releases.filter(({ releaseTimestamp }) => releaseTimestamp).reverse();
  const byDay = Map.groupBy(dated, ({ releaseTimestamp }) => releaseTimestamp!.slice(0, 10));
  const recent = [...byDay].sort(([a], [b]) => b.localeCompare(a)).slice(0, maxRows);
  return recent.map(([day, newestFirst]) => {
    const newest = newestFirst[0]!;
    const { line, end, supportedUntil, isSupported } = lines.find(
      (each) => each.line === newest.line,
    )!;
    const opensLine = releases.find((each) => each.line === line) === newest;
    const isSaid = opensLine && isSupported && supportedUntil;
    return {
      day,
      happened: describeDay(newest),
      title,
      href: `${name}.html`,
      versions: newestFirst.map(({ version }) => ({
        version,
        href: `${name}.html#${nameAnchor(version)}`,
      })),
      text: `${opensLine ? 'New line' : 'Line'} ${line}${isSaid ? `, supported ${end}` : ''}`,
      url: newest.changelogUrl,
    };
  });
}
