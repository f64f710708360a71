import { findAlgorithm, isDigest } from '../../core/model/digest.ts';
import { purlTypes } from '../../core/model/purl.ts';
import { lowerAscii, quote } from '../../core/text/foreign-text.ts';
import type { DetailsOn, PublishedReleaseOn } from '../answers/details-on.ts';
import type { Item } from '../texts/text-entries.ts';

/** The result of a comparison with recorded values, as a sentence. */
export interface ItemComparison {
  readonly isWrong: boolean;
  readonly message: string;
}

/**
 * Compares the stated digests and repository of an item with the recorded ones. Returns the differences, or else what could not be
 * compared; undefined if everything is equal.
 */
export function compareItem(
  item: Item,
  details: DetailsOn,
  release: PublishedReleaseOn,
): ItemComparison | undefined {
  const comparisons = [
    compareDigests(item, release),
    compareRepository(item.repositoryUrl, details),
  ].filter((comparison) => comparison !== undefined);
  const isWrong = comparisons.some((comparison) => comparison.isWrong);
  const messages = comparisons
    .filter((each) => each.isWrong === isWrong)
    .map(({ message }) => message);
  return messages.length === 0 ? undefined : { isWrong, message: messages.join(' ') };
}

function compareRepository(
  repositoryUrl: string | undefined,
  { component, sourceRepository }: DetailsOn,
): ItemComparison | undefined {
  if (repositoryUrl === undefined) {
    return undefined;
  }
  if (sourceRepository === undefined) {
    return { isWrong: false, message: `The source repository of ${component} is not recorded.` };
  }
  if (normaliseAddress(repositoryUrl) === normaliseAddress(sourceRepository)) {
    return undefined;
  }

  return {
    isWrong: true,
    message: `${component} is built from ${sourceRepository}, not from ${repositoryUrl}.`,
  };
}

/** The digests of a release with their sources. The digest of a tag in a repository is a commit id. */
export function listDigests({
  digests = {},
}: PublishedReleaseOn): [source: string, digest: string][] {
  const pairs: [string, string][] = [];
  for (const [source, artifacts] of Object.entries(digests)) {
    const isRepository = /^(?:git|github|gitlab)-/.test(source);
    for (const digest of Object.values(artifacts).flatMap((texts) => texts.split(' '))) {
      if (!isRepository || !digest.startsWith('sha1:')) {
        pairs.push([source, digest]);
      }
    }
  }
  return pairs;
}

/** Whether the digests of a source belong to packages, never to images. */
function isOfPackages(source: string): boolean {
  const [datasource = ''] = source.split(':');
  return datasource !== 'docker' && (datasource in purlTypes || datasource === 'git-tags');
}

/**
 * The first stated digest that differs from the recorded ones, or else a message that none could be compared. An unreadable digest
 * differs.
 */
function compareDigests(
  { digests: itemDigests = [], isImage }: Item,
  release: PublishedReleaseOn,
): ItemComparison | undefined {
  const recorded = new Set(
    listDigests(release)
      .filter(([source]) => !(isImage && isOfPackages(source)))
      .map(([, digest]) => digest),
  );
  const { version } = release;
  const algorithms = new Set<string>(Array.from(recorded, findAlgorithm));
  const wrong = itemDigests.find((digest) => {
    const isComparable = isDigest(digest)
      ? algorithms.has(findAlgorithm(digest))
      : recorded.size > 0;
    return isComparable && !recorded.has(digest);
  });
  if (wrong !== undefined) {
    const digest = isDigest(wrong) ? wrong : quote(wrong);
    const message = `${digest} is not a digest that is recorded for ${version}.`;
    return { isWrong: true, message };
  }

  const [first] = itemDigests;
  if (first === undefined || itemDigests.some((digest) => recorded.has(digest))) {
    return undefined;
  }

  const algorithm = isDigest(first) ? `${findAlgorithm(first)} digest` : 'digest';
  const suffix = algorithms.size === 0 ? '' : `, only ${Array.from(algorithms).join(' and ')}`;
  return { isWrong: false, message: `No ${algorithm} of ${version} is recorded${suffix}.` };
}

/**
 * Equal for two addresses, of the web or of git, of one repository: without protocol, `.git`, the user of git, and the port of SSH,
 * which the address on the web does not have. Hosts ignore case.
 */
function normaliseAddress(address: string): string {
  const path = lowerAscii(address)
    .replace(/^git@([^/:]+):/, '$1/')
    .replace(/(?<=ssh:\/\/[^/:]+):\d+/, '')
    .replace(/^(?:(?:git\+)?(?:https?|ssh|git):\/\/)?(?:git@)?(?:www\.)?/, '');
  return path.replace(/\/$/, '').replace(/\.git$/, '');
}
