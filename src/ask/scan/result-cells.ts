import type { PlanMove } from '../../core/schemas/published/plan-answer.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { rankHarm, type ItemResults } from './scan-results.ts';

/** `31 releases, 730 days`; empty for the latest. */
export function describeBehind({ releasesBehind, behind }: PolicyScan['details']): string {
  if (releasesBehind === undefined) {
    return '';
  }

  // A result states days as a published duration, in the form of ISO 8601.
  const days = /^P(\d+)D$/.exec(behind ?? '')?.[1];
  const releases = formatCount(releasesBehind, 'release');
  return days === undefined ? releases : `${releases}, ${formatCount(Number(days), 'day')}`;
}

/** `CVE-2026-1234 (high)`; empty if no advisory affects the release. */
export function describeAdvisories({ advisories = [], severity }: PolicyScan['details']): string {
  const rating = advisories.length > 0 && severity !== undefined ? ` (${severity})` : '';
  return `${formatList(advisories, 3)}${rating}`;
}

/** The worst status of an item, and the policies with this status: `unsatisfied (supported)`. */
export function describeStatus(itemResults: ItemResults): string {
  // A note names the components without a source of advisories once, not in each row.
  const watched = itemResults.filter(({ isUnwatched }) => !isUnwatched);
  const results = watched.length > 0 ? watched : itemResults;
  const worst = results.reduce((a, b) => (rankHarm(b.scan) > rankHarm(a.scan) ? b : a));
  const { status, details } = worst.scan;
  if (status === 'satisfied' || status === 'not-applicable') {
    return status;
  }

  const until = status === 'excepted' ? ` until ${details.exception?.until}` : '';
  const policies = results
    .filter(({ scan }) => scan.status === status)
    .map(({ policy }) => policy.name);
  return `${status}${until} (${policies.join(', ')})`;
}

/**
 * The version to which the plan moves an item, else the release that its first failed policy recommends, else the first that any
 * of its policies recommends; empty if there is none.
 */
export function describeTarget(results: ItemResults, move: PlanMove | undefined): string {
  const withTarget = results.filter(({ scan }) => scan.details.moveTo);
  const failed = withTarget.find(({ scan }) => scan.status === 'unsatisfied');
  const target = move?.to ?? (failed ?? withTarget[0])?.scan.details.moveTo;
  return target ? [target.component, target.version].filter(Boolean).join(' ') : '';
}
