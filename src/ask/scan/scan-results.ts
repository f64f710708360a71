import { describeUnknownAdvisories } from '../../core/model/words.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import type { ReadPolicy } from '../../core/schemas/published/small-files.ts';
import { formatList } from '../../core/text/wording.ts';
import type { Item } from '../texts/text-entries.ts';
import type { ReleaseScan } from './judge-release.ts';

/** The result of a policy for an item. */
export interface ScannedItem extends Pick<ReleaseScan, 'isUnwatched'> {
  readonly item: Item;
  readonly policy: ReadPolicy;
  readonly scan: PolicyScan;
  /** The position of its entry in the input. */
  readonly entry: number;
}

/** Whether the index has nothing with this name. */
export function isForeign({ status, details }: ReleaseScan): boolean {
  return status === 'not-applicable' && details.component === undefined;
}

/** Whether the index can say if the policy is satisfied. */
export function isJudged({ status }: Pick<PolicyScan, 'status'>): boolean {
  return status === 'satisfied' || status === 'unsatisfied';
}

const harmlessFirst: readonly PolicyScan['status'][] = [
  'not-applicable',
  'satisfied',
  'excepted',
  'unknown',
  'unsatisfied',
];

/** The greater, the worse. */
export function rankHarm({ status }: Pick<PolicyScan, 'status'>): number {
  return harmlessFirst.indexOf(status);
}

/** The worst result of each policy for an entry: an entry is as bad as its worst statement. */
export function listWorstResults(scanned: readonly ScannedItem[]): ScannedItem[] {
  const worstResults = new Map<string, ScannedItem>();
  for (const result of scanned) {
    const key = `${result.entry} ${result.policy.name}`;
    const worst = worstResults.get(key);
    if (!worst || rankHarm(worst.scan) < rankHarm(result.scan)) {
      worstResults.set(key, result);
    }
  }
  return [...worstResults.values()];
}

/** All results of an entry. */
export type ItemResults = readonly [ScannedItem, ...ScannedItem[]];

/** The results of each entry, in the order of the input. */
export function groupItems(scanned: readonly ScannedItem[]): ItemResults[] {
  return [...Map.groupBy(scanned, ({ entry }) => entry).values()];
}

/** The number of unjudged results that a person is shown; a document may list hundreds of thousands of items. */
export const shownUnjudged = 20;

/** The unknown results of components in the index, and of unreadable entries. */
export function listUnjudged(scanned: readonly ScannedItem[]): ScannedItem[] {
  return scanned.filter(
    ({ scan }) => !isJudged(scan) && scan.status !== 'excepted' && !isForeign(scan),
  );
}

/** The results to name one by one: a missing source of advisories is named once for its component. */
export function listUnknown(scanned: readonly ScannedItem[]): ScannedItem[] {
  return listUnjudged(scanned).filter(({ isUnwatched }) => !isUnwatched);
}

/** A sentence with the components for which no source of advisories has answered; undefined if there are none. */
export function describeUnwatched(scanned: readonly ScannedItem[]): string | undefined {
  const unwatched = scanned.filter(({ isUnwatched }) => isUnwatched);
  // Only a component of the index can be unwatched.
  const names = [...new Set(unwatched.map(({ scan }) => scan.details.component!))].sort();
  return names.length === 0 ? undefined : describeUnknownAdvisories(formatList(names, 5));
}

/** A result of each item that an advisory affects although no policy fails. */
export function listVulnerable(scanned: readonly ScannedItem[]): ScannedItem[] {
  const vulnerable: ScannedItem[] = [];
  for (const results of groupItems(scanned)) {
    const affected = results.find(({ scan }) => scan.details.advisories);
    if (affected && !results.some(({ scan }) => scan.status === 'unsatisfied')) {
      vulnerable.push(affected);
    }
  }
  return vulnerable;
}
