/** The view of `index.html`: what ends, what is new, and every component. */
import { countDays, type Day } from '../../core/day.ts';
import type { Index } from '../load-index.ts';
import type { Component, Line } from '../../core/schema/published.ts';
import { formatCount, formatList } from '../../core/text.ts';
import { isOpen, nameAnchor, vulnerableLabel } from '../../core/words.ts';
import { describeSecurity, describeTarget, findComponent, summariseFreshness } from '../words.ts';
import { createRow, describeDay, findNewest, listNotes, viewEnd } from './line-view.ts';
import { layOutPicture } from './picture.ts';

const maxNews = 5;
const maxRows = 12;
/** Ends are due for so many days before and after. */
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
  const { title, description } = settings;
  const all = components.flatMap(listEnds).sort((a, b) => a.day.localeCompare(b.day));
  const ends = all.filter(({ line }) => isOpen(line));
  const ended = all.filter(
    ({ line, day }) => line.state === 'ended' && countDays(day, asOf) <= dueDays,
  );
  const due = ends.filter(({ day }) => countDays(asOf, day) <= dueDays);
  const actions = [
    ...ended.map((end) => ({ ...viewRow(end, index), tone: 'gone' })),
    ...components.flatMap(viewVulnerable),
    ...due.map((end) => viewRow(end, index)),
  ];
  const [first] = ends;
  return {
    title,
    description,
    count: formatCount(components.length, 'component'),
    question: first ? 'Is your version still supported?' : 'Which version do you run?',
    example: first && `${first.component.title} ${first.line.line}`,
    checks: listNotes({ ...summariseFreshness(index), url: 'status.html', link: 'Last checks' }),
    actions: actions.slice(0, maxRows),
    due: listNotes({
      text: actions.length > maxRows && `${actions.length - maxRows} more.`,
      url: 'support.ics',
      link: 'Calendar',
    }),
    hasEnds: all.length > 0 || actions.length > 0,
    released: listNewReleases(components),
    support: first && viewEnds(ends, index),
    groups: groupComponents(index, new Set(ends.map(({ component }) => component))),
  };
}

/** The ends of a component; one for lines of the same state that end together. */
function listEnds(component: Component): End[] {
  const groups = Map.groupBy(
    component.lines,
    ({ state, end, supportedUntilAtMost }) => `${state} ${end} ${supportedUntilAtMost}`,
  );
  return [...groups.values()].flatMap((lines) => {
    const line = lines.at(-1)!;
    const { state, supportedUntil, supportedUntilAtMost } = line;
    const days = [supportedUntil, supportedUntilAtMost].filter((day) => day !== undefined);
    // What may have ended is due; what ended did so at the latest possible day.
    const day = days.at(state === 'ended' ? -1 : 0);
    return day === undefined ? [] : { component, lines, line, day };
  });
}

function viewEnds(ends: readonly End[], index: Index) {
  const shown = ends.slice(0, maxRows);
  const bars = shown.map(({ component, lines, line }) => {
    const { since, sinceAtMost } = lines[0]!;
    const names = lines.map((each) => each.line);
    const releases = component.releases.filter((release) => names.includes(release.line));
    return createRow({ ...line, since, sinceAtMost }, releases);
  });
  const { tracks, ...picture } = layOutPicture(bars, index.asOf, { back: 2, ahead: 3 });
  return {
    picture,
    rows: shown.map((end, position) => ({ ...viewRow(end, index), track: tracks[position] })),
    more: ends.length > maxRows && formatCount(ends.length - maxRows, 'later end'),
  };
}

function viewRow({ component, lines, line }: End, index: Index) {
  const names = lines.map((each) => each.line);
  const isWhole = names.length > 1 && names.length === component.lines.length;
  const target = describeTarget(line, component, index);
  const end = viewEnd(line, index.asOf);
  return {
    title: component.title,
    subject: isWhole ? 'all versions' : formatList(names, 2),
    isInferred: line.isInferred,
    href: `${component.component}.html#line-${line.line}`,
    tone: end.tone,
    end,
    notes: listNotes({ text: target && `Move to ${target}${line.moveBy ? '' : ' now'}` }),
  };
}

/** A component whose latest release is affected by an advisory. */
function viewVulnerable({ component: name, title, latest, releases }: Component) {
  const release = releases.find(({ version }) => version === latest);
  return release?.label === vulnerableLabel
    ? {
        title,
        subject: release.version,
        isInferred: false,
        href: `${name}.html#${nameAnchor(release.version)}`,
        tone: 'gone',
        end: { text: 'vulnerable', asides: [] },
        notes: listNotes({ text: `${describeSecurity(release)} ${release.advice}` }),
      }
    : [];
}

/** The newest usable releases. */
function listNewReleases(components: readonly Component[]) {
  const usable = components.flatMap(({ component: name, title, releases }) =>
    releases
      .filter((each) => each.releaseTimestamp && !each.isDeprecated && !each.isPrerelease)
      .map((release) => ({ name, title, release, at: release.releaseTimestamp! })),
  );
  const newestFirst = usable.sort((a, b) => b.at.localeCompare(a.at));
  return newestFirst.slice(0, maxNews).map(({ name, title, release }) => ({
    title,
    subject: release.version,
    href: `${name}.html#${nameAnchor(release.version)}`,
    released: describeDay(release),
  }));
}

/** `ending`: components with an end, the soonest first. */
function groupComponents(index: Index, ending: ReadonlySet<Component>) {
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
      const { component: name, title, latest, replacedBy } = component;
      const release = findNewest(component);
      const successor = findComponent(replacedBy, index);
      const replacement = successor && `replaced by ${successor.title} ${successor.latest ?? ''}`;
      const note = latest === undefined && (replacement ?? release?.label.toLowerCase());
      return { name, title, newest: release?.version, note: note || describeDay(release) };
    }),
  }));
  return views.filter(({ rows }) => rows.length > 0);
}
