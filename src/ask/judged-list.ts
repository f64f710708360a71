/** The result of judging a list of versions in use, in the same order and words for all endpoints. Pages run this file, so it imports neither zod nor Node. */
import { vulnerableLabel } from '../core/phrases.ts';
import type { Verdict } from '../core/schema/documents.ts';
import { formatCount, formatList } from '../core/text.ts';
import { parseVersion } from '../core/version.ts';
import type { ReadList } from './read-list.ts';
import { describeObstacle, type Entry, type Match } from './verdicts.ts';

type Matched<E> = E & { readonly match: Match };
type Judged<E> = E & { readonly match: Match & { readonly verdict: Verdict } };

/** The entries of a list by their result. */
export interface JudgedList<E extends Entry = Entry> {
  /** Judged entries, the most urgent first. */
  readonly judged: readonly Judged<E>[];
  /** Entries of this index without a verdict, or of no known line. */
  readonly unjudged: readonly Matched<E>[];
  /** Entries without a name, or without a version that could be judged. Those that may be of this index come first. */
  readonly unversioned: readonly E[];
  /** Entries that are not of this index. */
  readonly others: readonly E[];
  /** The lines that were not read, with their numbers. */
  readonly notRead: readonly string[];
  /** Why the whole text was not read. */
  readonly fault: string | undefined;
  /** Entries that are or may be of this index and have no verdict, and lines that were not read. If there are any, the list is not judged completely. */
  readonly gaps: readonly string[];
  /** The number of all entries and lines that were not read. */
  readonly total: number;
}

export function sortEntries<E extends Entry>(
  entries: readonly E[],
  { problems, fault }: Omit<ReadList, 'items'>,
): JudgedList<E> {
  const notRead = problems.map(({ message }) => message);
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
    fault,
    gaps: [...[...unjudged, ...uncertain].map(({ item }) => item.text), ...notRead],
    total: entries.length + notRead.length,
  };
}

/** Returns what is known about an entry. `unjudged` and `uncertain`: it is or may be of this index, but has no verdict. */
export function findKind({ item: { name, purl, version }, match, namesake }: Entry) {
  if (match) {
    return match.verdict && !isUnknown(match) ? 'judged' : 'unjudged';
  }
  if (namesake !== undefined || !(purl ?? name)) {
    return 'uncertain';
  }
  return parseVersion(version ?? '') ? 'other' : 'unversioned';
}

/** Tells whether a version belongs to no known line. It may have ended long ago, if lines of the component end. A version later than all lines is not released yet. */
function isUnknown({ verdict, support }: Match): boolean {
  return verdict?.state === 'unknown-line' && support.policy !== 'none';
}

/** Returns a text that sorts by urgency: due now, due by a day, supported until a day, without an end. */
function rankUrgency(verdict: Verdict): string {
  const { moveBy = '', supportedUntil, supportedUntilAtMost = '9999' } = verdict;
  return isDue(verdict) ? `0 ${moveBy}` : `1 ${supportedUntil ?? supportedUntilAtMost}`;
}

/** Tells whether something is due. A vulnerable version is due even if there is nothing to move to. */
export function isDue({ moveReason, label }: Partial<Verdict> = {}): boolean {
  return moveReason !== undefined || label === vulnerableLabel;
}

/**
 * Describes how many entries were judged, entries without a verdict, and entries of other indexes. `url`: the address of the site, for readers
 * outside of its pages.
 */
export function describeList(list: JudgedList, url?: string, failed?: number): string {
  const { judged, unjudged, unversioned, others, notRead, total } = list;
  const entries = total - notRead.length;
  const name = (heading: string, texts: readonly string[]) =>
    texts.length > 0 ? [`${heading}: ${formatList(texts, 20)}.`] : [];
  const failures = failed === undefined ? '' : `, ${failed} failed`;
  const counted =
    entries === 0
      ? 'No entry was judged.'
      : `${judged.length} of ${entries} entries judged${failures}.`;
  const unread = describeUnread(list, url);
  return [
    counted,
    ...name('No verdict', [...unjudged, ...unversioned].map(explainUnjudged)),
    ...name(
      'Not in this index',
      others.map(({ item }) => item.text),
    ),
    ...(unread === undefined ? [] : [unread]),
  ].join(' ');
}

/** Describes the lines that were not read. Undefined if all were read. */
function describeUnread({ notRead, fault, total }: JudgedList, url?: string): string | undefined {
  if (fault !== undefined) {
    return `The list ${fault}.`;
  }
  if (total === 0) {
    return 'The list has no entry.';
  }
  if (notRead.length === 0) {
    return undefined;
  }

  const verb = notRead.length === 1 ? 'was' : 'were';
  const rule =
    'A list has one item per line; CSV, package-lock.json, and bills of CycloneDX and SPDX are read, too.';
  const commands = url === undefined ? '' : ` Commands for your tool: ${url}/use.html#lists`;
  return `${notRead.length} of ${formatCount(total, 'line')} ${verb} not read. ${rule}${commands}`;
}

function explainUnjudged(entry: Entry): string {
  const { item, match, namesake } = entry;
  const isUnknown = match === undefined && namesake === undefined;
  const obstacle = isUnknown ? 'unknown name' : describeObstacle(entry).replace(/\.$/, '');
  return `${item.text} (${obstacle})`;
}
