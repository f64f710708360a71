/** What became of a list of versions in use, in the same order and words everywhere. No zod and no Node: pages load it. */
import { describeObstacle, type Entry, type Match } from './index/verdicts.ts';
import type { Verdict } from './schema/documents.ts';
import { formatList } from './text.ts';
import { vulnerableLabel } from './words.ts';

type Matched<E> = E & { readonly match: Match };

/** What became of the entries of a list. */
export interface Reading<E extends Entry = Entry> {
  /** What is due first on top; last, what has no verdict. */
  readonly matched: readonly Matched<E>[];
  /** Not of this index. */
  readonly others: readonly E[];
  readonly notRead: readonly string[];
}

export function sortReading<E extends Entry>(
  entries: readonly E[],
  notRead: readonly string[],
): Reading<E> {
  const isMatched = (entry: E): entry is Matched<E> => entry.match !== undefined;
  return {
    matched: entries.filter(isMatched).sort((a, b) => compareUrgency(a.match, b.match)),
    others: entries.filter((entry) => !isMatched(entry)),
    notRead,
  };
}

/** What is due first: now, by a day, then what is supported until a day, what has no end, and what has no version. */
function compareUrgency(a: Match, b: Match): number {
  const [first, second] = [findUrgency(a), findUrgency(b)];
  return first.rank - second.rank || first.day.localeCompare(second.day);
}

function findUrgency({ verdict }: Match) {
  if (!verdict) {
    return { rank: 2, day: '' };
  }

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
export function isUnread({ matched, others, notRead }: Reading): boolean {
  const unread = matched.length + notRead.length;
  const isJudged = matched.some(({ match }) => match.verdict);
  return !isJudged && (unread > others.length || others.length === 0);
}

/** What was judged, what is not of this index, and what was not read. */
export function describeReading({ matched, others, notRead }: Reading): string {
  const unjudged = matched.filter(({ match }) => !match.verdict);
  const judged = matched.length - unjudged.length;
  const total = matched.length + others.length + notRead.length;
  const list = (heading: string, texts: readonly string[]) =>
    texts.length > 0 ? [`${heading}: ${formatList(texts, 20)}.`] : [];
  const sentences = [
    `${judged} of ${total} judged.`,
    ...list('No verdict', unjudged.map(explainUnjudged)),
    ...list(
      'Not in this index',
      others.map(({ item }) => item.text),
    ),
    ...list('Not read', notRead),
  ];
  if (judged + others.length === 0) {
    sentences.push(
      'Expected lines ("name 1.2.3"), package URLs, images (docker compose config --images), a table with columns, a lock file, or a bill of materials as JSON: use.html lists all.',
    );
  }
  return sentences.join(' ');
}

function explainUnjudged(entry: Entry): string {
  return `${entry.item.text} (${describeObstacle(entry).replace(/\.$/, '')})`;
}
