/** The view of `index.html`: what ends, what is new, and every component. */
import { countDays, type Day } from '../../core/day.ts';
import type { Index } from '../../core/judged-index.ts';
import type { Component, Line } from '../../core/schema/published.ts';
import { formatCount, formatList } from '../../core/text.ts';
import { nameAnchor, stateTones } from '../../core/words.ts';
import { describeTarget, viewReplacement } from '../words.ts';
import { createRow, viewDay, viewEnd } from './line-view.ts';
import { layOutPicture } from './picture.ts';

const maxNews = 5;
const maxRows = 12;
const dueDays = 90;

/** Lines of a component that end together. `line`: the newest of them. */
interface End {
  component: Component;
  lines: Line[];
  line: Line;
  day: Day;
}

export function viewIndex(index: Index) {
  const { asOf, settings, components } = index;
  const ends = listEnds(components);
  const [first] = ends;
  const shown = ends.slice(0, maxRows);
  const { picture, rows } = viewEnds(shown, index);
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

/** The ends of open lines, soonest first; one for the lines of a component that end together. */
function listEnds(components: readonly Component[]): End[] {
  const ends: End[] = [];
  for (const component of components) {
    const open = component.lines.filter(
      ({ state }) => stateTones[state] === 'ok' || stateTones[state] === 'soon',
    );
    const byEnd = Map.groupBy(
      open,
      ({ end, supportedUntilAtMost }) => `${end} ${supportedUntilAtMost}`,
    );
    for (const lines of byEnd.values()) {
      const line = lines.at(-1)!;
      const day = line.supportedUntil ?? line.supportedUntilAtMost;
      if (day !== undefined) {
        ends.push({ component, lines, line, day });
      }
    }
  }
  return ends.sort((a, b) => a.day.localeCompare(b.day));
}

function viewEnds(ends: readonly End[], index: Index) {
  const { tracks, ...picture } = layOutPicture(
    ends.map(({ component, lines, line }) => {
      const { since, sinceAtMost } = lines.find((each) => each.since ?? each.sinceAtMost) ?? line;
      const releases = component.releases.filter((release) =>
        lines.some((each) => each.line === release.line),
      );
      return createRow({ ...line, since, sinceAtMost }, releases);
    }),
    index.asOf,
    { back: 2, ahead: 3 },
  );
  const rows = ends.map(({ component, lines, line }, position) => {
    const names = lines.map((each) => each.line);
    const isWhole = names.length > 1 && names.length === component.lines.length;
    return {
      ...viewEnd(line, index.asOf),
      title: component.title,
      subject: isWhole ? 'all versions' : formatList(names, 2),
      isInferred: line.isInferred,
      href: `${component.component}.html#line-${line.line}`,
      target: line.moveTo && describeTarget(line.moveTo, component, index),
      track: tracks[position],
    };
  });
  return { picture, rows };
}

/** The newest usable releases. */
function listNewReleases(components: readonly Component[]) {
  const news = components.flatMap(({ component: name, title, releases }) =>
    releases
      .filter(({ isDeprecated, isPrerelease }) => !isDeprecated && !isPrerelease)
      .map((release) => ({
        title,
        subject: release.version,
        ...viewDay(release),
        href: `${name}.html#${nameAnchor(release.version)}`,
      })),
  );
  return news
    .filter(({ day }) => day !== undefined)
    .sort((a, b) => b.day!.localeCompare(a.day!))
    .slice(0, maxNews);
}

function groupComponents(index: Index, ends: readonly End[]) {
  const ending = new Set(ends.map(({ component }) => component));
  const others = index.components
    .filter((component) => !ending.has(component))
    .sort((a, b) => a.title.localeCompare(b.title, 'en'));
  const groups = [
    { heading: '', members: [...ending] },
    { heading: 'No end stated', members: others.filter(({ latest }) => latest !== undefined) },
    { heading: 'No version to use', members: others.filter(({ latest }) => latest === undefined) },
  ];
  return groups
    .filter(({ members }) => members.length > 0)
    .map(({ heading, members }) => ({
      heading,
      rows: members.map((component) => viewRow(component, index)),
    }));
}

function viewRow(component: Component, index: Index) {
  const { component: name, title, latest, releases } = component;
  const replacedBy = viewReplacement(component, index);
  const release = releases.find(({ version }) => version === latest);
  return {
    name,
    title,
    latest,
    instead: replacedBy && [replacedBy.title, replacedBy.version].filter(Boolean).join(' '),
    ...(release && viewDay(release)),
  };
}

/** Whether every source was checked, in a sentence. */
export function summariseFreshness({ freshness }: Index): string {
  const stale = [...freshness.values()].filter(({ state }) => state === 'stale').length;
  return stale === 0
    ? 'All sources were checked.'
    : `${stale} of ${formatCount(freshness.size, 'component')} may be out of date.`;
}
