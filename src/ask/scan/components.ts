import type { Day } from '../../core/dates.ts';
import { answeredRow } from '../../core/query/ages.ts';
import { releasesIn, rowOf, type Catalogue } from '../../core/query/catalogue.ts';
import type { Row } from '../../core/query/fields.ts';
import { algorithmOf, isDigest } from '../../core/schemas/artifact-digests.ts';
import { isSameRepository } from '../../core/repository.ts';
import { grouped, quote } from '../../core/text.ts';
import { parseVersion, rankKey } from '../../core/version.ts';
import type { DetailedRelease, DetailsOn } from '../details-on.ts';
import type { PublishedIndex } from '../published-index.ts';
import type { Item } from './items.ts';

/** A component with its releases by version and digest, so that thousands of items are found in it at once. */
export interface OpenedComponent {
  readonly details: DetailsOn;
  find(version: string): DetailedRelease | undefined;
  /** The release of the artifact with a digest. */
  findByDigest(digest: string): DetailedRelease | undefined;
  /** The release as queries see it. */
  rowOf(release: DetailedRelease): Row;
}

/** A document names more releases of the index than may be read at once. */
export class TooMuchToScanError extends Error {
  override readonly name = 'TooMuchToScanError';
}

/**
 * Components by name, each read once. `day`: from which ages count. `mostReleases`: of all components together; a
 * `TooMuchToScanError` where there are more.
 */
export async function openComponents(index: PublishedIndex, day: Day, mostReleases = Infinity) {
  const status = await index.status();
  const files = await index.digests();
  const opened = new Map<string, OpenedComponent | undefined>();
  let read = 0;

  return async function open(name: string): Promise<OpenedComponent | undefined> {
    // A document may name thousands of other items; read only existing files.
    if (!files.has(`details/${name}.json`)) return undefined;
    if (!opened.has(name)) {
      read += status.components[name]?.releases ?? 0;
      if (read > mostReleases)
        throw new TooMuchToScanError(
          `its components have more than ${grouped(mostReleases)} releases, and no more are read at once`,
        );
      const details = await index.details(name);
      opened.set(name, details && openComponent(details, await index.catalogue(details.component), day));
    }
    return opened.get(name);
  };
}

function openComponent(details: DetailsOn, catalogue: Catalogue, day: Day): OpenedComponent {
  const { component, releases } = details;
  const placed = once(
    () => new Map(releasesIn(catalogue, component).map((release) => [release.own.version!, release])),
  );
  const byVersion = new Map(releases.map((release) => [release.version, release]));
  const byRank = once(() => new Map(releases.map((release) => [rankOf(release.version), release])));
  const byDigest = once(
    () =>
      new Map(
        releases
          .toReversed()
          .flatMap((release) => digestsOf(release).map(([, digest]) => [digest, release] as const)),
      ),
  );
  const rows = new Map<DetailedRelease, Row>();
  const spelt = (version: string) => {
    const rank = byVersion.has(version) ? undefined : rankOf(version);
    return rank === undefined ? byVersion.get(version) : byRank().get(rank);
  };
  return {
    details,
    find: (version) => spelt(version) ?? spelt(otherSpelling(version)),
    findByDigest: (digest) => (isDigest(digest) ? byDigest().get(digest) : undefined),
    rowOf(release) {
      const known = rows.get(release) ?? answeredRow(rowOf(placed().get(release.version)!), day);
      rows.set(release, known);
      return known;
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

function rankOf(version: string): string | undefined {
  const parsed = parseVersion(version);
  return parsed && rankKey(parsed);
}

/** `X.Y` and `X.Y.0` stand for each other where one of them is listed. */
function otherSpelling(version: string): string {
  return /^v?\d+\.\d+\.0$/i.test(version)
    ? version.slice(0, -2)
    : /^v?\d+\.\d+$/i.test(version)
      ? `${version}.0`
      : '';
}

/** Its digests with the sources that state them. The digest of a tag in a repository is that of a commit. */
function digestsOf({ digests = {} }: DetailedRelease): [source: string, digest: string][] {
  return Object.entries(digests).flatMap(([source, artifacts]) =>
    Object.values(artifacts)
      .flatMap((texts) => texts.split(' '))
      .filter((digest) => !(/^(?:git|github|gitlab)-/.test(source) && digest.startsWith('sha1:')))
      .map((digest): [string, string] => [source, digest]),
  );
}

/** How far a release is behind the latest one; undefined for the latest, and where there is none. */
export function distanceOf({ releasesBehind, daysBehind }: DetailedRelease): object | undefined {
  if (releasesBehind === undefined) return undefined;
  return { releasesBehind, ...(daysBehind !== undefined && { behind: `P${daysBehind}D` }) };
}

/** The result of a comparison with what is recorded, in a sentence. */
export interface Comparison {
  readonly isWrong: boolean;
  readonly message: string;
}

/**
 * Compares the digests and the repository that an item states with those recorded of its release. Gives the differences, or else what
 * could not be compared; undefined where everything is as recorded.
 */
export function compareItem(item: Item, release: DetailedRelease): Comparison | undefined {
  const all = [compareDigests(item, release), compareRepository(item.repositoryUrl, release)];
  const found = all.filter((comparison) => comparison !== undefined);
  const isWrong = found.some((comparison) => comparison.isWrong);
  const messages = found.filter((each) => each.isWrong === isWrong).map(({ message }) => message);
  return messages.length === 0 ? undefined : { isWrong, message: messages.join(' ') };
}

function compareRepository(
  stated: string | undefined,
  { version, provenance }: DetailedRelease,
): Comparison | undefined {
  if (stated === undefined) return undefined;
  if (!provenance)
    return { isWrong: false, message: `The repository that ${version} was built from is not recorded.` };
  const { repository } = provenance;
  if (isSameRepository(stated, repository)) return undefined;
  return { isWrong: true, message: `${version} was built from ${repository}, not from ${stated}.` };
}

/** Sources whose digests are those of packages, never of an image. */
const ofPackages = /^(?:npm|pypi|maven|crate|nuget|rubygems|go|helm|git|github|gitlab)[:-]/;

/**
 * The first stated digest that differs from the recorded ones, or else that none of them could be compared. A digest that cannot
 * be read is no recorded one.
 */
function compareDigests(
  { digests: stated = [], isImage }: Item,
  release: DetailedRelease,
): Comparison | undefined {
  const recorded = new Set(
    digestsOf(release).flatMap(([source, digest]) => (isImage && ofPackages.test(source) ? [] : [digest])),
  );
  const { version } = release;
  const known = new Set<string>(Array.from(recorded, algorithmOf));
  const isWrong = (digest: string) =>
    !recorded.has(digest) && (known.has(algorithmOf(digest)) || (!isDigest(digest) && recorded.size > 0));
  const wrong = stated.find(isWrong);
  if (wrong !== undefined)
    return { isWrong: true, message: `${shown(wrong)} is not a digest that is recorded for ${version}.` };
  if (stated.length === 0 || stated.some((digest) => recorded.has(digest))) return undefined;
  const algorithm = isDigest(stated[0]!) ? `${algorithmOf(stated[0]!)} digest` : 'digest';
  return { isWrong: false, message: `No ${algorithm} of ${version} is recorded.` };
}

/** A readable digest as it is, any other text in quotes. */
function shown(digest: string): string {
  return isDigest(digest) ? digest : quote(digest);
}
