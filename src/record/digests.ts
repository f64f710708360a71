/** The digests of a release: of all its files, the one that readers have beside the version, and those of files by name. */
import type { Day } from '../core/day.ts';
import { uniteDigests } from '../core/digest.ts';
import { mapValues, pick } from '../core/objects.ts';
import type { RecordedRelease } from '../core/schema/recorded.ts';
import type { SelectedAnswer, SelectedRelease } from '../sources/answer.ts';

/** What a source states today. */
export interface Answer extends SelectedAnswer {
  /** The id of the source. */
  source: string;
  /** The day of its last sound answer with the same definition. */
  answeredOn?: Day | undefined;
}

/** What it states of a release. */
export interface Statement {
  release: SelectedRelease;
  answer: Answer;
}

/**
 * The answers whose digests are meant, as an image and an archive of one version differ: each of the first of these sources that states
 * such digests; undefined while one before it is silent.
 */
export function findDigestAnswers(
  sources: readonly string[],
  answered: ReadonlyMap<string, Answer>,
) {
  const answers = sources.map((id) => answered.get(id));
  return {
    single: answers.find(
      (answer) => !answer || answer.releases.some((release) => listSha256s(release).length > 0),
    ),
    named: answers.find((answer) => !answer || answer.fileNames.length > 0),
  };
}

/** What changes of its digests. The first bytes stay, for ever. Where there are other ones under the same name, nothing of them is recorded. */
export function mergeDigests(
  release: RecordedRelease,
  statements: readonly Statement[],
  { single, named }: ReturnType<typeof findDigestAnswers>,
  day: Day,
) {
  const findStatement = (meant: Answer | undefined) =>
    statements.find(({ answer }) => answer === meant && !answer.rebuildsTags);
  const singleStatement = findStatement(single);
  const namedStatement = findStatement(named);
  const assetsStatement = statements.find(({ answer }) => answer.assets);
  const bytes = mergeBytes(release, statements, namedStatement, day);
  const isReplaced = bytes.republishedOn !== undefined;
  return {
    ...bytes,
    assets: assetsStatement ? listAssets(assetsStatement) : release.assets,
    ...(singleStatement && !isReplaced && mergeSingle(release, singleStatement, day)),
    ...(namedStatement && !isReplaced && mergeNamed(release, namedStatement)),
  };
}

/** Of the newest release alone: they help to write patterns. */
function listAssets({ release, answer }: Statement): string[] | undefined {
  const isNewest = answer.releases.at(-1) === release && answer.assets?.length !== 0;
  return isNewest ? answer.assets?.slice(0, 100) : undefined;
}

/** The digests of all files of a release, and of what took their place. */
type Bytes = Pick<RecordedRelease, 'digests' | 'otherDigests' | 'republishedOn'>;

function mergeBytes(
  release: RecordedRelease,
  statements: readonly Statement[],
  named: Statement | undefined,
  day: Day,
): Bytes {
  const bytes = statements.reduce<Bytes>(
    (merged, statement) => mergeStatement(merged, statement, release.sources, day),
    pick(release, ['digests', 'otherDigests', 'republishedOn']),
  );
  const { otherDigests = [] } = bytes;
  const replacing = named ? listReplacing(release, named.release) : [];
  if (!replacing.every((digest) => otherDigests.includes(digest))) {
    return addOtherDigests(bytes, replacing, day);
  }

  // Should other bytes come once more, they are told once more.
  const isPutRight =
    otherDigests.length > 0 &&
    replacing.length === 0 &&
    statesOnlyFirst(release.sources, statements, otherDigests);
  return isPutRight ? { ...bytes, otherDigests: [] } : bytes;
}

/** Whether all sources state bytes, none of which took the place of others. */
function statesOnlyFirst(
  sources: readonly string[],
  statements: readonly Statement[],
  otherDigests: readonly string[],
): boolean {
  const stating = statements.filter(({ release: { digests = [] } }) => {
    return digests.length > 0 && !isAnyIn(digests, otherDigests);
  });
  return sources.every((id) => stating.some(({ answer }) => answer.source === id));
}

/** The first bytes of each source stay. Further files are added, unless all are other bytes: each such replacement is told. */
function mergeStatement(
  bytes: Bytes,
  { release: { digests: stated = [] }, answer }: Statement,
  sources: readonly string[],
  day: Day,
): Bytes {
  const { digests = [], otherDigests = [], republishedOn } = bytes;
  const isFirst = digests.length === 0 || !sources.includes(answer.source);
  if (isFirst || answer.rebuildsTags || isAnyIn(stated, digests)) {
    return { ...bytes, digests: uniteDigests([...digests, ...stated]) };
  }
  // A digest of another algorithm may be of the same bytes.
  if (!isAnyIn(stated.map(readAlgorithm), digests.map(readAlgorithm))) {
    return bytes;
  }

  const isKnown = isAnyIn(stated, otherDigests);
  return addOtherDigests(bytes, stated, isKnown ? republishedOn : day);
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

/** The digests of files that took the place of those of a name. What no source has stated is a person's. */
function listReplacing(
  { files = {}, digests = [] }: RecordedRelease,
  { files: stated = {}, digests: present = [] }: SelectedRelease,
): string[] {
  const gone = Object.entries(files).filter(
    ([, digest]) => digests.includes(digest) && !present.includes(digest),
  );
  return gone.flatMap(([name]) => (Object.hasOwn(stated, name) ? stated[name]!.digest : []));
}

/** What its source states alone. Where files come one by one, another may follow: it is believed on the second day. */
function mergeSingle(
  { digest, url, unconfirmedDigest: former }: RecordedRelease,
  { release, answer }: Statement,
  day: Day,
): Pick<RecordedRelease, 'digest' | 'url' | 'unconfirmedDigest'> {
  const [stated, ...others] = listSha256s(release);
  if (digest !== undefined || stated === undefined || others.length > 0) {
    return { digest, url: (digest === stated && release.url) || url, unconfirmedDigest: undefined };
  }

  const first = former?.digest === stated ? former : { digest: stated, since: day };
  const isSure = !answer.filesFollow || first.since < day;
  return isSure
    ? { digest: stated, url: release.url, unconfirmedDigest: undefined }
    : { digest, url, unconfirmedDigest: first };
}

function listSha256s({ digest, digests = [] }: SelectedRelease): string[] {
  // Of a tag that moves.
  if (digest === null) {
    return [];
  }

  const stated = digest === undefined ? digests : [digest];
  return stated.filter((each) => each.startsWith('sha256:'));
}

/** Once all names have a digest, the release is in the file of each name, whichever names come later. */
function mergeNamed(
  release: RecordedRelease,
  { release: { files: stated = {} }, answer }: Statement,
): Pick<RecordedRelease, 'files' | 'urls' | 'hasAllFiles'> {
  const files = { ...mapValues(stated, ({ digest }) => digest), ...release.files };
  const urls = { ...release.urls };
  for (const [name, { digest, url }] of Object.entries(stated)) {
    // Where other bytes lie is no address of these.
    if (url && digest === files[name]) {
      urls[name] = url;
    }
  }
  const isWhole = answer.fileNames.every((name) => Object.hasOwn(files, name));
  return {
    files: sortKeys(files),
    urls: sortKeys(urls),
    hasAllFiles: release.hasAllFiles || isWhole || undefined,
  };
}

function sortKeys(values: Readonly<Record<string, string>>): Record<string, string> | undefined {
  // None is there twice.
  const entries = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
