/**
 * Merges the digests of all files of a release, and detects replaced files. In this table, a letter is a digest. Digests after `other`
 * (`otherDigests`) belong to files that replaced recorded files. `!` marks a replacement that is reported.
 *
 * | recorded     | given today | recorded then | why                                                                           |
 * | ------------ | ----------- | ------------- | ----------------------------------------------------------------------------- |
 * | a b          | a c         | a b c         | a file was added                                                              |
 * | a b          | c           | a b, other c! | all files were replaced                                                       |
 * | a b, other c | c           | a b, other c  | a replacement is reported only once                                           |
 * | a b, other c | a           | a b           | upstream took the replacement back, so the next replacement is reported again |
 * | a (SHA-256)  | c (SHA-512) | a             | the algorithms differ, so both digests may be of the same file                |
 */
import type { Day } from '../core/day.ts';
import { uniteDigests } from '../core/digest.ts';
import { pick } from '../core/objects.ts';
import type { RecordedRelease } from '../core/schema/recorded.ts';
import type { SelectedRelease } from '../sources/answer.ts';
import type { AnsweredRelease } from './answers.ts';

/** The properties of a recorded release that are about its files. */
type Bytes = Pick<RecordedRelease, 'digests' | 'otherDigests' | 'republishedOn'>;

/**
 * Merges today's digests from the sources into the digests of a release. `named`: the statement of the only source that may give digests by
 * file name.
 */
export function mergeBytes(
  release: RecordedRelease,
  statements: readonly AnsweredRelease[],
  named: AnsweredRelease | undefined,
  day: Day,
): Bytes {
  const { sources } = release;
  const bytes = statements.reduce<Bytes>(
    (merged, statement) => mergeStatement(merged, statement, sources, day),
    pick(release, ['digests', 'otherDigests', 'republishedOn']),
  );

  const { otherDigests = [] } = bytes;
  const replacing = named ? listReplacing(release, named.release) : [];
  if (!replacing.every((digest) => otherDigests.includes(digest))) {
    return addOtherDigests(bytes, replacing, day);
  }

  const isTakenBack =
    otherDigests.length > 0 &&
    replacing.length === 0 &&
    statesOnlyFirst(sources, statements, otherDigests);
  return isTakenBack ? { ...bytes, otherDigests: [] } : bytes;
}

/** Adds the digests that one source gives. The first digests of each source are always added. */
function mergeStatement(
  bytes: Bytes,
  { release: { digests: stated = [] }, answer }: AnsweredRelease,
  sources: readonly string[],
  day: Day,
): Bytes {
  const { digests = [], otherDigests = [], republishedOn } = bytes;
  const isFirst = digests.length === 0 || !sources.includes(answer.source);
  if (isFirst || answer.rebuildsTags || isAnyIn(stated, digests)) {
    return { ...bytes, digests: uniteDigests([...digests, ...stated]) };
  }
  if (!isAnyIn(stated.map(readAlgorithm), digests.map(readAlgorithm))) {
    return bytes;
  }

  const wasReported = isAnyIn(stated, otherDigests);
  return addOtherDigests(bytes, stated, wasReported ? republishedOn : day);
}

/** Lists the digests of named files that replaced recorded digests. */
function listReplacing(
  { files = {}, digests = [] }: RecordedRelease,
  { files: stated = {}, digests: present = [] }: SelectedRelease,
): string[] {
  // A recorded digest that is not in `digests` was written by a person, so no digest replaces it.
  const gone = Object.entries(files).filter(
    ([, digest]) => digests.includes(digest) && !present.includes(digest),
  );
  return gone.flatMap(([name]) => (Object.hasOwn(stated, name) ? stated[name]!.digest : []));
}

/** Tells whether all sources give digests, and none of these digests replaced a recorded digest. */
function statesOnlyFirst(
  sources: readonly string[],
  statements: readonly AnsweredRelease[],
  otherDigests: readonly string[],
): boolean {
  const stating = statements.filter(({ release: { digests = [] } }) => {
    return digests.length > 0 && !isAnyIn(digests, otherDigests);
  });
  return sources.every((id) => stating.some(({ answer }) => answer.source === id));
}

function addOtherDigests(
  bytes: Bytes,
  digests: readonly string[],
  republishedOn: Day | undefined,
): Bytes {
  const { otherDigests = [] } = bytes;
  return { ...bytes, otherDigests: uniteDigests([...otherDigests, ...digests]), republishedOn };
}

function isAnyIn(values: readonly string[], others: readonly string[]): boolean {
  return values.some((value) => others.includes(value));
}

function readAlgorithm(digest: string): string {
  return digest.slice(0, digest.indexOf(':'));
}
