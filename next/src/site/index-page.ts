/** The view of `index.html`: what ends, what is new, and every component. */
import { countDays } from '../core/day.ts';
import type { Index } from '../core/judged-index.ts';
import type { Component, Line } from '../core/schema/published.ts';
import { formatCount, formatList } from '../core/text.ts';
import { nameAnchor, stateTones } from '../core/words.ts';
import { createRow, viewEnd } from './component-page.ts';
import { viewReplacement } from './words.ts';
import { layOutPicture } from './picture.ts';

const maxActions = 12;
const maxNews = 5;
const maxRows = 12;
const dueDays = 90;

interface End {
  component: Component;
  lines: Line[];
  line: Line;
  day: string;
  isWhole: boolean;
}

export function viewIndex(index: Index) {
  const { asOf, settings, components } = index;
  const ends = listEnds(components);
  const due = ends.filter(({ day }) => countDays(asOf, day) <= dueDays);
  const example = ends[0] ?? {
    component: components.find(({ latest }) => latest),
    line: undefined,
  };
  const subject = example.line?.line ?? example.component?.latest;

  return {
    ...settings,
    count: formatCount(components.length, 'component'),
    question: ends.length > 0 ? 'Is your version still supported?' : 'Which version do you run?',
    example: example.component && `${example.component.title} ${subject}`,
    hasEnds: ends.length > 0,
    actions: due.slice(0, maxActions).map((end) => viewAction(end, index)),
    moreDue: due.length > maxActions && formatCount(due.length - maxActions, 'more end'),
    released: listNews(components),
    support: ends.length > 0 && viewSupport(ends.slice(0, maxRows), index),
    moreEnds: ends.length > maxRows && formatCount(ends.length - maxRows, 'later end'),
    groups: groupComponents(index, ends),
    freshness: summariseFreshness(index),
    presetLine: `"extends": [${JSON.stringify(`${settings.releasesUrl}/renovate.json`)}]`,
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
        ends.push({
          component,
          lines,
          line,
          day,
          isWhole: lines.length > 1 && lines.length === component.lines.length,
        });
      }
    }
  }
  return ends.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}

function viewAction({ component, lines, line, isWhole }: End, { asOf, components }: Index) {
  const names = lines.map(({ line: name }) => name);
  const { moveTo } = line;
  const target =
    moveTo &&
    (moveTo.component === component.component
      ? moveTo.version
      : `${components.find((each) => each.component === moveTo.component)?.title} ${moveTo.version}`);
  return {
    ...viewEnd(line, asOf),
    title: component.title,
    subject: isWhole ? 'all versions' : formatList(names, 2),
    isInferred: line.isInferred,
    href: `${component.component}.html#line-${line.line}`,
    target,
  };
}

function viewSupport(ends: readonly End[], index: Index) {
  const rows = ends.map(({ component, lines, line }) => {
    const names = new Set(lines.map(({ line: name }) => name));
    const releases = component.releases.filter((release) => names.has(release.line));
    const first = lines.find(({ since, sinceAtMost }) => since ?? sinceAtMost) ?? line;
    const days = createRow(line, new Map([[line.line, releases]]));
    return { ...days, line: { ...line, since: first.since, sinceAtMost: first.sinceAtMost } };
  });
  const { tracks, ...picture } = layOutPicture(rows, index.asOf, { back: 2, ahead: 3 });
  return {
    picture,
    rows: ends.map((end, position) => ({ ...viewAction(end, index), track: tracks[position] })),
  };
}

/** The newest usable releases of each component on its last release day. */
function listNews(components: readonly Component[]) {
  const news = [];
  for (const { component: name, title, releases } of components) {
    const usable = releases.filter(
      ({ isDeprecated, isPrerelease, releaseTimestamp }) =>
        !isDeprecated && !isPrerelease && releaseTimestamp,
    );
    const day = usable
      .reduce(
        (last, { releaseTimestamp = '' }) => (releaseTimestamp > last ? releaseTimestamp : last),
        '',
      )
      .slice(0, 10);
    const newest = usable
      .filter(({ releaseTimestamp }) => releaseTimestamp!.startsWith(day))
      .reverse();
    const [first] = newest;
    if (first) {
      const subject = formatList(
        newest.map(({ version }) => version),
        2,
      );
      news.push({
        title,
        subject,
        day,
        isObserved: first.timestampKind === 'observed',
        href: `${name}.html#${nameAnchor(first.version)}`,
      });
    }
  }
  return news.sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0)).slice(0, maxNews);
}

const headings = [
  '',
  'Supported, no end announced',
  'No end stated',
  'No version to use',
  'No release known yet',
];

function groupComponents(index: Index, ends: readonly End[]) {
  const firstEnds = new Map<Component, string>();
  for (const { component, day } of ends.toReversed()) {
    firstEnds.set(component, day);
  }

  const sortKey = (component: Component) => firstEnds.get(component) ?? '';
  const sorted = index.components.toSorted(
    (a, b) => sortKey(a).localeCompare(sortKey(b)) || a.title.localeCompare(b.title, 'en'),
  );
  const groups = Map.groupBy(sorted, (component) => chooseGroup(component, firstEnds));
  return headings.flatMap((heading, position) => {
    const rows = groups.get(position)?.map((component) => viewRow(component, index));
    return rows ? [{ heading, rows }] : [];
  });
}

function chooseGroup(component: Component, firstEnds: ReadonlyMap<Component, string>): number {
  const { releases, latest, lines } = component;
  if (firstEnds.has(component)) {
    return 0;
  }
  if (releases.length === 0) {
    return 4;
  }

  return latest === undefined ? 3 : lines.some(({ state }) => state === 'supported') ? 1 : 2;
}

function viewRow(component: Component, index: Index) {
  const { component: name, title, latest, releases } = component;
  const { asOf } = index;
  const replacedBy = viewReplacement(component, index);
  const release = releases.find(({ version }) => version === latest);
  const days = new Set(releases.map(({ releaseTimestamp = '' }) => releaseTimestamp.slice(0, 10)));
  const ages = [...days]
    .filter((day) => day !== '')
    .map((day) => countDays(day, asOf))
    .filter((age) => age >= 0 && age < 365);
  return {
    name,
    title,
    latest,
    instead: replacedBy && [replacedBy.title, replacedBy.version].filter(Boolean).join(' '),
    day: release?.releaseTimestamp?.slice(0, 10),
    isObserved: release?.timestampKind === 'observed',
    dayCount: formatCount(ages.length, 'day'),
    ticks: ages.map((age) => `M${365 - age} 0v1`).join(''),
  };
}

function summariseFreshness({ components, freshness }: Index): string {
  const stale = [...freshness.values()].filter(({ state }) => state === 'stale').length;
  return stale === 0
    ? 'All sources were checked.'
    : `${stale} of ${components.length} components may be out of date.`;
}
