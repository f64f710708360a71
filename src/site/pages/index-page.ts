/** Creates the view of `index.html`: ends of support, new releases, and every component. */
import { nameAnchor } from '../../core/anchors.ts';
import { countDays } from '../../core/day.ts';
import {
  describeDay,
  describeFault,
  findLatestEnd,
  findWords,
  describeUntil,
  isOpen,
  markEstimated,
  vulnerableLabel,
} from '../../core/phrases.ts';
import type { Component, Line } from '../../core/schema/published.ts';
import { formatCount, formatList, formatNumber, joinList } from '../../core/text.ts';
import { describeSecurity, describeTarget, groupByEnd } from '../descriptions.ts';
import type { News } from '../documents/changes.ts';
import { summariseFreshness } from '../freshness.ts';
import { findComponent, type Index } from '../load-index.ts';
import { findHead, listRemarks, viewEnd } from './component-page.ts';
import { layOutPicture } from './picture.ts';

/**
 * The home page shows at least this many new releases. If its list of components that need action has more rows, it shows as many new
 * releases as this list has rows. So both columns have the same height.
 */
const minNews = 5;
/** The home page lists at most this many components that need action. `status.html` lists all of them, and has a row for each action. */
const maxActions = 10;
const maxRows = 12;
/** A line needs action within this many days before and after its end of support. */
const dueDays = 90;

/** Returns the view. `all`: the result of `listAllEnds`. `actions`: the result of `listActions`. `news`: the newest first. */
export function viewIndex(
  index: Index,
  all: ReturnType<typeof listAllEnds>,
  actions: readonly Action[],
  news: readonly News[],
) {
  const { asOf, components } = index;
  const ends = all.filter(({ line }) => isOpen(line));
  // Releases are selected only for the rows that are shown, because a large index has 100,000 releases.
  const shown = ends.slice(0, maxRows).map((row) => {
    const { releases } = row.component;
    const mark = describeFault(row.line)?.toLowerCase();
    return { ...row, mark, releases: releases.filter(({ line }) => row.names.includes(line)) };
  });
  const { rows, ...picture } = layOutPicture(shown, asOf, 3);
  const [first] = ends;
  const shownActions = joinActions(actions).slice(0, maxActions);
  const { isWhole, text } = summariseFreshness(index.freshness);
  return {
    count: formatCount(components.length, 'component'),
    hasImages: components.some(({ sources }) =>
      sources.some(({ datasource }) => datasource === 'docker'),
    ),
    example: first ? `${first.title} ${first.line.line}` : '',
    checks: listRemarks(
      {
        kind: isWhole ? 'note' : 'until tone-soon',
        text,
        url: 'status.html',
        link: 'Last checks',
      },
      { text: describeOrigin(index) },
    ),
    actions: shownActions,
    rest: actions.length > shownActions.length && actions.length,
    released: listReleased(news, index, Math.max(minNews, shownActions.length)),
    support: first && { picture, rows },
    groups: groupComponents(index),
  };
}

/** Says how many releases people have entered, and since when runs have recorded releases. Empty if every release has a source. */
function describeOrigin({ components, runs }: Index): string {
  const releases = components.flatMap((component) => component.releases);
  const entered = releases.filter(({ sources }) => sources.length === 0).length;
  if (entered === 0) {
    return '';
  }

  const all = formatCount(releases.length, 'release');
  const origin = `People entered ${formatNumber(entered)} of ${all} from the pages of their vendors.`;
  const [first] = runs;
  return first ? `${origin} Runs record new releases since ${first.asOf}.` : origin;
}

/** Lists the ends of support of all lines, the earliest first. */
export function listAllEnds(index: Index) {
  const all = index.components.flatMap((component) => listEnds(component, index));
  return all.sort((a, b) => a.day.localeCompare(b.day));
}

/** Lists what needs action: vulnerable releases, then lines that end next, then lines that ended last. */
export function listActions(
  { asOf, components }: Index,
  all: ReturnType<typeof listAllEnds>,
): Action[] {
  const due = all.filter(
    ({ component, line, day }) =>
      isOpen(line) && countDays(asOf, day) <= dueDays && !isUndated(line, component),
  );
  const ended = all.filter(
    ({ line, day }) => line.state === 'ended' && countDays(day, asOf) <= dueDays,
  );
  return [
    ...components.flatMap(listVulnerable),
    ...due.map((end) => ({ ...end, kind: 'due' as const })),
    ...ended
      .sort((a, b) => b.day.localeCompare(a.day))
      .map((end) => ({ ...end, kind: 'ended' as const })),
  ];
}

/** Tells whether a line is the newest, and its end is unknown. It needs no action, because there is no newer line to move to. */
function isUndated({ line, state, supportedUntil }: Line, { lines }: Component): boolean {
  const isNewest = line === lines.at(-1)?.line;
  return isNewest && state === 'may-have-ended' && supportedUntil === undefined;
}

