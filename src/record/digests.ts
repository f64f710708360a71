/** The digests of a release: of all its files, the one that readers have beside the version, and those of files by name. */
import type { Day } from '../core/day.ts';
import { uniteDigests } from '../core/digest.ts';
import { pick } from '../core/objects.ts';
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

/** The answers whose digests are meant: an image and an archive of one version differ. */
interface DigestAnswers {
  readonly single: Answer | undefined;
  readonly named: Answer | undefined;
}

/** Each the first of these sources that states such digests; undefined while one before it is silent. */
export function findDigestAnswers(
  sources: readonly string[],
  answered: ReadonlyMap<string | undefined, Answer>,
): DigestAnswers {
  const find = (states: (answer: Answer) => boolean) => {
    const first = sources.find((id) => {
      const answer = answered.get(id);
      return !answer || states(answer);
    });
    return answered.get(first);
  };
  return {
    single: find(({ releases }) => releases.some((release) => listSha256s(release).length > 0)),
    named: find(({ fileNames }) => fileNames.length > 0),
  };
}

/** The first bytes stay, for ever. Where there are other ones under the same name, nothing of them is recorded. */
export function mergeDigests(
  release: RecordedRelease,
  statements: readonly Statement[],
  { single, named }: DigestAnswers,
  day: Day,
) {
  const find = (from: Answer | undefined) =>
    statements.find(({ answer }) => answer === from && !answer.rebuildsTags);
  const [ofSingle, ofNamed] = [find(single), find(named)];
  const ofAssets = statements.find(({ answer }) => answer.assets);
  const merged = mergeAll(release, statements, ofNamed, day);
  const isSound = merged.republishedOn === undefined;
  return {
    ...merged,
    assets: ofAssets ? listAssets(ofAssets) : release.assets,
    ...(ofSingle && isSound
      ? mergeSingle(release, ofSingle, day)
      : pick(release, ['digest', 'unconfirmedDigest'])),
    ...(ofNamed && isSound
      ? mergeNamed(release, ofNamed)
      : pick(release, ['files', 'hasAllFiles'])),
  };
}

/** Of the newest release alone: they help to write patterns. */
function listAssets({ release, answer }: Statement): string[] | undefined {
  const isNewest = answer.releases.at(-1) === release && answer.assets?.length !== 0;
  return isNewest ? answer.assets?.slice(0, 100) : undefined;
}

/** The first bytes of each source stay. Further files are added, unless all are other bytes: each such replacement is told. */
function mergeAll(
  release: RecordedRelease,
  statements: readonly Statement[],
  named: Statement | undefined,
  day: Day,
): Pick<RecordedRelease, 'digests' | 'otherDigests' | 'republishedOn'> {
  let { digests: merged = [], otherDigests = [], republishedOn } = release;
  const formOf = (digest: string) => digest.split(':', 1).join();
  const isAnyIn = (digests: readonly string[], others: readonly string[]) =>
    digests.some((digest) => others.includes(digest));
  for (const {
    release: { digests: stated = [] },
    answer,
  } of statements) {
    const isNew = merged.length === 0 || !release.sources.includes(answer.source);
    if (isNew || answer.rebuildsTags || isAnyIn(stated, merged)) {
      merged = uniteDigests([...merged, ...stated]) ?? [];
    } else if (isAnyIn(stated.map(formOf), merged.map(formOf))) {
      // Former programs recorded no other bytes than the first.
      const isTold = republishedOn !== undefined && otherDigests.length === 0;
      republishedOn = isTold || isAnyIn(stated, otherDigests) ? republishedOn : day;
      otherDigests = uniteDigests([...otherDigests, ...stated]) ?? [];
    }
  }

  const replacing = named ? listReplacing(release, named.release) : [];
  if (replacing.some((digest) => !otherDigests.includes(digest))) {
    republishedOn = day;
    otherDigests = uniteDigests([...otherDigests, ...replacing]) ?? [];
  }
  return {
    digests: merged.length > 0 ? merged : undefined,
    otherDigests: otherDigests.length > 0 ? otherDigests : undefined,
    republishedOn,
  };
}

/** The digests of files that took the place of those of a name. What no source has stated is a person's. */
function listReplacing(
  { files = {}, digests = [] }: RecordedRelease,
  { files: stated = {}, digests: present = [] }: SelectedRelease,
): string[] {
  const gone = Object.entries(files).filter(
    ([, digest]) => digests.includes(digest) && !present.includes(digest),
  );
  return gone.flatMap(([name]) => (Object.hasOwn(stated, name) ? stated[name]! : []));
}

/** What its source states alone. Where files come one by one, another may follow: it is believed on the second day. */
function mergeSingle(
  { digest, unconfirmedDigest: former }: RecordedRelease,
  { release, answer }: Statement,
  day: Day,
): Pick<RecordedRelease, 'digest' | 'unconfirmedDigest'> {
  const [sole, ...others] = listSha256s(release);
  if (digest !== undefined || sole === undefined || others.length > 0) {
    return { digest, unconfirmedDigest: undefined };
  }

  const first = former?.digest === sole ? former : { digest: sole, since: day };
  const isSure = !answer.filesFollow || first.since < day;
  return isSure
    ? { digest: sole, unconfirmedDigest: undefined }
    : { digest, unconfirmedDigest: first };
}

function listSha256s({ digest, digests = [] }: SelectedRelease): string[] {
  // Null, of a tag that moves, is no SHA-256.
  const stated = digest === undefined ? digests : [digest ?? ''];
  return stated.filter((text) => text.startsWith('sha256:'));
}

/** Once all names have a digest, the release is in the file of each name, whichever names come later. */
function mergeNamed(
  { files: recorded, hasAllFiles }: RecordedRelease,
  { release, answer }: Statement,
): Pick<RecordedRelease, 'files' | 'hasAllFiles'> {
  const files = Object.fromEntries(
    Object.entries({ ...release.files, ...recorded }).sort(
      ([a], [b]) => Number(a > b) - Number(a < b),
    ),
  );
  const isWhole = hasAllFiles || answer.fileNames.every((name) => Object.hasOwn(files, name));
  return {
    files: Object.keys(files).length > 0 ? files : undefined,
    hasAllFiles: isWhole || undefined,
  };
}
