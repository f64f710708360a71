import type { RecordedRelease } from '../model/recorded.ts';

/** What a day's run changed in the recorded data of one component; versions, in the order of the file. */
export interface News {
  component: string;
  recorded: string[];
  withdrawn: string[];
  returned: string[];
  deprecated: string[];
  corrected: string[];
  /** Taken out by a person: no run ever does this. */
  removed: string[];
}

export const newsKinds = ['recorded', 'withdrawn', 'returned', 'deprecated', 'corrected', 'removed'] as const;

/** Undefined where nothing of it is news. */
export function newsOf(
  component: string,
  before: readonly RecordedRelease[],
  after: readonly RecordedRelease[],
): News | undefined {
  const old = new Map(before.map((release) => [release.version, release]));
  const now = new Set(after.map(({ version }) => version));
  const news: News = {
    component,
    recorded: [],
    withdrawn: [],
    returned: [],
    deprecated: [],
    corrected: [],
    removed: before.filter(({ version }) => !now.has(version)).map(({ version }) => version),
  };
  for (const release of after) {
    const known = old.get(release.version);
    if (!known) news.recorded.push(release.version);
    else for (const kind of changesOf(known, release)) news[kind].push(release.version);
  }
  return newsKinds.some((kind) => news[kind].length > 0) ? news : undefined;
}

function changesOf(before: RecordedRelease, after: RecordedRelease): Exclude<keyof News, 'component'>[] {
  const kinds: Exclude<keyof News, 'component'>[] = [];
  if (before.withdrawnSince === undefined && after.withdrawnSince !== undefined) kinds.push('withdrawn');
  if (before.withdrawnSince !== undefined && after.withdrawnSince === undefined) kinds.push('returned');
  if (before.deprecated === undefined && after.deprecated !== undefined) kinds.push('deprecated');
  if ((before.corrections?.length ?? 0) < (after.corrections?.length ?? 0) && kinds.length === 0)
    kinds.push('corrected');
  return kinds;
}