export interface Action {
  readonly kind: 'vulnerable' | 'due' | 'ended';
  readonly component: Component;
  /** The names of the lines or releases that need action. */
  readonly names: readonly string[];
  readonly title: string;
  readonly subject: string;
  readonly href: string;
  readonly tone: string;
  readonly until: { readonly text: string };
  readonly remarks: ReturnType<typeof listRemarks>;
}

/** Joins the actions of each component into one row. The row takes the place of the component's first action. */
function joinActions(actions: readonly Action[]): Action[] {
  const byComponent = Map.groupBy(actions, ({ component }) => component);
  return Array.from(byComponent.values(), joinActionsOfOne);
}

/** A row names at most this many vulnerable releases. Further releases are only counted. */
const maxVulnerable = 3;

/**
 * Joins the actions of a component into one row. The row shows the next end of support. If all lines have ended, it shows the last end. It
 * also names the vulnerable releases.
 */
function joinActionsOfOne(actions: readonly Action[]): Action {
  const first = actions[0]!;
  if (actions.length === 1) {
    return first;
  }

  const { vulnerable = [], due = [], ended = [] } = Object.groupBy(actions, ({ kind }) => kind);
  const end = due[0] ?? ended[0];
  const versions = vulnerable.map(({ subject }) => subject);
  const lines = nameLines(vulnerable, [...ended.toReversed(), ...due]);
  const hasSeveral = due.length + ended.length > 1;
  const until = end && (hasSeveral ? `${end.subject} ${end.until.text}` : end.until.text);
  const over = due.length > 0 ? ended.flatMap(({ names }) => names) : [];
  return {
    ...(end ?? first),
    href: first.href,
    tone: first.tone,
    subject: [formatList(versions, maxVulnerable), lines].filter(Boolean).join(', '),
    until: {
      ...end?.until,
      text: [vulnerable[0]?.until.text, until].filter(Boolean).join(', '),
    },
    remarks: [
      ...vulnerable.slice(0, maxVulnerable).flatMap(({ remarks }) => remarks),
      ...listRemarks({
        text: [
          over.length > 0 ? `${formatList(over, 2)} ended.` : '',
          // If a release is vulnerable, the row already has the advice to leave it. This advice is more urgent than the advice for the end
          // of support, so the latter is left out.
          ...(vulnerable.length > 0 ? [] : end!.remarks.map(({ text }) => text)),
        ]
          .filter(Boolean)
          .join(' '),
      }),
    ],
  };
}

/** Names up to two lines that end, or counts them: `3 lines`. Leaves out a line whose vulnerable release is already in the row. */
function nameLines(vulnerable: readonly Action[], ends: readonly Action[]): string {
  const named = vulnerable.flatMap(({ names }) => names);
  const rows = ends.filter(({ names }) => !names.every((name) => named.includes(name)));
  if (rows.length === 1) {
    return rows[0]!.subject;
  }

  const names = rows.flatMap((row) => row.names);
  return names.length > 2 ? formatCount(names.length, 'line') : names.join(', ');
}

const allVersions = 'all versions';

/** Lists the ends of support of a component's lines. Lines that end together share a row. */
function listEnds(component: Component, index: Index) {
  return groupByEnd(component).map(({ lines, oldest, newest, day }) => {
    const { line: name, state, isInferred } = newest;
    const names = lines.map(({ line }) => line);
    const isWhole = names.length > 1 && names.length === component.lines.length;
    const target = describeTarget(newest, component, index);
    const when = newest.moveBy ? '' : ' now';
    // Lines that end together have the same state, but only some of them may be vulnerable. If one line is vulnerable, the row gets the
    // label of this line.
    const { label } = lines.find((line) => line.label === vulnerableLabel) ?? newest;
    const until = viewEnd({ ...newest, label });
    return {
      // An ended line is listed under its latest possible end. Any other line is listed under its earliest possible end, because users plan
      // with this day.
      day: (state === 'ended' && findLatestEnd(newest)) || day,
      // The bar of a joint row begins with its oldest line.
      line: { ...newest, label, since: oldest.since, sinceAtMost: oldest.sinceAtMost },
      component,
      names,
      title: component.title,
      subject: isWhole ? allVersions : formatList(names, 2),
      isInferred,
      href: `${component.component}.html#line-${name}`,
      // In this list, an ended line needs action, so it gets a stronger tone than on the component's page.
      tone: state === 'ended' ? 'gone' : until.tone,
      until,
      remarks: listRemarks({ text: target && `Move to ${target}${when}` }),
    };
  });
}

