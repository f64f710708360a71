/** The view of `index.html`: what ends, what is new, and every component. */
import { countDays, type Day } from '../../core/day.ts';
import type { Index } from '../load-index.ts';
import type { Component, Line } from '../../core/schema/published.ts';
import { formatCount, formatList } from '../../core/text.ts';
import { isOpen, nameAnchor, vulnerableLabel } from '../../core/words.ts';
import { describeSecurity, describeTarget, findComponent } from '../words.ts';
import { findNewest } from './component-page.ts';
import { createRow, viewDay, viewEnd } from './line-view.ts';
import { layOutPicture } from './picture.ts';
import { summariseFreshness } from './status-page.ts';

const maxNews = 5;
const maxRows = 12;
/** Ends are due for so many days before and after. */
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
  const ends = listEnds(components, isOpen);
  const ended = listEnds(components, ({ state }) => state === 'ended').filter(
    ({ day }) => countDays(day, asOf) <= dueDays,
  );
  const [first] = ends;
  const { picture, rows } = viewEnds(ends.slice(0, maxRows), index);
  const due = ends.filter(({ day }) => countDays(asOf, day) <= dueDays);
  const actions = [
    ...ended.map((end) => viewEndRow(end, index)),
    ...components.flatMap(viewVulnerable),
    ...due.map((end) => viewEndRow(end, index)),
  ];
  return {
    ...settings,
    count: formatCount(components.length, 'component'),
    question: first ? 'Is your version still supported?' : 'Which version do you run?',
    example: first && `${first.component.title} ${first.line.line}`,
    actions: actions.slice(0, maxRows),
    moreDue: actions.length > maxRows && `${actions.length - maxRows} more`,
    hasSupport: first !== undefined || actions.length > 0,
    released: listNewReleases(components),
    support: first && { picture, rows },
    moreEnds: ends.length > maxRows && formatCount(ends.length - maxRows, 'later end'),
    groups: groupComponents(index, ends),
    freshness: summariseFreshness(index),
    isStale: [...index.freshness.values()].some(({ state }) => state === 'stale'),
  };
}

/** The ends of such lines, soonest first; one for lines of a component that end together. */
function listEnds(components: readonly Component[], isMeant: (line: Line) => boolean): End[] {
  const ends = components.flatMap((component) => {
    const groups = Map.groupBy(
      component.lines.filter(isMeant),
      (line) => `${line.end} ${line.supportedUntilAtMost}`,
    );
    return [...groups.values()].flatMap((lines) => {
      const line = lines.at(-1)!;
      const { supportedUntil, supportedUntilAtMost } = line;
      const day = isOpen(line)
        ? (supportedUntil ?? supportedUntilAtMost)
        : (supportedUntilAtMost ?? supportedUntil);
      const names = lines.map((each) => each.line);
      return day === undefined ? [] : { component, lines, names, line, day };
    });
  });
  return ends.sort((a, b) => a.day.localeCompare(b.day));
}

function viewEnds(ends: readonly End[], index: Index) {
  const bars = ends.map(({ component, lines, names, line }) => {
    const { since, sinceAtMost } = lines.find((each) => each.since ?? each.sinceAtMost) ?? line;
    const releases = component.releases.filter((release) => names.includes(release.line));
    return createRow({ ...line, since, sinceAtMost }, releases);
  });
  const { tracks, ...picture } = layOutPicture(bars, index.asOf, { back: 2, ahead: 3 });
  const rows = ends.map((end, position) => ({
    ...viewEndRow(end, index),
    track: tracks[position],
  }));
  return { picture, rows };
}

function viewEndRow({ component, names, line }: End, index: Index) {
  const isWhole = names.length > 1 && names.length === component.lines.length;
  const target = describeTarget(line, component, index);
  return {
    ...viewEnd(line, index.asOf),
    ...(line.state === 'ended' && { tone: 'gone' }),
    title: component.title,
    subject: isWhole ? 'all versions' : formatList(names, 2),
    isInferred: line.isInferred,
    href: `${component.component}.html#line-${line.line}`,
    advice: target && `Move to ${target}${line.moveBy === undefined ? ' now' : ''}`,
  };
}

/** A component whose latest release is affected by an advisory. */
function viewVulnerable({ component: name, title, latest, releases }: Component) {
  const release = releases.find(({ version }) => version === latest);
  return release?.label === vulnerableLabel
    ? {
        tone: 'gone',
        title,
        subject: release.version,
        isInferred: false,
        href: `${name}.html#${nameAnchor(release.version)}`,
        end: 'vulnerable',
        distance: '',
        advice: `${describeSecurity(release)} ${release.advice}`,
      }
    : [];
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
    'No supported version': others.filter(({ latest }) => latest === undefined),
  };
  const views = Object.entries(groups).map(([heading, members]) => ({
    heading,
    rows: members.map((component) => {
      const release = findNewest(component);
      const successor = findComponent(component.replacedBy, index);
      const replacement = successor && `replaced by ${successor.title} ${successor.latest ?? ''}`;
      return {
        name: component.component,
        title: component.title,
        newest: release?.version,
        ...viewDay(release),
        note: component.latest === undefined && (replacement ?? release?.label.toLowerCase()),
      };
    }),
  }));
  return views.filter(({ rows }) => rows.length > 0);
}
