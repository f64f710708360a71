import type { Day } from '../../core/dates.ts';
import { answeredRow } from '../../core/query/ages.ts';
import { rowOf } from '../../core/query/catalogue.ts';
import type { Row } from '../../core/query/fields.ts';
import { algorithmOf } from '../../core/schemas/artifact-digests.ts';
import { isSameRepository } from '../../core/repository.ts';
import { parseVersion, rankKey } from '../../core/version.ts';
import type { DetailedRelease, DetailsOn } from '../details-on.ts';
import type { PublishedIndex } from '../published-index.ts';
import type { Item } from './items.ts';

/** A component with its releases by version, so that thousands of items are found in it at once. */
export interface OpenedComponent {
  readonly details: DetailsOn;
  readonly releases: ReadonlyMap<string, FoundRelease>;
  readonly byRank: ReadonlyMap<string, FoundRelease>;
}

/** `row`: as queries see it. */
export type FoundRelease = DetailedRelease & { readonly row: Row };

/** Components by name, each read once. `day`: from which ages count. `files`: of the index, by path. */
export function openComponents(index: PublishedIndex, files: ReadonlyMap<string, unknown>, day: Day) {
  const opened = new Map<string, OpenedComponent>();

  return async function open(name: string): Promise<OpenedComponent | undefined> {
    // Nothing is asked for that is not there: a document may name thousands of other items.
    if (!files.has(`details/${name}.json`)) return undefined;
    const known = opened.get(name);
    if (known) return known;
    const details = await index.details(name);
    if (!details) return undefined;
    const catalogue = await index.catalogue(details.component);
    const rows = new Map(
      catalogue.flatMap((release) => {
        const row = rowOf(release);
        return row.component === details.component ? [[row.version!, answeredRow(row, day)]] : [];
      }),
    );
    const releases = details.releases.map((release) => ({ ...release, row: rows.get(release.version)! }));
    const component = {
      details,
      releases: new Map(releases.map((release) => [release.version, release])),
      byRank: new Map(releases.map((release) => [rankKey(parseVersion(release.version)!), release])),
    };
    opened.set(name, component);
    return component;
  };
}

/** Spelt like this, or else of equal rank. */
export function releaseOf({ releases, byRank }: OpenedComponent, version: string): FoundRelease | undefined {
  const parsed = parseVersion(version);
  return releases.get(version) ?? (parsed && byRank.get(rankKey(parsed)));
}

/** The version of the image with a digest. */
export function releaseWith({ releases }: OpenedComponent, digest: string): string | undefined {
  if (!/^sha\d+:/.test(digest)) return undefined;
  const isOf = ({ digests = {} }: FoundRelease) =>
    Object.values(digests).some((artifacts) => Object.values(artifacts).includes(digest));
  return releases.values().find(isOf)?.version;
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
export function compareItem(
  { digests = [], repositoryUrl }: Item,
  release: FoundRelease,
): Comparison | undefined {
  const all = [compareDigests(digests, release), compareRepository(repositoryUrl, release)];
  const found = all.filter((comparison) => comparison !== undefined);
  const isWrong = found.some((comparison) => comparison.isWrong);
  const messages = found.filter((each) => each.isWrong === isWrong).map(({ message }) => message);
  return messages.length === 0 ? undefined : { isWrong, message: messages.join(' ') };
}

function compareRepository(
  stated: string | undefined,
  { version, provenance }: FoundRelease,
): Comparison | undefined {
  if (stated === undefined) return undefined;
  if (!provenance)
    return { isWrong: false, message: `The repository that ${version} was built from is not recorded.` };
  const { repository } = provenance;
  if (isSameRepository(stated, repository)) return undefined;
  return { isWrong: true, message: `${version} was built from ${repository}, not from ${stated}.` };
}

/** The first stated digest that differs from the recorded ones, or else that none of them could be compared. */
function compareDigests(stated: readonly string[], { version, digests = {} }: FoundRelease) {
  const recorded = new Set(
    Object.entries(digests).flatMap(([source, artifacts]) =>
      Object.values(artifacts)
        .flatMap((texts) => texts.split(' '))
        // Of a tag in a repository, the digest is that of a commit.
        .filter((digest) => !(/^(?:git|github|gitlab)-/.test(source) && digest.startsWith('sha1:'))),
    ),
  );
  const known = Array.from(recorded, algorithmOf);
  const wrong = stated.find((digest) => !recorded.has(digest) && known.includes(algorithmOf(digest)));
  if (wrong !== undefined)
    return { isWrong: true, message: `${wrong} is not a digest that is recorded for ${version}.` };
  const isCompared = stated.length === 0 || stated.some((digest) => recorded.has(digest));
  return isCompared
    ? undefined
    : { isWrong: false, message: `No ${algorithmOf(stated[0]!)} digest of ${version} is recorded.` };
}