/** Lists lines that have not ended, but whose newest release is vulnerable. The newest line comes first. */
function listVulnerable(component: Component): Action[] {
  const { component: name, title, latest, lines, releases } = component;
  const vulnerable = lines.filter(
    ({ label, state, latest: newest }) =>
      // A line without a given end of support is listed only if it has the component's latest version.
      label === vulnerableLabel && (state !== 'no-promise' || newest === latest),
  );
  return vulnerable.reverse().map((line) => {
    const release = releases.find(({ version }) => version === line.latest)!;
    const { version } = release;
    const { advice } = findWords(release, lines);
    const several = vulnerable.length > 1 ? `${version}: ` : '';
    return {
      kind: 'vulnerable',
      component,
      names: [line.line],
      title,
      subject: version,
      href: `${name}.html#${nameAnchor(version)}`,
      tone: 'gone',
      until: { text: 'vulnerable' },
      remarks: listRemarks({ text: `${several}${describeSecurity(release)} ${advice}` }),
    };
  });
}

/** Lists the newest stable releases that are not deprecated, in the order of `changes.html`. */
function listReleased(news: readonly News[], index: Index, count: number) {
  const rows = [];
  for (const { type, component: name, version } of news) {
    const component = type === 'released' && findComponent(name, index);
    const release = component && component.releases.find((each) => each.version === version);
    if (release && !release.isDeprecated && !release.isPrerelease) {
      const line = component.lines.find((each) => each.line === release.line)!;
      rows.push({
        title: component.title,
        subject: release.version,
        href: `${name}.html#${nameAnchor(release.version)}`,
        released: describeDay(release),
        remarks: listRemarks({
          text: [`Support: ${markEstimated(line.end, line.isInferred)}.`, describeSecurity(release)]
            .filter(Boolean)
            .join(' '),
        }),
      });
    }
    if (rows.length === count) {
      break;
    }
  }
  return rows;
}

const headings = {
  noEnd: 'No end stated',
  unsupported: 'No supported version',
  noRelease: 'No release known yet',
};

/** Groups components. The first group has no heading. Its components have a known end of support that is still to come. */
function groupComponents(index: Index) {
  const byTitle = index.components.toSorted((a, b) => a.title.localeCompare(b.title, 'en'));
  const groups = Map.groupBy(byTitle, findHeading);
  return [undefined, ...Object.values(headings)].flatMap((heading) => {
    const group = groups.get(heading);
    return group ? { heading, ...addLetters(listRows(group, index)) } : [];
  });
}

/** The smallest number of components for which the list has letters to jump to. */
const minLettered = 60;

/** Adds an anchor to the first row of each letter. A link above the list leads to this row. */
function addLetters<R extends { readonly name: string; readonly title: string }>(
  rows: readonly R[],
) {
  if (rows.length < minLettered) {
    return { rows };
  }

  const firsts = new Map(rows.toReversed().map((row) => [findLetter(row.title), row]));
  const letters = Array.from(firsts, ([letter, { name }]) => ({ letter, anchor: `at-${name}` }));
  return {
    letters: letters.sort((a, b) => a.letter.localeCompare(b.letter, 'en')),
    rows: rows.map((row) => ({
      ...row,
      anchor: firsts.get(findLetter(row.title)) === row && `at-${row.name}`,
    })),
  };
}

/** Returns the letter of a title: `E` for `Élan`, and `#` if the title doesn't begin with a Latin letter. */
function findLetter(title: string): string {
  const [letter = ''] = title.normalize('NFD').toUpperCase();
  return /[A-Z]/.test(letter) ? letter : '#';
}

function findHeading(component: Component): string | undefined {
  if (component.lines.some((line) => isOpen(line) && describeUntil(line))) {
    return undefined;
  }

  const head = findHead(component);
  if (!head) {
    return headings.noRelease;
  }
  return isOpen(head) ? headings.noEnd : headings.unsupported;
}

/** Returns `replaced by Edge node 21.5`, or `split into Orders 1.2 and Billing 3.0`. */
function describeReplacement(
  { replacedBy, splitInto = [] }: Component,
  index: Index,
): string | undefined {
  const names = [replacedBy, ...splitInto].flatMap((name) => {
    const successor = findComponent(name, index);
    return successor ? `${successor.title} ${successor.latest ?? ''}`.trim() : [];
  });
  if (names.length === 0) {
    return undefined;
  }
  return `${names.length > 1 ? 'split into' : 'replaced by'} ${joinList(names)}`;
}

function listRows(components: readonly Component[], index: Index) {
  return components.map((component) => {
    const { component: name, title, description, latest, lines } = component;
    const release = findHead(component);
    const replacement = describeReplacement(component, index);
    const isPreview = release?.isPrerelease && isOpen(release);
    const state = release && findWords(release, lines).label.toLowerCase();
    const remark =
      latest === undefined ? (replacement ?? (isPreview ? 'prerelease' : state)) : undefined;
    return { name, title, description, newest: release?.version, remark };
  });
}
