/**
 * Merges the digests of a release. There are three kinds:
 *
 * | kind      | properties                                 | example                              | what it is for                    |
 * | --------- | ------------------------------------------ | ------------------------------------ | --------------------------------- |
 * | all files | `digests`, `otherDigests`, `republishedOn` | `["sha256:0f…", "sha256:7a…"]`       | report that a file was replaced   |
 * | single    | `digest`, `url`, `unconfirmedDigest`       | `"sha256:0f…"`                       | readers pin it beside the version |
 * | named     | `files`, `urls`, `hasAllFiles`             | `{ "linux-amd64": "sha256:0f…", … }` | readers pin a file by its name    |
 *
 * The first digests of each kind are kept for ever. After upstream has replaced a file of the release, no single or named digest is added.
 */
import type { Day } from '../core/day.ts';
import { mapValues } from '../core/objects.ts';
import type { RecordedRelease } from '../core/schema/recorded.ts';
import type { SelectedRelease } from '../sources/answer.ts';
import type { Answer, AnsweredRelease } from './answers.ts';
import { mergeBytes } from './bytes.ts';

/**
 * Finds the answers from which digests are taken. Sources may list different files of a version, so each kind of digest comes from only one
 * source.
 * - `single`: the first answer with a SHA-256
 * - `named`: the first answer with named files
 *
 * The sources are searched in the order of the definition. If the search meets a source that has not answered, the result is undefined.
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

/** Returns new values for the properties of a release that are about its digests. */
export function mergeDigests(
  release: RecordedRelease,
  statements: readonly AnsweredRelease[],
  { single, named }: ReturnType<typeof findDigestAnswers>,
  day: Day,
) {
  const findStatement = (meant: Answer | undefined) =>
    statements.find(({ answer }) => answer === meant && !answer.rebuildsTags);
  const singleStatement = findStatement(single);
  const namedStatement = findStatement(named);

  const bytes = mergeBytes(release, statements, namedStatement, day);
  const isReplaced = bytes.republishedOn !== undefined;
  return {
    ...bytes,
    assets: mergeAssets(release, statements),
    ...(singleStatement && !isReplaced && mergeSingle(release, singleStatement, day)),
    ...(namedStatement && !isReplaced && mergeNamed(release, namedStatement)),
  };
}

/** Merges the upstream names of the newest release's files. These names help people to write `digestOf`. */
function mergeAssets(
  { assets: former }: RecordedRelease,
  statements: readonly AnsweredRelease[],
): string[] | undefined {
  const stating = statements.find(({ answer }) => answer.assets);
  if (!stating) {
    return former;
  }

  const { release, answer } = stating;
  const isNewest = answer.releases.at(-1) === release && answer.assets?.length !== 0;
  return isNewest ? answer.assets?.slice(0, 100) : undefined;
}

/** Records the SHA-256 of a release if the source gives exactly one. `url`: always belongs to the file with the recorded digest. */
function mergeSingle(
  { digest, url, unconfirmedDigest: former }: RecordedRelease,
  { release, answer }: AnsweredRelease,
  day: Day,
): Pick<RecordedRelease, 'digest' | 'url' | 'unconfirmedDigest'> {
  const [stated, ...others] = listSha256s(release);
  if (digest !== undefined || stated === undefined || others.length > 0) {
    return { digest, url: (digest === stated && release.url) || url, unconfirmedDigest: undefined };
  }

  const first = former?.digest === stated ? former : { digest: stated, since: day };
  // If files are published one by one, as on GitHub, more files may follow. Then the digest is recorded only if the source gives the same
  // digest again on a later day.
  const isSure = !answer.filesFollow || first.since < day;
  return isSure
    ? { digest: stated, url: release.url, unconfirmedDigest: undefined }
    : { digest, url, unconfirmedDigest: first };
}

function listSha256s({ digest, digests = [] }: SelectedRelease): string[] {
  // Null means that the tag moves, so it has no digest.
  if (digest === null) {
    return [];
  }

  const stated = digest === undefined ? digests : [digest];
  return stated.filter((each) => each.startsWith('sha256:'));
}

/**
 * Adds digests for file names that have none yet. `hasAllFiles` is set once every file name in the definition has a digest. The release is
 * then listed in `<component>/<name>.json`. It stays listed if the definition adds a file name later.
 */
function mergeNamed(
  release: RecordedRelease,
  { release: { files: stated = {} }, answer }: AnsweredRelease,
): Pick<RecordedRelease, 'files' | 'urls' | 'hasAllFiles'> {
  const files = { ...mapValues(stated, ({ digest }) => digest), ...release.files };
  const urls = { ...release.urls };
  for (const [name, { digest, url }] of Object.entries(stated)) {
    // A URL is recorded only if the file at this URL is the recorded file.
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
  // No key occurs twice, so a comparison is never 0.
  const entries = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
