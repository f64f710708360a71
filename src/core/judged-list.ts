/** What became of a list of versions in use, in the same order and words everywhere. No zod and no Node: pages load it. */
import { describeObstacle, type Entry, type Match } from './index/verdicts.ts';
import type { Verdict } from './schema/documents.ts';
import { formatCount, formatList } from './text.ts';
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

/**
 * How many were judged, what has no verdict, what is not of this index, and what was not read. `url`: of the site, for a reader who is
 * not on its pages.
 */
export function describeList(list: JudgedList, url?: string): string {
  const { judged, unjudged, unversioned, others, notRead, total } = list;
  const name = (heading: string, texts: readonly string[]) =>
    texts.length > 0 ? [`${heading}: ${formatList(texts, 20)}.`] : [];
  const unread = describeUnread(list, url);
  return [
    `${judged.length} of ${total} judged.`,
    ...name('No verdict', [...unjudged, ...unversioned].map(explainUnjudged)),
    ...name(
      'Not in this index',
      others.map(({ item }) => item.text),
    ),
    // Of a text that is no list, no line says more than another.
    ...name('Not read', notRead.length < total ? notRead : []),
    ...(unread === undefined ? [] : [unread]),
  ].join(' ');
}

/** Undefined if all lines were read. */
export function describeUnread({ notRead, total }: JudgedList, url?: string): string | undefined {
  if (notRead.length === 0) {
    return undefined;
  }

  const verb = notRead.length === 1 ? 'was' : 'were';
  const rule = 'A list has one item per line; bills of CycloneDX and SPDX are read, too.';
  const commands = url === undefined ? '' : ` Commands for your tool: ${url}/use.html#lists`;
  return `${notRead.length} of ${formatCount(total, 'line')} ${verb} not read. ${rule}${commands}`;
}

function explainUnjudged(entry: Entry): string {
  return `${entry.item.text} (${describeObstacle(entry).replace(/\.$/, '')})`;
}
