/** The view of `index.html`: what ends, what is new, and every component. */
import { countDays, type Day } from '../../core/day.ts';
import type { Index } from '../../core/judged-index.ts';
import type { Component, Line } from '../../core/schema/published.ts';
import { formatCount, formatList } from '../../core/text.ts';
import { nameAnchor, stateTones } from '../../core/words.ts';
import { describeTarget, viewReplacement } from '../words.ts';
import { createRow, viewDay, viewEnd } from './line-view.ts';
import { layOutPicture } from './picture.ts';

const maxActions = 12;
const maxNews = 5;
const maxRows = 12;
const dueDays = 90;

/** An end of lines of a component that end together. */
interface End {
  component: Component;
  lines: Line[];
  /** The newest of them. */
  line: Line;
  day: Day;
  /** Whether they are all lines of the component. */
  isWhole: boolean;
}

export function viewIndex(index: Index) {
  const { asOf, settings, components } = index;
  const ends = listEnds(components);
  const due = ends.filter(({ day }) => countDays(asOf, day) <= dueDays);
  return {
    ...settings,
    count: formatCount(components.length, 'component'),
    question: ends.length > 0 ? 'Is your version still supported?' : 'Which version do you run?',
    example: chooseExample(components, ends),
    hasEnds: ends.length > 0,
    actions: due.slice(0, maxActions).map((end) => viewAction(end, index)),
    moreDue: due.length > maxActions && formatCount(due.length - maxActions, 'more end'),
    released: listNewReleases(components),
    support: ends.length > 0 && viewSupport(ends.slice(0, maxRows), index),
    moreEnds: ends.length > maxRows && formatCount(ends.length - maxRows, 'later end'),
    groups: groupComponents(index, ends),
    freshness: summariseFreshness(index),
    presetLine: `"extends": [${JSON.stringify(`${settings.releasesUrl}/renovate.json`)}]`,
  };
}

/** A version to ask for: of the line that ends first, rather of one among several. */
function chooseExample(components: readonly Component[], ends: readonly End[]) {
  const end = ends.find(({ isWhole }) => !isWhole) ?? ends[0];
  const component = end?.component ?? components.find(({ latest }) => latest !== undefined);
  return component && `${component.title} ${end?.line.line ?? component.latest}`;
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
        const isWhole = lines.length > 1 && lines.length === component.lines.length;
        ends.push({ component, lines, line, day, isWhole });
      }
    }
  }
  return ends.sort((a, b) => compareTexts(a.day, b.day));
}

function compareTexts(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

function viewAction({ component, lines, line, isWhole }: End, index: Index) {
  const names = lines.map(({ line: name }) => name);
  return {
    ...viewEnd(line, index.asOf),
    title: component.title,
    subject: isWhole ? 'all versions' : formatList(names, 2),
    isInferred: line.isInferred,
    href: `${component.component}.html#line-${line.line}`,
    target: line.moveTo && describeTarget(line.moveTo, component, index),
  };
}

function viewSupport(ends: readonly End[], index: Index) {
  const rows = ends.map(({ component, lines, line }) => {
    const names = new Set(lines.map(({ line: name }) => name));
    const releases = component.releases.filter((release) => names.has(release.line));
    const first = lines.find(({ since, sinceAtMost }) => since ?? sinceAtMost) ?? line;
    const { since, sinceAtMost } = first;
    return createRow({ ...line, since, sinceAtMost }, releases);
  });
  const { tracks, ...picture } = layOutPicture(rows, index.asOf, { back: 2, ahead: 3 });
  return {
    picture,
    rows: ends.map((end, position) => ({ ...viewAction(end, index), track: tracks[position] })),
  };
}

/** The newest usable releases of each component on its last release day. */
function listNewReleases(components: readonly Component[]) {
  const news = components.flatMap(({ component: name, title, releases }) => {
    const usable = releases.filter(
      ({ isDeprecated, isPrerelease, releaseTimestamp }) =>
        !isDeprecated && !isPrerelease && releaseTimestamp !== undefined,
    );
    const days = usable.map((release) => viewDay(release).day!).sort(compareTexts);
    const newest = usable.filter((release) => viewDay(release).day === days.at(-1)).reverse();
    const versions = newest.map(({ version }) => version);
    return newest.slice(0, 1).map((first) => ({
      title,
      subject: formatList(versions, 2),
      ...viewDay(first),
      href: `${name}.html#${nameAnchor(first.version)}`,
    }));
  });
  return news.sort((a, b) => compareTexts(b.day!, a.day!)).slice(0, maxNews);
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

  if (latest === undefined) {
    return 3;
  }

  return lines.some(({ state }) => state === 'supported') ? 1 : 2;
}

function viewRow(component: Component, index: Index) {
  const { component: name, title, latest, releases } = component;
  const replacedBy = viewReplacement(component, index);
  const release = releases.find(({ version }) => version === latest);
  const days = new Set(releases.flatMap((each) => viewDay(each).day ?? []));
  const ages = [...days]
    .map((day) => countDays(day, index.asOf))
    .filter((age) => age >= 0 && age < 365);
  return {
    name,
    title,
    latest,
    instead: replacedBy && [replacedBy.title, replacedBy.version].filter(Boolean).join(' '),
    ...(release && viewDay(release)),
    dayCount: formatCount(ages.length, 'day'),
    ticks: ages.map((age) => `M${365 - age} 0v1`).join(''),
  };
}

/** Whether every source was checked, in a sentence. */
export function summariseFreshness({ components, freshness }: Index): string {
  const states = Map.groupBy(freshness.values(), ({ state }) => state);
  const stale = states.get('stale')?.length ?? 0;
  const held = states.get('held')?.length ?? 0;
  const parts = [
    stale > 0 && `${stale} of ${formatCount(components.length, 'component')} may be out of date.`,
    held > 0 &&
      `${formatCount(held, 'change')} of sources ${held === 1 ? 'waits' : 'wait'} for a decision.`,
  ];
  return parts.filter(Boolean).join(' ') || 'All sources were checked.';
}
