import { pick } from '../../core/model/objects.ts';
import type { Row } from '../../core/query/fields.ts';
import { judgeQuery } from '../../core/query/selection.ts';
import { listTerms, type ReadPolicy } from '../../core/query/query-terms.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import { toLine, lowerAscii, quote } from '../../core/text/foreign-text.ts';
import { listDigests, type PublishedReleaseOn, type DetailsOn } from '../answers/component-on.ts';
import { joinReason } from '../answers/version-answer.ts';
import type { OpenedComponent } from './opened-component.ts';
import { findAlgorithm, isDigest } from '../../core/model/digest.ts';
import { purlTypes } from '../../core/model/package-names.ts';
import type { Item } from '../texts/text-entries.ts';

/** The result of a policy, without the place of the item. */
export type ReleaseScan = Omit<PolicyScan, 'thing' | 'purl' | 'file' | 'line'> & {
  /** Unknown only because no source of advisories is watched for the component. */
  readonly isUnwatched?: true | undefined;
};

interface JudgedVersion {
  readonly component: OpenedComponent;
  /** Undefined for a version that the index does not list. */
  readonly release: PublishedReleaseOn | undefined;
  readonly answer: VersionAnswer;
}

export function judgeByPolicy(policy: ReadPolicy, judged: JudgedVersion): ReleaseScan {
  const { component, release, answer } = judged;
  const row = release && component.findRow(release);
  const status = row ? judgeRow(policy, row) : judgeUnlisted(policy, component, answer);
  const details = {
    component: component.details.component,
    version: answer.version,
    // The facts by which the version was judged.
    reason: row && !policy.isBuiltIn ? describeCondition(policy, row) : joinReason(answer),
    changelogUrl: release?.changelogUrl,
    ...pick(answer, ['supportedUntil', 'supportedUntilAtMost', 'inferred']),
    advisories: release?.advisories,
    ...pick(answer, ['severity', 'releasesBehind', 'behind', 'moveTo']),
  };

  // An unlisted version may not exist: it gets no advice to move, unless its line fails the policy.
  const isAdvised = answer.moveTo !== undefined && (release !== undefined || status !== 'unknown');
  const result = createResult(policy, status, details, isAdvised ? answer.advice : undefined);
  const isUnwatched = status === 'unknown' && row && lacksOnlyAdvisories(policy, row);
  return isUnwatched ? { ...result, isUnwatched } : result;
}

function judgeRow({ selects }: ReadPolicy, row: Row): PolicyScan['status'] {
  const isSatisfied = judgeQuery(selects, row);
  if (isSatisfied === undefined) {
    return 'unknown';
  }

  return isSatisfied ? 'satisfied' : 'unsatisfied';
}

/** An unlisted version fails if the support of its line has ended and no release of the line satisfies the policy. */
function judgeUnlisted(
  { selects }: ReadPolicy,
  component: OpenedComponent,
  { isSupported, line }: VersionAnswer,
): PolicyScan['status'] {
  const releases = component.details.releases.filter((release) => release.line === line);
  const maySatisfy =
    isSupported !== false ||
    releases.some((release) => judgeQuery(selects, component.findRow(release)) !== false);
  return maySatisfy ? 'unknown' : 'unsatisfied';
}

/** Whether it is only unknown if advisories affect a release: without any, it would satisfy the policy. */
function lacksOnlyAdvisories({ selects }: ReadPolicy, row: Row): boolean {
  return (
    row.isVulnerable === undefined && judgeQuery(selects, { ...row, isVulnerable: false }) === true
  );
}

/** `The policy asks for -isDeprecated. Of 2025.1: isDeprecated true.`: the query of an own policy, and the values of its fields. */
function describeCondition({ query, selects }: ReadPolicy, row: Row): string {
  const valuesByField: Readonly<Record<string, unknown>> = { ...row };
  const values = new Set<string>();
  // A text without a field is looked for in several; only the first one is shown.
  for (const { fields } of listTerms(selects)) {
    const [field] = fields;
    if (field) {
      const { [field.name]: value = 'unknown' } = valuesByField;
      const shown = typeof value === 'string' ? value : JSON.stringify(value);
      values.add(`${field.name} ${toLine(shown)}`);
    }
  }
  return `The policy asks for ${query}. Of ${row.version}: ${[...values].join(', ')}.`;
}

