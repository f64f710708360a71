import type { Day } from '../../core/model/dates.ts';
import { isDigest } from '../../core/model/digest.ts';
import type { Row } from '../../core/query/fields.ts';
import { judgeQuery } from '../../core/query/match.ts';
import { listTerms } from '../../core/query/query-terms.ts';
import { joinRow, addAges } from '../../core/query/rows.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import type { ReadPolicy } from '../../core/schemas/published/small-files.ts';
import type { ComponentStatus } from '../../core/schemas/published/status-file.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { createMemory } from '../answers/answer-index.ts';
import { listDetailRows, type DetailsOn, type PublishedReleaseOn } from '../answers/details-on.ts';
import type { PublishedIndex } from '../answers/published-index.ts';
import { joinReason } from '../answers/version-answer.ts';
import { listDigests } from './compare-item.ts';

/** The result of a policy, without the place of the item. */
export type ReleaseScan = Omit<PolicyScan, 'thing' | 'purl' | 'file' | 'line'> & {
  /** Unknown only because no source of advisories has answered for the component. */
  readonly isUnwatched?: true | undefined;
};

/** The result of a policy for a version. `release`: undefined for an unlisted version. */
export function judgeByPolicy(
  policy: ReadPolicy,
  component: OpenedComponent,
  release: PublishedReleaseOn | undefined,
  answer: VersionAnswer,
): ReleaseScan {
  const { version, supportedUntil, supportedUntilAtMost, inferred, moveTo, advice } = answer;
  const { severity, releasesBehind, behind } = answer;
  const status = judgeStatus(policy, component, release, answer);
  const isUnknown = status === 'unknown';

  const result = describeResult(policy, status, {
    component: component.details.component,
    version,
    reason: explainResult(policy, component, release, answer),
    changelogUrl: release?.changelogUrl,
    supportedUntil,
    supportedUntilAtMost,
    inferred,
    advisories: release?.advisories,
    severity,
    releasesBehind,
    behind,
    moveTo,
  });
  if (!release && isUnknown) {
    return result;
  }

  return {
    ...result,
    ...(policy.isBuiltIn && moveTo && { policyRemediation: advice }),
    isUnwatched: (release && isUnknown && isUnwatched(policy, component, release)) || undefined,
  };
}

/** An unlisted version fails with its line: if support of the line has ended, and no release of the line satisfies the policy. */
function judgeStatus(
  { selects }: ReadPolicy,
  component: OpenedComponent,
  release: PublishedReleaseOn | undefined,
  { isSupported, line }: VersionAnswer,
): PolicyScan['status'] {
  if (release) {
    const isSatisfied = judgeQuery(selects, component.findRow(release));
    if (isSatisfied === undefined) {
      return 'unknown';
    }

    return isSatisfied ? 'satisfied' : 'unsatisfied';
  }

  const maySatisfy =
    isSupported !== false ||
    component.details.releases.some(
      (other) => other.line === line && judgeQuery(selects, component.findRow(other)) !== false,
    );
  return maySatisfy ? 'unknown' : 'unsatisfied';
}

/** Whether the result is unknown only because the component has no watched advisories. */
function isUnwatched(
  { selects }: ReadPolicy,
  component: OpenedComponent,
  release: PublishedReleaseOn,
): boolean {
  const row = component.findRow(release);
  return (
    row.isVulnerable === undefined && judgeQuery(selects, { ...row, isVulnerable: false }) === true
  );
}

/** The facts of the result, and a fact that the policy needs and the index does not have. */
function explainResult(
  policy: ReadPolicy,
  component: OpenedComponent,
  release: PublishedReleaseOn | undefined,
  answer: VersionAnswer,
): string {
  if (!release) {
    return joinReason(answer);
  }

  const facts = policy.isBuiltIn
    ? joinReason(answer)
    : describeCondition(policy, component, release);
  const fields = listTerms(policy.selects).flatMap((term) => term.fields);
  const isRepositoryAsked = fields.some(({ name }) => name === 'repository');
  return isRepositoryAsked && component.details.sourceRepository === undefined
    ? `${facts} Its source repository is not recorded.`
    : facts;
}

/** The condition of an own policy, and what the release has of it. */
function describeCondition(
  { query, selects }: ReadPolicy,
  component: OpenedComponent,
  release: PublishedReleaseOn,
): string {
  const row: Readonly<Record<string, unknown>> = { ...component.findRow(release) };
  const values = new Set<string>();
  for (const { fields } of listTerms(selects)) {
    for (const { name } of fields.slice(0, 1)) {
      const { [name]: value = 'unknown' } = row;
      values.add(`${name} ${toLine(typeof value === 'string' ? value : JSON.stringify(value))}`);
    }
  }
  return `The policy asks for ${query}. Of ${release.version}: ${[...values].join(', ')}.`;
}

/** A result without a release. */
export function describeResult(
  policy: ReadPolicy,
  status: PolicyScan['status'],
  details: ReleaseScan['details'],
): ReleaseScan {
  const { labels = {}, name, isBuiltIn, description, remediation } = policy;
  const policyUri = `/policies/${isBuiltIn ? 'built-in' : 'own'}/${name}`;

  // The advice of a built-in policy is what to move to.
  const hasAdvice = !isBuiltIn && details.component !== undefined;
  return {
    labels,
    status,
    policyUri,
    policyDescription: description,
    ...(hasAdvice && { policyRemediation: remediation }),
    attestationUri: null,
    sourcedFromUri: null,
    details,
  };
}

/** A component with lookup tables, made when first used: a scan may have thousands of items. */
export interface OpenedComponent {
  readonly details: DetailsOn;
  /** The release of the artifact with a digest. */
  findByDigest(digest: string): PublishedReleaseOn | undefined;
  /** The release as a query row. */
  findRow(release: PublishedReleaseOn): Row;
}

/** Components by name, each read once. `day`: from which ages count. */
export async function openComponents(index: PublishedIndex, day: Day) {
  const { components } = await index.status();
  const { once } = createMemory();

  return (name: string) =>
    once(name, async () => {
      // A document may name thousands of other items; read only existing files.
      const isThere = await index.has(`details/${name}.json`);
      const details = isThere ? await index.details(name) : undefined;
      return details && openComponent(details, components[name]?.state, day);
    });
}

function openComponent(
  details: DetailsOn,
  freshness: ComponentStatus['state'] | undefined,
  day: Day,
): OpenedComponent {
  let byDigest: ReadonlyMap<string, PublishedReleaseOn> | undefined;
  let rows: ReadonlyMap<string, Row> | undefined;

  return {
    details,
    findByDigest(digest) {
      byDigest ??= mapReleasesByDigest(details.releases);
      return isDigest(digest) ? byDigest.get(digest) : undefined;
    },
    findRow({ version }) {
      rows ??= new Map(
        listDetailRows(details, freshness).map((release) => [
          release.row.version,
          addAges(joinRow(release), day),
        ]),
      );
      return rows.get(version)!;
    },
  };
}

/** The release with each digest; the oldest one if several have it. */
function mapReleasesByDigest(
  releases: readonly PublishedReleaseOn[],
): Map<string, PublishedReleaseOn> {
  const byDigest = new Map<string, PublishedReleaseOn>();
  for (const release of releases.toReversed()) {
    for (const [, digest] of listDigests(release)) {
      byDigest.set(digest, release);
    }
  }
  return byDigest;
}
