import { z } from 'zod';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import { counted } from '../../core/text.ts';

const versions = z.array(z.string());

/** The changes of a run to the recorded data of one component: versions, in the order of the file. */
export const News = z.object({
  component: z.string(),
  recorded: versions,
  withdrawn: versions,
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

const correctedKeys = [
  'releaseTimestamp',
  'timestampKind',
  'changelogUrl',
  'deprecated',
  'isPrerelease',
  'republished',
] as const satisfies readonly (keyof RecordedRelease)[];

function newsOfRelease(before: RecordedRelease | undefined, after: RecordedRelease): NewsKind[] {
  if (!before) return ['recorded'];
  const kinds: NewsKind[] = [];
  const isSet = (key: 'withdrawnSince' | 'deprecated') =>
    before[key] === undefined && after[key] !== undefined;
  if (isSet('withdrawnSince')) kinds.push('withdrawn');
  if (before.withdrawnSince !== undefined && after.withdrawnSince === undefined) kinds.push('returned');
  if (isSet('deprecated')) kinds.push('deprecated');
  const isCorrected = correctedKeys.some((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  return isCorrected && kinds.length === 0 ? ['corrected'] : kinds;
}

/** The usual limit for the subject of a commit. */
const maxSubjectLength = 72;

const verbs: Record<NewsKind, string> = {
  recorded: 'record',
  withdrawn: 'withdraw',
  returned: 'take back',
  deprecated: 'deprecate',
  corrected: 'correct',
  removed: 'remove',
};

/** The subject sums up the changes, and the body lists all of them. */
export function commitMessage(news: readonly News[], components: number): string {
  if (news.length === 0) return `Check ${counted(components, 'component')}: nothing new\n`;
  const named = subjectOf(news, nameVersions);
  const subject = named.length <= maxSubjectLength ? named : subjectOf(news, countVersions);
  return `${subject}\n\n${news.map(bodyLine).join('\n')}\n`;
}

function subjectOf(news: readonly News[], describe: typeof nameVersions): string {
  const parts = newsKinds.flatMap((kind) => {
    const concerned = news.filter((item) => item[kind].length > 0);
    return concerned.length === 0 ? [] : `${verbs[kind]} ${describe(concerned, kind)}`;
  });
  const text = parts.join('; ');
  return text[0]!.toUpperCase() + text.slice(1);
}

function nameVersions(news: readonly News[], kind: NewsKind): string {
  return news.map((item) => `${item.component} ${item[kind].map(plain).join(', ')}`).join(', ');
}

function countVersions(news: readonly News[], kind: NewsKind): string {
  const count = news.reduce((sum, item) => sum + item[kind].length, 0);
  return `${counted(count, 'release')} of ${news.length === 1 ? news[0]!.component : counted(news.length, 'component')}`;
}

function bodyLine(item: News): string {
  const parts = newsKinds
    .filter((kind) => item[kind].length > 0)
    .map((kind) => `${kind} ${item[kind].map(plain).join(', ')}`);
  // As a list item, the line is not read as a trailer.
  return `- ${item.component}: ${parts.join('; ')}`;
}

/** Hosts act on some texts in a message: `[skip ci]`, `@someone`, `closes #1`. A version must not contain one. */
function plain(version: string): string {
  return version.replaceAll(/[^\w.+~!: -]/g, '?');
}