/** The result of a policy. `advice`: what to do by a built-in policy; an own one states it for each known component. */
export function createResult(
  policy: ReadPolicy,
  status: PolicyScan['status'],
  details: ReleaseScan['details'],
  advice?: string,
): ReleaseScan {
  const { labels = {}, name, isBuiltIn, description, remediation } = policy;
  const ownRemedy = details.component === undefined ? undefined : remediation;
  return {
    labels,
    status,
    policyUri: `/policies/${isBuiltIn ? 'built-in' : 'own'}/${name}`,
    policyDescription: description,
    policyRemediation: isBuiltIn ? advice : ownRemedy,
    attestationUri: null,
    sourcedFromUri: null,
    details,
  };
}

/** Why an item does not equal the recorded values, as a sentence. */
interface ItemComparison {
  /** Whether they differ; otherwise they cannot be compared. */
  readonly isWrong: boolean;
  readonly message: string;
}

/**
 * Compares the stated digests and repository of an item with the recorded ones. Returns what differs, or else what could not be
 * compared; undefined if everything is equal.
 */
export function compareItem(
  item: Item,
  details: DetailsOn,
  release: PublishedReleaseOn,
): ItemComparison | undefined {
  const digests = compareDigests(item, release);
  const repository = compareRepository(item.repositoryUrl, details);
  if (!digests || !repository) {
    return digests ?? repository;
  }
  if (digests.isWrong !== repository.isWrong) {
    return digests.isWrong ? digests : repository;
  }

  return { ...digests, message: `${digests.message} ${repository.message}` };
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

/** Whether the digests of a source belong to packages, never to images. */
function isOfPackages(source: string): boolean {
  const [datasource = ''] = source.split(':');
  return datasource !== 'docker' && (datasource in purlTypes || datasource === 'git-tags');
}

/** Names the first stated digest that differs, or else says that none could be compared. An unreadable digest differs from any. */
function compareDigests(
  { digests: itemDigests = [], isImage }: Item,
  release: PublishedReleaseOn,
): ItemComparison | undefined {
  const { version } = release;
  const comparable = listDigests(release).filter(([source]) => !isImage || !isOfPackages(source));
  const recorded = new Set(comparable.map(([, digest]) => digest));
  const algorithms = new Set<string>(Array.from(recorded, findAlgorithm));
  for (const digest of itemDigests) {
    const isReadable = isDigest(digest);
    const isComparable = isReadable ? algorithms.has(findAlgorithm(digest)) : recorded.size > 0;
    if (isComparable && !recorded.has(digest)) {
      const subject = isReadable ? digest : quote(digest);
      const message = `${subject} is not a digest that is recorded for ${version}.`;
      return { isWrong: true, message };
    }
  }

  const [first] = itemDigests;
  if (first === undefined || itemDigests.some((digest) => recorded.has(digest))) {
    return undefined;
  }

  const noun = isDigest(first) ? `${findAlgorithm(first)} digest` : 'digest';
  const suffix = algorithms.size === 0 ? '' : `, only ${Array.from(algorithms).join(' and ')}`;
  return { isWrong: false, message: `No ${noun} of ${version} is recorded${suffix}.` };
}

/**
 * The host and path that the addresses of a repository on the web and in git share, in lower case: `github.com/example/agent` for
 * `https://www.github.com/example/agent/`, `git@github.com:example/agent.git` and `git+ssh://git@github.com:22/example/agent`.
 */
function normaliseAddress(address: string): string {
  return lowerAscii(address)
    .replace(/^git@([^/:]+):/, '$1/')
    .replace(/(?<=ssh:\/\/[^/:]+):\d+/, '')
    .replace(/^(?:(?:git\+)?(?:https?|ssh|git):\/\/)?(?:git@)?(?:www\.)?/, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
}
