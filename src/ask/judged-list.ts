/**
 * Groups and describes the verdicts on a list of versions in use. Commands, pages and tools show the same order and sentences. Pages run
 * this file, so it imports neither zod nor Node.
 */
import { describeUnproven, vulnerableLabel } from '../core/phrases.ts';
import type { Verdict } from '../core/schema/documents.ts';
import { formatCount, formatList } from '../core/text.ts';
import { parseVersion } from '../core/version.ts';
import type { ReadList } from './read-list.ts';
import { describeObstacle, type Entry, type Match } from './verdicts.ts';

type Matched<E> = E & { readonly match: Match };
type Judged<E> = E & { readonly match: Match & { readonly verdict: Verdict } };

/** The entries of a list, grouped by their result. */
export interface JudgedList<E extends Entry = Entry> {
  /** Entries with a verdict, the most urgent first. */
  readonly judged: readonly Judged<E>[];
  /** Entries whose component is in this index. Their version has no verdict, or nothing is known about it (see `isUnknown`). */
  readonly unjudged: readonly Matched<E>[];
  /** Entries without a name, or without a version that can be judged. Entries that may be in this index come first. */
  readonly unversioned: readonly E[];
  /** Entries whose package is not in this index. */
  readonly others: readonly E[];
  /** The lines that were not read, with their numbers. */
  readonly notRead: readonly string[];
  /** Why nothing in the list could be read. Undefined if the list was read. */
  readonly fault: string | undefined;
  /** The lines that were not read, and the entries whose group is `unjudged` or `uncertain`. Empty if the list was judged completely. */
  readonly gaps: readonly string[];
  /** The number of all entries, plus the number of lines that were not read. */
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

/**
 * Returns the group of an entry:
 * - `judged`: it has a verdict
 * - `unjudged`: its component is in this index, but it has no verdict, its release line is unknown, or it is far above the newest version
 * - `uncertain`: its component may be in this index
 * - `unversioned`: its version cannot be read
 * - `other`: its package is not in this index
 */
export function findKind({ item, match, candidates, namesake }: Entry) {
  const { name, purl, version, isInWords } = item;
  if (match) {
    return match.verdict && !isUnknown(match) ? 'judged' : 'unjudged';
  }
  if (candidates || namesake !== undefined || isInWords || !(purl ?? name)) {
    return 'uncertain';
  }
  return parseVersion(version ?? '') ? 'other' : 'unversioned';
}

/**
 * Tells whether nothing is known about a version:
 * - It is far above the newest known version, so it is probably a mistake.
 * - Its release line is unknown, so its support may have ended long ago. The support policy `none` gives no end-of-support dates, so its
 *   versions are judged.
 */
function isUnknown({ verdict, support }: Match): boolean {
  return (
    verdict?.isFarAbove === true || (verdict?.state === 'unknown-line' && support.policy !== 'none')
  );
}

/**
 * Returns a sort key for verdicts, which gives this order:
 * - versions to leave now
 * - versions to leave by a date
 * - supported versions, by the end of their support
 * - versions without an end of support
 */
function rankUrgency(verdict: Verdict): string {
  const { moveBy = '', supportedUntil, supportedUntilAtMost = '9999' } = verdict;
  return isDue(verdict) ? `0 ${moveBy}` : `1 ${supportedUntil ?? supportedUntilAtMost}`;
}

/** Tells whether users have to leave a version. A vulnerable version is due even if there is no version to move to. */
export function isDue({ moveReason, label }: Partial<Verdict> = {}): boolean {
  return moveReason !== undefined || label === vulnerableLabel;
}

/**
 * Tells whether the advice on a version names an action. An unlisted version below the newest of its line has a move, and a release that
 * unexpectedly lacks provenance must be checked, although neither is due.
 */
export function needsAction(verdict: Partial<Verdict> = {}): boolean {
  const isUnproven = describeUnproven(verdict) !== undefined;
  return isDue(verdict) || verdict.moveTo !== undefined || isUnproven;
}

/**
 * Describes how many entries of a list were judged, and names the entries that were not.
 * - `url`: the URL of the site. Absent on the pages of the site.
 * - `failed`: how many entries fail a policy
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

/** Describes what was not read, and says which lists are read. Undefined if all was read. */
function describeUnread({ notRead, fault, total }: JudgedList, url?: string): string | undefined {
  if (total === 0 && fault === undefined) {
    return 'The list does not contain an entry.';
  }

  const verb = notRead.length === 1 ? 'was' : 'were';
  const unread = [
    ...(fault === undefined ? [] : [`The list ${fault}.`]),
    ...(notRead.length > 0
      ? [`${notRead.length} of ${formatCount(total, 'line')} ${verb} not read.`]
      : []),
  ];
  return unread.length > 0 ? [...unread, describeReadable(url)].join(' ') : undefined;
}

/** Says which lists are read, and where the command for each tool stands. */
export function describeReadable(url?: string): string {
  const rule =
    'A list has one item per line; CSV, package-lock.json, and SBOMs in the formats of CycloneDX and SPDX are read, too.';
  return url === undefined ? rule : `${rule} Commands for your tool: ${url}/use.html#lists`;
}

function explainUnjudged(entry: Entry): string {
  const { item, match, candidates, namesake } = entry;
  const isUnknown = (match ?? candidates ?? namesake) === undefined;
  const obstacle = isUnknown ? 'unknown name' : describeObstacle(entry).replace(/\.$/, '');
  return `${item.text} (${obstacle})`;
}
