import { judgeQuery } from '../../core/query/match.ts';
import { listTerms } from '../../core/query/parse.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import type { ReadPolicy } from '../../core/schemas/published/small-files.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import type { PublishedReleaseOn } from '../answers/details-on.ts';
import { joinReason } from '../answers/version-answer.ts';
import { describeDistance, type OpenedComponent } from './opened-component.ts';

/** The result of a policy, without the place of the item. */
export type ReleaseScan = Omit<PolicyScan, 'thing' | 'purl' | 'file' | 'line'> & {
  /** Unknown only because no source of advisories has answered for the component. */
  readonly isUnwatched?: true | undefined;
};

/** An unlisted version fails with its line: if support of the line has ended, and no release of the line satisfies the policy. */
export function judgeByPolicy(
  policy: ReadPolicy,
  component: OpenedComponent,
  release: PublishedReleaseOn | undefined,
  answer: VersionAnswer,
): ReleaseScan {
  const { version, supportedUntil, supportedUntilAtMost, inferred, line, moveTo, advice } = answer;
  const { component: name, releases } = component.details;
  const truthFor = (candidate: PublishedReleaseOn) =>
    judgeQuery(policy.selects, component.createRow(candidate));
  const truth = release && truthFor(release);
  const unknown = release ? unknownWords(policy, component) : [];
  const facts =
    release && !policy.isBuiltIn ? describeAsked(policy, component, release) : joinReason(answer);
  const reason = [facts, ...unknown].join(' ');
  const { changelogUrl, advisories, severity } = release ?? {};
  const distance = release && describeDistance(release);

  const details = {
    component: name,
    version,
    reason,
    changelogUrl,
    supportedUntil,
    supportedUntilAtMost,
    inferred,
    advisories,
    severity,
    ...distance,
    moveTo,
  };

  const isOpen = () =>
    answer.isSupported !== false ||
    releases.some((other) => other.line === line && truthFor(other) !== false);
  if (!release && isOpen()) {
    return describeResult(policy, 'unknown', details);
  }

  const isUnknown = release !== undefined && truth === undefined;
  const notSatisfied = isUnknown ? 'unknown' : 'unsatisfied';
  const status = truth ? 'satisfied' : notSatisfied;
  return {
    ...describeResult(policy, status, details),
    ...(policy.isBuiltIn && moveTo && { policyRemediation: advice }),
    isUnwatched: (isUnknown && isUnwatched(policy, component, release)) || undefined,
  };
}

/** Whether the result is unknown only because the component has no watched advisories. */
function isUnwatched(
  { selects }: ReadPolicy,
  component: OpenedComponent,
  release: PublishedReleaseOn,
): boolean {
  const row = component.createRow(release);
  return (
    row.isVulnerable === undefined && judgeQuery(selects, { ...row, isVulnerable: false }) === true
  );
}

/** The condition of an own policy, and what the release has of it. */
function describeAsked(
  { query, selects }: ReadPolicy,
  component: OpenedComponent,
  release: PublishedReleaseOn,
): string {
  const row: Readonly<Record<string, unknown>> = { ...component.createRow(release) };
  const fields = listTerms(selects).flatMap((term) => term.fields.slice(0, 1));
  const names = [...new Set(fields.map(({ name }) => name))];
  const values = names.map((name) => {
    const value = row[name];
    return `${name} ${value === undefined ? 'unknown' : toLine(typeof value === 'string' ? value : JSON.stringify(value))}`;
  });
  return `The policy asks for ${query}. Of ${release.version}: ${values.join(', ')}.`;
}

/** Sentences with the facts that the policy needs and the index does not have. */
function unknownWords({ selects }: ReadPolicy, { details }: OpenedComponent): string[] {
  const fields = listTerms(selects).flatMap((term) => term.fields);
  const isRepositoryAsked = fields.some(({ name }) => name === 'repository');
  return isRepositoryAsked && details.sourceRepository === undefined
    ? ['Its source repository is not recorded.']
    : [];
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
  const advice = hasAdvice ? { policyRemediation: remediation } : {};
  const policyDetails = { policyUri, policyDescription: description, ...advice };
  return { labels, status, ...policyDetails, attestationUri: null, sourcedFromUri: null, details };
}
