import { findAlgorithm, isDigest } from '../../core/model/digest.ts';
import { purlTypes } from '../../core/model/package-names.ts';
import { lowerAscii, quote } from '../../core/text/foreign-text.ts';
import { listDigests, type DetailsOn, type PublishedReleaseOn } from '../answers/component-on.ts';
import type { Item } from '../texts/text-entries.ts';
import type { ReleaseScan } from './judge-release.ts';

/** Why an item does not equal the recorded values, as a sentence. */
interface ItemComparison {
  /** Whether they differ; otherwise they cannot be compared. */
  readonly isWrong: boolean;
  readonly message: string;
}

/**
 * Compares the stated digests and repository of an item with the recorded ones. Returns what differs, or else what could not be
 * compared; undefined if neither is the case.
 */
export function compareItem(
  item: Item,
  details: DetailsOn,
  release: PublishedReleaseOn,
): ItemComparison | undefined {
  const digests = compareDigests(item, release);
  const repository = compareRepository(item.repositoryUrl, details);
  const comparisons = [digests, repository].filter((comparison) => comparison !== undefined);
  const wrong = comparisons.filter(({ isWrong }) => isWrong);
  const shown = wrong.length > 0 ? wrong : comparisons;
  if (shown.length === 0) {
    return undefined;
  }

  const message = shown.map((comparison) => comparison.message).join(' ');
  return { isWrong: wrong.length > 0, message };
}

/** The result of a policy with that of a comparison. Wrong digests and repositories fail every policy. */
export function addComparison(
  scan: ReleaseScan,
  comparison: ItemComparison | undefined,
): ReleaseScan {
  if (!comparison) {
    return scan;
  }

  const { status, policyRemediation = '', details } = scan;
  const { isWrong, message } = comparison;
  if (!isWrong) {
    return { ...scan, details: { ...details, message } };
  }

  const hasFailed = status === 'unsatisfied';
  const reason = hasFailed ? `${message} ${details.reason}` : message;
  const remedy = `Find out where these bytes are from. ${hasFailed ? policyRemediation : ''}`;
  return {
    ...scan,
    status: 'unsatisfied',
    policyRemediation: remedy.trimEnd(),
    details: { ...details, reason, message },
  };
}

/**
 * Names the first stated digest that differs, or else says that none could be compared. An unreadable digest differs from every
 * recorded one.
 */
function compareDigests(item: Item, release: PublishedReleaseOn): ItemComparison | undefined {
  const { digests = [] } = item;
  const { version } = release;
  const { right, comparable } = listComparableDigests(item, release);
  const algorithms = new Set<string>(comparable.map(findAlgorithm));

  const isComparable = (digest: string) =>
    isDigest(digest) ? algorithms.has(findAlgorithm(digest)) : comparable.length > 0;
  const wrong = digests.find((digest) => isComparable(digest) && !right.has(digest));
  if (wrong !== undefined) {
    const subject = isDigest(wrong) ? wrong : quote(wrong);
    return {
      isWrong: true,
      message: `${subject} is not a digest that is recorded for ${version}.`,
    };
  }

  const [first] = digests;
  if (first === undefined || digests.some((digest) => right.has(digest))) {
    return undefined;
  }

  const noun = isDigest(first) ? `${findAlgorithm(first)} digest` : 'digest';
  const suffix = algorithms.size === 0 ? '' : `, only ${Array.from(algorithms).join(' and ')}`;
  return { isWrong: false, message: `No ${noun} of ${version} is recorded${suffix}.` };
}

/**
 * The recorded digests that are right for an item, and those that another digest contradicts: of an image, none of packages; of a
 * package, those of its type alone, if there are any, since each type has other bytes. Any digest of the release is right for a
 * package, as a bill may state several package URLs with the digests of one, and a document of any kind may record those of a package.
 */
function listComparableDigests({ isImage, purl }: Item, release: PublishedReleaseOn) {
  const recorded = listDigests(release).map(([source, digest]) => {
    const [datasource = ''] = source.split(':');
    return { digest, type: datasource === 'git-tags' ? 'git' : purlTypes[datasource] };
  });
  const possible = isImage ? recorded.filter(({ type = 'docker' }) => type === 'docker') : recorded;
  const ofType = possible.filter(({ type }) => type !== undefined && type === purl?.type);
  const right = possible.map(({ digest }) => digest);
  const comparable = ofType.length > 0 && !isImage ? ofType.map(({ digest }) => digest) : right;
  return { right: new Set(right), comparable };
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

/**
 * The host and path that the addresses of a repository on the web and in git share, in lower case: `github.com/example/agent` for
 * `https://www.github.com/example/agent/`, `git@github.com:example/agent.git` and `git+ssh://git@github.com:22/example/agent`.
 */
function normaliseAddress(address: string): string {
  // An address may be in the form of scp, `git@github.com:example/agent`, or have no scheme.
  const text = address.replace(/^git@([^/:]+):/, 'ssh://$1/').replace(/^git\+/, '');
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (!url) {
    return address;
  }

  // Only the web may have another repository at another port.
  const host = /^https?:$/.test(url.protocol) ? url.host : url.hostname;
  return lowerAscii(`${host}${url.pathname}`).replaceAll(/^www\.|(?:\.git)?\/?$/g, '');
}
