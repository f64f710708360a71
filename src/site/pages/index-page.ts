/** The view of `index.html`: what ends, what is new, and every component. */
import { countDays } from '../../core/day.ts';
import type { Index } from '../load-index.ts';
import type { Component } from '../../core/schema/published.ts';
import { formatCount, formatList } from '../../core/text.ts';
import { isOpen, nameAnchor, vulnerableLabel } from '../../core/words.ts';
import { describeSecurity, describeTarget, findComponent, summariseFreshness } from '../words.ts';
import { describeDay, findNewest, listNotes, viewEnd } from './line-view.ts';
import { layOutPicture } from './picture.ts';

const maxNews = 5;
const maxRows = 12;
/** Ends are due for so many days before and after. */
const dueDays = 90;

export function viewIndex(index: Index) {
  const { asOf, settings, components } = index;
  const { title, description } = settings;
  const all = components.flatMap((component) => listEnds(component, index));
  all.sort((a, b) => a.day.localeCompare(b.day));
  const ends = all.filter(({ line }) => isOpen(line));
  const ended = all.filter(
    ({ line, day }) => line.state === 'ended' && countDays(day, asOf) <= dueDays,
  );
  const due = ends.filter(({ day }) => countDays(asOf, day) <= dueDays);
  const actions = [...ended, ...components.flatMap(viewVulnerable), ...due];
  const shown = ends.slice(0, maxRows);
  const { tracks, ...picture } = layOutPicture(shown, asOf, 3);
  const [first] = ends;
  return {
    title,
    description,
    count: formatCount(components.length, 'component'),
    example: first ? `${first.title} ${first.line.line}` : '',
    checks: listNotes({ ...summariseFreshness(index), url: 'status.html', link: 'Last checks' }),
    actions: actions.slice(0, maxRows),
    due: listNotes({
      text: actions.length > maxRows && `${actions.length - maxRows} more.`,
      url: 'support.ics',
      link: 'Calendar',
    }),
    hasEnds: all.length > 0 || actions.length > 0,
    released: listNewReleases(components),
    support: first && {
      picture,
      rows: shown.map((end, position) => ({ ...end, track: tracks[position] })),
      more: ends.length > maxRows && formatCount(ends.length - maxRows, 'later end'),
    },
    components: listComponents(index),
  };
}

/** The ends of a component, as rows; one for lines of the same state that end together. */
function listEnds(component: Component, index: Index) {
  const groups = Map.groupBy(
    component.lines,
    ({ state, end, supportedUntilAtMost }) => `${state} ${end} ${supportedUntilAtMost}`,
  );
  return [...groups.values()].flatMap((lines) => {
    const newest = lines.at(-1)!;
    const { line: name, state, supportedUntil, supportedUntilAtMost, isInferred } = newest;
    const days = [supportedUntil, supportedUntilAtMost].filter((day) => day !== undefined);
    // What may have ended is due; what ended did so at the latest possible day.
    const day = days.at(state === 'ended' ? -1 : 0);
    if (day === undefined) {
      return [];
    }

    const { since, sinceAtMost } = lines[0]!;
    const names = lines.map(({ line }) => line);
    const isWhole = names.length > 1 && names.length === component.lines.length;
    const target = describeTarget(newest, component, index);
    const end = viewEnd(newest, index.asOf);
    return {
      day,
      line: { ...newest, since, sinceAtMost },
      releases: component.releases.filter(({ line }) => names.includes(line)),
      title: component.title,
      subject: isWhole ? 'all versions' : formatList(names, 2),
      isInferred,
      href: `${component.component}.html#line-${name}`,
      tone: state === 'ended' ? 'gone' : end.tone,
      end,
      notes: listNotes({ text: target && `Move to ${target}${newest.moveBy ? '' : ' now'}` }),
    };
  });
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

function listComponents(index: Index) {
  const byTitle = index.components.toSorted((a, b) => a.title.localeCompare(b.title, 'en'));
  return byTitle.map((component) => {
    const { component: name, title, latest, replacedBy } = component;
    const release = findNewest(component);
    const successor = findComponent(replacedBy, index);
    const replacement = successor && `replaced by ${successor.title} ${successor.latest ?? ''}`;
    const note = latest === undefined && (replacement ?? release?.label.toLowerCase());
    return { name, title, newest: release?.version, note: note || describeDay(release) };
  });
}
