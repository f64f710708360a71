/** The view of `index.html`: what ends, what is new, and every component. */
import { countDays, type Day } from '../../core/day.ts';
import type { Index } from '../../core/schema/documents.ts';
import type { Component, Line } from '../../core/schema/published.ts';
import { formatCount, formatList } from '../../core/text.ts';
import { nameAnchor, stateTones } from '../../core/words.ts';
import { describeTarget, findComponent } from '../words.ts';
import { createRow, viewDay, viewEnd } from './line-view.ts';
import { layOutPicture } from './picture.ts';
import { summariseFreshness } from './status-page.ts';

const maxNews = 5;
const maxRows = 12;
const dueDays = 90;

/** Lines of a component that end together. `line`: the newest of them. */
interface End {
  component: Component;
  lines: Line[];
  names: string[];
  line: Line;
  day: Day;
}

export function viewIndex(index: Index) {
  const { asOf, settings, components } = index;
  const ends = components.flatMap(listEnds).sort((a, b) => a.day.localeCompare(b.day));
  const [first] = ends;
  const { picture, rows } = viewEnds(ends.slice(0, maxRows), index);
  const due = ends.filter(({ day }) => countDays(asOf, day) <= dueDays);
  return {
    ...settings,
    count: formatCount(components.length, 'component'),
    question: first ? 'Is your version still supported?' : 'Which version do you run?',
    example: first && `${first.component.title} ${first.line.line}`,
    actions: rows.slice(0, due.length),
    moreDue: due.length > maxRows && formatCount(due.length - maxRows, 'more end'),
    released: listNewReleases(components),
    support: first && { picture, rows },
    moreEnds: ends.length > maxRows && formatCount(ends.length - maxRows, 'later end'),
    groups: groupComponents(index, ends),
    freshness: summariseFreshness(index),
  };
}

/** The ends of open lines of a component; one for lines that end together. */
function listEnds(component: Component): End[] {
  const open = component.lines.filter(({ state }) => /ok|soon/.test(stateTones[state]));
  const groups = Map.groupBy(open, (line) => `${line.end} ${line.supportedUntilAtMost}`);
  return [...groups.values()].flatMap((lines) => {
    const line = lines.at(-1)!;
    const day = line.supportedUntil ?? line.supportedUntilAtMost;
    const names = lines.map((each) => each.line);
    return day === undefined ? [] : { component, lines, names, line, day };
  });
}

function viewEnds(ends: readonly End[], index: Index) {
  const bars = ends.map(({ component, lines, names, line }) => {
    const { since, sinceAtMost } = lines.find((each) => each.since ?? each.sinceAtMost) ?? line;
    const releases = component.releases.filter((release) => names.includes(release.line));
    return createRow({ ...line, since, sinceAtMost }, releases);
  });
  const { tracks, ...picture } = layOutPicture(bars, index.asOf, { back: 2, ahead: 3 });
  const rows = ends.map(({ component, names, line }, position) => {
    const isWhole = names.length > 1 && names.length === component.lines.length;
    return {
      ...line,
      ...viewEnd(line, index.asOf),
      title: component.title,
      subject: isWhole ? 'all versions' : formatList(names, 2),
      href: `${component.component}.html#line-${line.line}`,
      target: describeTarget(line, component, index),
      track: tracks[position],
    };
  });
  return { picture, rows };
}

/** The newest usable releases. */
function listNewReleases(components: readonly Component[]) {
  const news = components.flatMap(({ component: name, title, releases }) =>
    releases
      .filter((each) => each.releaseTimestamp && !each.isDeprecated && !each.isPrerelease)
      .sort((a, b) => b.releaseTimestamp!.localeCompare(a.releaseTimestamp!))
      .slice(0, maxNews)
      .map((release) => {
        const href = `${name}.html#${nameAnchor(release.version)}`;
        return { title, subject: release.version, ...viewDay(release), href };
      }),
  );
  return news.sort((a, b) => b.day!.localeCompare(a.day!)).slice(0, maxNews);
}

function groupComponents(index: Index, ends: readonly End[]) {
  const ending = new Set(ends.map(({ component }) => component));
  const others = index.components
    .filter((component) => !ending.has(component))
    .sort((a, b) => a.title.localeCompare(b.title, 'en'));
  const groups = {
    '': [...ending],
    'No end stated': others.filter(({ latest }) => latest !== undefined),
    'No version to use': others.filter(({ latest }) => latest === undefined),
  };
  const views = Object.entries(groups).map(([heading, members]) => ({
    heading,
    rows: members.map((component) => {
      const release = component.releases.find(({ version }) => version === component.latest);
      const replacedBy = findComponent(component.replacedBy, index);
      return { ...component, ...viewDay(release), replacedBy };
    }),
  }));
  return views.filter(({ rows }) => rows.length > 0);
}
