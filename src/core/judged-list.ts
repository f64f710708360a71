/** What became of a list of versions in use, in the same order and words everywhere. No zod and no Node: pages load it. */
import { describeObstacle, type Entry, type Match } from './index/verdicts.ts';
import type { Verdict } from './schema/documents.ts';
import { formatList } from './text.ts';
import { parseVersion } from './version.ts';
import { vulnerableLabel } from './words.ts';

type Matched<E> = E & { readonly match: Match };
type Judged<E> = E & { readonly match: Match & { readonly verdict: Verdict } };

/** What became of the entries of a list. */
export interface JudgedList<E extends Entry = Entry> {
  /** What is due first on top. */
  readonly judged: readonly Judged<E>[];
  /** Of this index, and without a verdict. */
  readonly unjudged: readonly Matched<E>[];
  /** Without a name, or without a version that could be judged: first what may be of this index. */
  readonly unversioned: readonly E[];
  /** Versions that are not of this index. */
  readonly others: readonly E[];
  readonly notRead: readonly string[];
  /** What is or may be of this index and has no verdict, and what was not read: the list is not judged as a whole. */
  readonly gaps: readonly string[];
  /** Of all these. */
  readonly total: number;
}

export function sortEntries<E extends Entry>(
  entries: readonly E[],
  notRead: readonly string[],
): JudgedList<E> {
  const kinds = Map.groupBy(entries, findKind);
  const take = (kind: ReturnType<typeof findKind>) => kinds.get(kind) ?? [];
  const judged = take('judged') as Judged<E>[];
  const unjudged = take('unjudged') as Matched<E>[];
  const uncertain = take('uncertain');
  return {
    judged: judged.sort((a, b) =>
      rankUrgency(a.match.verdict).localeCompare(rankUrgency(b.match.verdict)),
    ),
    unjudged,
    unversioned: [...uncertain, ...take('unversioned')],
    others: take('other'),
    notRead,
    gaps: [...[...unjudged, ...uncertain].map(({ item }) => item.text), ...notRead],
    total: entries.length + notRead.length,
  };
}

function findKind({ item: { name, purl, version }, match, namesake }: Entry) {
  if (match) {
    return match.verdict ? 'judged' : 'unjudged';
  }
  if (namesake !== undefined || !(purl ?? name)) {
    return 'uncertain';
  }
  return parseVersion(version ?? '') ? 'other' : 'unversioned';
}

/** A text that is sorted by what is due first: now, by a day, then what is supported until a day, and what has no end. */
function rankUrgency(verdict: Verdict): string {
  const { moveBy = '', supportedUntil, supportedUntilAtMost = '9999' } = verdict;
  return isDue(verdict) ? `0 ${moveBy}` : `1 ${supportedUntil ?? supportedUntilAtMost}`;
}

/** Also what is vulnerable with nothing to move to. */
export function isDue({ moveReason, label }: Partial<Verdict> = {}): boolean {
  return moveReason !== undefined || label === vulnerableLabel;
}

/** How many were judged, what has no verdict, what is not of this index, and what was not read. */
export function describeList(entries: JudgedList): string {
  const { judged, unjudged, unversioned, others, notRead, total } = entries;
  const list = (heading: string, texts: readonly string[]) =>
    texts.length > 0 ? [`${heading}: ${formatList(texts, 20)}.`] : [];
  const sentences = [
    `${judged.length} of ${total} judged.`,
    ...list('No verdict', [...unjudged, ...unversioned].map(explainUnjudged)),
    ...list(
      'Not in this index',
      others.map(({ item }) => item.text),
    ),
    ...list('Not read', notRead),
  ];
  if (total === notRead.length) {
    sentences.push(
      'Expected lines ("name 1.2.3"), package URLs, images (docker compose config --images), a table with columns, a lock file, or a bill of materials as JSON: use.html lists all.',
    );
  }
  return sentences.join(' ');
}

function explainUnjudged(entry: Entry): string {
  return `${entry.item.text} (${describeObstacle(entry).replace(/\.$/, '')})`;
}
