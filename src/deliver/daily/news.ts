import { z } from 'zod';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';

const versions = z.array(z.string());

/** What a run changed in the recorded data of one component: versions, in the order of the file. */
export const News = z.object({
  component: z.string(),
  recorded: versions,
  withdrawn: versions,
  /** The definition no longer admits them. */
  'left out': versions,
  returned: versions,
  deprecated: versions,
  corrected: versions,
  /** Deleted by a person; no run ever does this. */
  removed: versions,
});
export type News = z.infer<typeof News>;
export type NewsKind = Exclude<keyof News, 'component'>;

export const newsKinds: readonly NewsKind[] = News.keyof().exclude(['component']).options;

/** Undefined where nothing changed that is news. */
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
    'left out': [],
    returned: [],
    deprecated: [],
    corrected: [],
    removed: before.filter(({ version }) => !now.has(version)).map(({ version }) => version),
  };
  for (const release of after) {
    for (const kind of newsOfRelease(old.get(release.version), release)) news[kind].push(release.version);
  }
  return newsKinds.some((kind) => news[kind].length > 0) ? news : undefined;
}

function newsOfRelease(before: RecordedRelease | undefined, after: RecordedRelease): NewsKind[] {
  if (!before) return ['recorded'];
  const kinds: NewsKind[] = [];
  const came = (key: 'withdrawnSince' | 'leftOutSince') =>
    before[key] === undefined && after[key] !== undefined;
  const went = (key: 'withdrawnSince' | 'leftOutSince') =>
    before[key] !== undefined && after[key] === undefined;
  if (came('withdrawnSince')) kinds.push('withdrawn');
  if (came('leftOutSince')) kinds.push('left out');
  if (went('withdrawnSince') || went('leftOutSince')) kinds.push('returned');
  if (before.deprecated === undefined && after.deprecated !== undefined) kinds.push('deprecated');
  const isCorrected = (before.corrections?.length ?? 0) < (after.corrections?.length ?? 0);
  return isCorrected && kinds.length === 0 ? ['corrected'] : kinds;
}
