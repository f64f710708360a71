import { addDays, type Day, newestFirst } from '../core/dates.ts';
import type { Change, ChangeKind } from './change.ts';
import type { ComponentSummary } from './component.ts';
import { counted, listed } from '../core/text.ts';
import { releasedLately, type ReleasedLately } from './recent.ts';

/** What happened to a component on a day: releases that came out, or a change. */
export interface IndexNews {
  readonly day: Day;
  readonly component: string;
  readonly title: string;
  readonly kind: ChangeKind | 'released';
  /** Those that came out, the greatest first. */
  readonly released: readonly ReleasedLately[];
  /** Of a change: what happened, in a whole sentence. */
  readonly text: string;
  /** Of a change: the newest of those that it is about. */
  readonly change?: Change;
}

/** More changes of a component than this that are of one kind and day are told in one sentence. */
const maxApart = 3;

/** How late an index that asks every day may be, and a day that upstream states. */
const soonDays = 7;

/**
 * Releases by the day on which they came out, and changes by the day on which the index showed them, newest day first; those of
 * a day by component. Of a release that came out and soon was added, only one of the two is told: that it was added, where it
 * was deprecated at once, and else that it came out.
 */
export function indexNews(summaries: readonly ComponentSummary[], changes: readonly Change[]): IndexNews[] {
  const titles = new Map(summaries.map(({ name, definition }) => [name, definition.title]));
  const releases = releasedLately(summaries);
  const soonAdded = soonAdditions(releases, changes);
  const ofReleases = groups(
    releases.filter((release) => soonAdded.get(keyOf(release))?.rule === undefined),
    ({ day, component }) => `${day} ${component}`,
  ).map(releaseNews);
  const ofChanges = groups(
    changes.filter((change) => soonAdded.get(keyOf(change)) !== change || change.rule !== undefined),
    ({ on, component, kind, line, rule }) =>
      `${on} ${component} ${kind} ${line !== undefined} ${rule !== undefined}`,
  ).flatMap((group) =>
    group.length > maxApart
      ? [changeNews(group, titles)]
      : group.map((change) => changeNews([change], titles)),
  );
  return [...ofReleases, ...ofChanges].sort(
    (a, b) =>
      newestFirst(a.day, b.day) || (a.component < b.component ? -1 : Number(a.component > b.component)),
  );
}

/** Under component and version: that a release was added on the day on which it came out, or soon after. */
function soonAdditions(releases: readonly ReleasedLately[], changes: readonly Change[]): Map<string, Change> {
  const days = new Map(releases.map((release) => [keyOf(release), release.day]));
  const isSoon = (change: Change) => {
    const day = days.get(keyOf(change));
    return change.kind === 'added' && day !== undefined && day >= addDays(change.on, -soonDays);
  };
  return new Map(changes.filter(isSoon).map((change) => [keyOf(change), change]));
}

function keyOf({ component, version = '' }: { component: string; version?: string }): string {
  return `${component} ${version}`;
}

function groups<T>(items: readonly T[], key: (item: T) => string): T[][] {
  return [...Map.groupBy(items, key).values()];
}

function releaseNews(released: readonly ReleasedLately[]): IndexNews {
  const { day, component, title } = released[0]!;
  return { day, component, title, kind: 'released', released, text: '' };
}

const happened: Readonly<Record<ChangeKind, string>> = {
  added: 'were added to the index',
  corrected: 'were corrected',
  deprecated: 'are deprecated',
  'left out': 'were left out, as the definition no longer admits them',
  republished: 'were republished under the same version',
  returned: 'are listed again',
  supported: 'are supported again',
  withdrawn: 'were withdrawn',
};

function changeNews(changes: readonly Change[], titles: ReadonlyMap<string, string>): IndexNews {
  const change = changes[0]!;
  const { on: day, component, kind, line, rule, text } = change;
  const names = [...new Set(changes.flatMap((each) => each.version ?? each.line ?? []))];
  const what = counted(changes.length, line === undefined ? 'release' : 'release line');
  const fate = kind === 'added' && rule !== undefined ? ' and are deprecated' : '';
  return {
    day,
    component,
    title: titles.get(component) ?? component,
    kind,
    released: [],
    text: changes.length === 1 ? text : `${what} ${happened[kind]}${fate}: ${listed(names, 5)}.`,
    change,
  };
}
