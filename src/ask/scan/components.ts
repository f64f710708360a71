import { dayOf, daysBetween, type Day } from '../../core/dates.ts';
import { answeredRow } from '../../core/query/ages.ts';
import { releasesIn, rowOf } from '../../core/query/catalogue.ts';
import type { Row } from '../../core/query/fields.ts';
import { formatDuration } from '../../core/query/values.ts';
import { algorithmOf, isDigest } from '../../core/schemas/artifact-digests.ts';
import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import { isSameRepository } from '../../core/repository.ts';
import { quote } from '../../core/text.ts';
import { parseVersion, rankKey } from '../../core/version.ts';
import type { PublishedIndex } from '../published-index.ts';
import type { Item } from './items.ts';

type Release = DetailsFile['releases'][number];

/** A component with its releases by version and digest, so that thousands of items are found in it at once. */
export interface OpenedComponent {
  readonly details: DetailsFile;
  find(version: string): Release | undefined;
  /** The release of the artifact with a digest. */
  findByDigest(digest: string): Release | undefined;
  /** The release as queries see it. */
  rowOf(release: Release): Row;
}

/** Components by name, each read once. `day`: from which ages count. `files`: of the index, by path. */
export function openComponents(index: PublishedIndex, files: ReadonlyMap<string, unknown>, day: Day) {
  const opened = new Map<string, OpenedComponent | undefined>();

  return async function open(name: string): Promise<OpenedComponent | undefined> {
    // A document may name thousands of other items; read only existing files.
    if (!files.has(`details/${name}.json`)) return undefined;
    if (!opened.has(name)) {
      const details = await index.details(name);
      opened.set(name, details && (await openComponent(index, details, day)));
    }
    return opened.get(name);
  };
}

async function openComponent(
  index: PublishedIndex,
  details: DetailsFile,
  day: Day,
): Promise<OpenedComponent> {
  const catalogue = releasesIn(await index.catalogue(details.component), details.component);
  const placed = new Map(catalogue.map((release) => [release.own.version!, release]));
  const byVersion = new Map(details.releases.map((release) => [release.version, release]));
  const byRank = new Map(details.releases.map((release) => [rankOf(release.version), release]));
  const byDigest = new Map(
    details.releases
      .toReversed()
      .flatMap((release) => digestsOf(release).map(([, digest]) => [digest, release] as const)),
  );
  const rows = new Map<Release, Row>();
  const spelt = (version: string) => byVersion.get(version) ?? byRank.get(rankOf(version));
  return {
    details,
    find: (version) => spelt(version) ?? spelt(otherSpelling(version)),
    findByDigest: (digest) => byDigest.get(digest),
    rowOf(release) {
      const known = rows.get(release) ?? answeredRow(rowOf(placed.get(release.version)!), day);
      rows.set(release, known);
      return known;
    },
  };
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
function digestsOf({ digests = {} }: Release): [source: string, digest: string][] {
  return Object.entries(digests).flatMap(([source, artifacts]) =>
    Object.values(artifacts)
      .flatMap((texts) => texts.split(' '))
      .filter((digest) => !(/^(?:git|github|gitlab)-/.test(source) && digest.startsWith('sha1:')))
      .map((digest): [string, string] => [source, digest]),
  );
}

/** How far a release is behind the latest one; undefined for the latest, and where there is none. */
export function distanceOf(
  { latest, releases }: DetailsFile,
  release: Release,
): { releasesBehind: number; behind?: string } | undefined {
  const place = releases.indexOf(release);
  const newer = releases.slice(place + 1).filter((each) => !each.isDeprecated && !each.isPrerelease);
  const newest = newer.find(({ version }) => version === latest);
  if (!newest) return undefined;
  const isExact = [release, newest].every(({ timestampKind }) => timestampKind === 'published');
  const [from, to] = [release, newest].map(({ releaseTimestamp = '' }) => dayOf(releaseTimestamp));
  const days = isExact ? daysBetween(from!, to!) : 0;
  return {
    releasesBehind: newer.length,
    ...(days > 0 && { behind: formatDuration(days * 86_400_000) }),
  };
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
export function compareItem(item: Item, release: Release): Comparison | undefined {
  const all = [compareDigests(item, release), compareRepository(item.repositoryUrl, release)];
  const found = all.filter((comparison) => comparison !== undefined);
  const isWrong = found.some((comparison) => comparison.isWrong);
  const messages = found.filter((each) => each.isWrong === isWrong).map(({ message }) => message);
  return messages.length === 0 ? undefined : { isWrong, message: messages.join(' ') };
}

function compareRepository(
  stated: string | undefined,
  { version, provenance }: Release,
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
function compareDigests({ digests: stated = [], isImage }: Item, release: Release): Comparison | undefined {
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
