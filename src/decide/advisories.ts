import type { Advisory } from '../core/schemas/advisory.ts';
import { severities } from '../core/schemas/advisory.ts';
import { parseVersion, rankKey, type Version } from '../core/version.ts';
import { parseOrderedRange } from '../core/version-range.ts';

export type Severity = NonNullable<Advisory['severity']>;

/** The advisories on a release. */
export interface Security {
  /** Those that affect it. */
  readonly advisories: readonly Advisory[];
  /** Those that it fixes. */
  readonly fixes: readonly Advisory[];
}

/** Those of a definition and those of its sources, by id. The definition has the last word on one that both have. */
export function uniteAdvisories(stated: readonly Advisory[], recorded: readonly Advisory[]): Advisory[] {
  const byId = new Map([...recorded, ...stated].map((advisory) => [advisory.id, advisory]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Finds what advisories say of a version. */
export function securityBy(all: readonly Advisory[]): (version: Version) => Security {
  const rules = all.map((advisory) => ({
    advisory,
    isAffected: parseOrderedRange(advisory.affected)!,
    fixed: new Set((advisory.fixed ?? []).map(parseVersion).map((version) => version && rankKey(version))),
  }));
  const advisoriesOf = (found: typeof rules) => found.map(({ advisory }) => advisory);
  return (version) => ({
    advisories: advisoriesOf(rules.filter(({ isAffected }) => isAffected(version))),
    fixes: advisoriesOf(rules.filter(({ fixed }) => fixed.has(rankKey(version)))),
  });
}

/** The greatest that is stated. */
export function greatestSeverity(advisories: readonly Advisory[]): Severity | undefined {
  return severities.findLast((severity) => advisories.some((advisory) => advisory.severity === severity));
}
