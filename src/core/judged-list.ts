/** What became of a list of versions in use, in the same order and words everywhere. No zod and no Node: pages load it. */
import { describeObstacle, type Entry, type Match } from './index/verdicts.ts';
import type { Verdict } from './schema/documents.ts';
import { formatList } from './text.ts';
import { vulnerableLabel } from './words.ts';

type Matched<E> = E & { readonly match: Match };
type Judged<E> = E & { readonly match: { readonly verdict: Verdict } };

/** What became of the entries of a list. */
export interface JudgedList<E extends Entry = Entry> {
  /** What is due first on top. */
  readonly judged: readonly (Matched<E> & Judged<E>)[];
  /** Of this index, and without a verdict. */
  readonly unjudged: readonly Matched<E>[];
  /** Not of this index. */
  readonly others: readonly E[];
  readonly notRead: readonly string[];
  /** Of all these. */
  readonly total: number;
}

export function sortEntries<E extends Entry>(
  entries: readonly E[],
  notRead: readonly string[],
): JudgedList<E> {
  const isMatched = (entry: E): entry is Matched<E> => entry.match !== undefined;
  const isJudged = (entry: Matched<E>): entry is Matched<E> & Judged<E> =>
    entry.match.verdict !== undefined;
  const matched = entries.filter(isMatched);
  return {
    judged: matched
      .filter(isJudged)
      .sort((a, b) => compareUrgency(a.match.verdict, b.match.verdict)),
    unjudged: matched.filter((entry) => !isJudged(entry)),
    others: entries.filter((entry) => !isMatched(entry)),
    notRead,
    total: entries.length + notRead.length,
  };
}

/** What is due first: now, by a day, then what is supported until a day, and what has no end. */
function compareUrgency(a: Verdict, b: Verdict): number {
  const [first, second] = [findUrgency(a), findUrgency(b)];
  return first.rank - second.rank || first.day.localeCompare(second.day);
}

function findUrgency(verdict: Verdict) {
  const { moveBy = '', supportedUntil, supportedUntilAtMost = '9999' } = verdict;
  return isDue(verdict)
    ? { rank: 0, day: moveBy }
    : { rank: 1, day: supportedUntil ?? supportedUntilAtMost };
}

/** Also what is vulnerable with nothing to move to. */
export function isDue({ moveReason, label }: Partial<Verdict> = {}): boolean {
  return moveReason !== undefined || label === vulnerableLabel;
}

/** Nobody shall take a list for judged of which nothing has a verdict and most was not understood. A list of other packages is read. */
export function isUnread({ judged, others, total }: JudgedList): boolean {
  const isOfOthers = others.length > 0 && total <= 2 * others.length;
  return judged.length === 0 && !isOfOthers;
}

/** What was judged, what is not of this index, and what was not read. */
export function describeList({ judged, unjudged, others, notRead, total }: JudgedList): string {
  const list = (heading: string, texts: readonly string[]) =>
    texts.length > 0 ? [`${heading}: ${formatList(texts, 20)}.`] : [];
  const sentences = [
    `${judged.length} of ${total} judged.`,
    ...list('No verdict', unjudged.map(explainUnjudged)),
    ...list(
      'Not in this index',
      others.map(({ item }) => item.text),
    ),
    ...list('Not read', notRead),
  ];
  if (judged.length + others.length === 0) {
    sentences.push(
      'Expected lines ("name 1.2.3"), package URLs, images (docker compose config --images), a table with columns, a lock file, or a bill of materials as JSON: use.html lists all.',
    );
  }
  return sentences.join(' ');
}

function explainUnjudged(entry: Entry): string {
  return `${entry.item.text} (${describeObstacle(entry).replace(/\.$/, '')})`;
}
