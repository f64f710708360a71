import type { Row } from '../../core/query/fields.ts';
import { listTerms } from '../../core/query/query-terms.ts';
import type { ReadPolicy } from './scan-policies.ts';
import { completeRow } from '../../core/query/rows.ts';
import { judgeQuery } from '../../core/query/selection.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import { keepByObject, pick } from '../../core/model/objects.ts';
import { endFacts } from '../../core/model/phases.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import {
  listDetailRows,
  type DetailsOn,
  type PublishedReleaseOn,
} from '../answers/component-on.ts';
import type { PublishedIndex } from '../answers/published-index.ts';
import { computeFreshnessOn } from '../answers/silence.ts';
import { joinReason } from '../answers/version-answer.ts';

/** The releases of a component as query rows, by version. */
type Rows = ReadonlyMap<string | undefined, Row>;

/** Returns a function that makes the rows of a component once: a scan may have thousands of its versions. */
export async function openRows(index: PublishedIndex) {
  const day = await index.day();
  const status = await index.status();
  return keepByObject((details: DetailsOn): Rows => {
    const freshness = computeFreshnessOn(status, details.component, day);
    const rows = listDetailRows(details, freshness).map((row) => completeRow(row, day));
    return new Map(rows.map((row) => [row.version, row]));
  });
}

/** The result of a policy, without the place of the item. */
export type ReleaseScan = Omit<PolicyScan, 'thing' | 'purl' | 'file' | 'line'> & {
  /** Unknown only because no source of advisories is watched for the component. */
  readonly isUnwatched?: true | undefined;
};

/** A version of an item, with the facts by which policies judge it. */
export interface ScannedVersion {
  readonly rows: Rows;
  /** Undefined for a version that the index does not list. */
  readonly release: PublishedReleaseOn | undefined;
  readonly answer: VersionAnswer;
}

export function judgeByPolicy(policy: ReadPolicy, judged: ScannedVersion): ReleaseScan {
  const { release, answer } = judged;
  const row = release && judged.rows.get(release.version);
  const status = row ? judgeRow(policy, row) : judgeUnlisted(policy, judged);
  const details = {
    component: answer.component,
    version: answer.version,
    // The facts by which the version was judged.
    reason: row && !policy.isBuiltIn ? describeCondition(policy, row) : joinReason(answer),
    changelogUrl: release?.changelogUrl,
    ...pick(answer, endFacts),
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

/**
 * An unlisted version fails if the support of its line has ended and every release of the line fails the policy. A line without
 * releases is judged by the end of its support.
 */
function judgeUnlisted(
  { selects }: ReadPolicy,
  { rows, answer: { isSupported, line } }: ScannedVersion,
): PolicyScan['status'] {
  const rowsOfLine = [...rows.values()].filter((row) => row.line === line);
  const candidates = rowsOfLine.length > 0 ? rowsOfLine : [{ isSupported }];
  const maySatisfy =
    isSupported !== false || candidates.some((row) => judgeQuery(selects, row) !== false);
  return maySatisfy ? 'unknown' : 'unsatisfied';
}

/** Whether the result is unknown only because advisories are: without any, the release would satisfy the policy. */
function lacksOnlyAdvisories({ selects }: ReadPolicy, row: Row): boolean {
  return (
    row.isVulnerable === undefined && judgeQuery(selects, { ...row, isVulnerable: false }) === true
  );
}

/** `The policy asks for -isDeprecated. Of 2025.1: isDeprecated true.`: the query of an own policy, and the values of its fields. */
function describeCondition({ query, selects }: ReadPolicy, row: Row): string {
  const valuesByField: Readonly<Record<string, unknown>> = row;
  const values = new Set<string>();
  // A text without a field is looked for in several; only the first one is shown.
  for (const { fields } of listTerms(selects)) {
    const [field] = fields;
    if (field) {
      const value = valuesByField[field.name] ?? 'unknown';
      const shown = typeof value === 'string' ? value : JSON.stringify(value);
      values.add(`${field.name} ${toLine(shown)}`);
    }
  }
  return `The policy asks for ${query}. Of ${row.version}: ${[...values].join(', ')}.`;
}

/**
 * The result of a policy. `advice`: the remediation if the policy is built-in. An own policy has a fixed one, given for components of
 * the index.
 */
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
