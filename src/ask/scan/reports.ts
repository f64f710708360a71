import { pick } from '../../core/model/objects.ts';
import { describeUnknownAdvisories } from '../../core/model/words.ts';
import type { PlanMove } from '../../core/schemas/published/plan-answer.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import { formatCount, formatNumber, formatList } from '../../core/text/wording.ts';
import type { Entry } from '../texts/text-entries.ts';
import { rankHarm, isForeign, isJudged, type ScannedItem } from './scan-items.ts';

/** All results of an item. */
export type ItemResults = readonly [ScannedItem, ...ScannedItem[]];

/** The results of each item, in the order of the input. */
export function groupItems(scanned: readonly ScannedItem[]): ItemResults[] {
  return [...Map.groupBy(scanned, ({ entry }) => entry).values()];
}

/** Maximum for a person; a document may list hundreds of thousands of items. */
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
  const names = [...new Set(unwatched.map(({ scan }) => scan.details.component!))].sort();
  return names.length === 0 ? undefined : describeUnknownAdvisories(formatList(names, 5));
}

/** The results that satisfy their policies although an advisory affects the release, one for each item. */
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

/** The number of entries by result. */
export interface Account {
  readonly entries: number;
  readonly judged: number;
  /** An exception applies. */
  readonly excepted: number;
  /** The index does not know them. */
  readonly foreign: number;
  /** The index knows them, but cannot judge them, or they are unreadable. */
  readonly unknown: number;
  readonly duplicates: number;
  /** Entries without a result: always 0, unless the program has an error. */
  readonly missing: number;
}

/**
 * Counts entries by their worst result, and lines of something else (`others`). Counts the results, not the input, to notice lost
 * entries.
 */
export function countEntries(
  entries: readonly Entry[],
  unique: readonly Entry[],
  scanned: readonly ScannedItem[],
  others = 0,
): Account {
  const items = groupItems(scanned);
  const counts = { judged: 0, excepted: 0, foreign: others, unknown: 0 };
  for (const results of items) {
    counts[classify(results)] += 1;
  }

  return {
    entries: entries.length + others,
    ...counts,
    duplicates: entries.length - unique.length,
    missing: unique.length - items.length,
  };
}

function classify(results: ItemResults): 'judged' | 'excepted' | 'foreign' | 'unknown' {
  const scans = results.map(({ scan }) => scan);
  const watched = results.filter(({ isUnwatched }) => !isUnwatched);
  const isFailed = scans.some(({ status }) => status === 'unsatisfied');
  if (isFailed || (watched.length > 0 && watched.every(({ scan }) => isJudged(scan)))) {
    return 'judged';
  }
  if (scans.some(({ status }) => status === 'excepted')) {
    return 'excepted';
  }

  return scans.every(isForeign) ? 'foreign' : 'unknown';
}

/** `412 entries: 380 judged, 30 not ours, 1 unknown, 1 duplicate`. */
export function describeAccount(account: Account): string {
  const { entries, judged, excepted, foreign, unknown, duplicates, missing } = account;
  const counts: [number, string][] = [
    [judged, 'judged'],
    [excepted, 'excepted'],
    [foreign, 'not ours'],
    [unknown, 'unknown'],
    [duplicates, duplicates === 1 ? 'duplicate' : 'duplicates'],
    [missing, 'without a result'],
  ];
  const parts = counts.filter(([count, name]) => count > 0 || name === 'judged');
  const texts = parts.map(([count, name]) => `${formatNumber(count)} ${name}`);
  return `${formatNumber(entries)} ${entries === 1 ? 'entry' : 'entries'}: ${texts.join(', ')}`;
}

interface SarifContext {
  readonly informationUri: string;
  /** The file for results without a file: GitHub rejects a result without a physical location. */
  readonly elsewhere: string;
}

/** GitHub rejects a file with more results (https://docs.github.com/en/code-security/reference/code-scanning/sarif-support). */
const maxResults = 25_000;

/**
 * The items that do not satisfy a policy, for programs that show the findings of analyses
 * (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html). Items that were not judged are counted in
 * a notification, and the first ones have one each: readers limit the size of a file.
 */
export function renderSarif(
  scanned: readonly ScannedItem[],
  account: Account,
  { informationUri, elsewhere }: SarifContext,
): object {
  const rules = [
    ...new Map(scanned.map(({ policy }) => [policy.name, policy])).values(),
    advisoryRule,
  ];
  const ids = rules.map(({ name }) => name);
  const results = [...scanned.filter(isReported), ...listVulnerable(scanned).map(reportAdvisory)];

  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'release-index', informationUri, rules: rules.map(renderSarifRule) },
        },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: renderSarifNotifications(scanned, account, ids),
          },
        ],
        results: results
          .slice(0, maxResults)
          .map((result) => renderSarifResult(result, ids, elsewhere)),
      },
    ],
  };
}

function renderSarifRule({ name, description, remediation }: typeof advisoryRule): object {
  return {
    id: name,
    shortDescription: { text: description },
    help: { text: remediation },
    // Readers group by it.
    defaultConfiguration: { level: 'error' },
  };
}

/** The counts, and the first items that were not judged. `ids`: of the rules. */
function renderSarifNotifications(
  scanned: readonly ScannedItem[],
  account: Account,
  ids: readonly string[],
): object[] {
  const unwatched = describeUnwatched(scanned);
  const createNote = (text: string) => ({ level: 'note', message: { text } });

  return [
    createNote(`${describeAccount(account)}.`),
    ...(unwatched === undefined ? [] : [createNote(unwatched)]),
    ...listUnknown(scanned)
      .slice(0, shownUnjudged)
      .map(({ policy, scan }) => ({
        level: 'note',
        associatedRule: { id: policy.name, index: ids.indexOf(policy.name) },
        message: { text: `${scan.thing}: ${scan.details.reason}` },
      })),
  ];
}

function renderSarifResult(
  { item, policy, scan }: ReturnType<typeof reportAdvisory>,
  ids: readonly string[],
  elsewhere: string,
): object {
  const { details, policyRemediation = '' } = scan;
  const justification = details.exception?.reason;

  return {
    ruleId: policy.name,
    ruleIndex: ids.indexOf(policy.name),
    level: policy === advisoryRule ? 'warning' : 'error',
    message: { text: `${item.text}: ${details.reason} ${policyRemediation}`.trim() },
    locations: [describeLocation(item, elsewhere)],
    suppressions:
      scan.status === 'excepted'
        ? [{ kind: 'external', status: 'accepted', justification }]
        : undefined,
    properties: pick(scan, ['thing', 'purl']),
    partialFingerprints: { 'thingAndPolicy/v1': `${item.text} ${policy.name}` },
  };
}

/** The rule for advisories about releases that satisfy the requested policies. */
const advisoryRule = {
  name: 'advisories',
  description: 'An advisory affects the release.',
  remediation: 'Move to a release that no known advisory affects.',
};

function isReported({ scan }: ScannedItem): boolean {
  return scan.status === 'unsatisfied' || scan.status === 'excepted';
}

function reportAdvisory({ item, scan }: ScannedItem) {
  return { item, scan, policy: advisoryRule };
}

function describeLocation(
  { text, file, line = 1 }: ScannedItem['item'],
  elsewhere: string,
): object {
  const uri = (file ?? elsewhere).split(/[\\/]/).map(encodeURIComponent).join('/');
  return {
    physicalLocation: {
      artifactLocation: { uri },
      region: { startLine: file === undefined ? 1 : line },
    },
    logicalLocations: [{ fullyQualifiedName: text, kind: 'package' }],
  };
}

/** `31 releases, 730 days`; empty for the latest. */
export function describeBehind({ releasesBehind, behind }: PolicyScan['details']): string {
  if (releasesBehind === undefined) {
    return '';
  }

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
  const watched = itemResults.filter(({ isUnwatched }) => !isUnwatched);
  const results = watched.length > 0 ? watched : itemResults;
  const worst = results.reduce((a, b) => (rankHarm(b.scan) > rankHarm(a.scan) ? b : a));
  const { status, details } = worst.scan;
  const policies = results
    .filter(({ scan }) => scan.status === status)
    .map(({ policy }) => policy.name);
  const until = status === 'excepted' ? ` until ${details.exception?.until}` : '';
  const isOfPolicies = status !== 'satisfied' && status !== 'not-applicable';
  return `${status}${until}${isOfPolicies ? ` (${policies.join(', ')})` : ''}`;
}

/** The version to which the plan moves it, else the recommended release of the first failed policy; empty if there is none. */
export function describeTarget(results: ItemResults, move: PlanMove | undefined): string {
  const withTarget = results.filter(({ scan }) => scan.details.moveTo);
  const failed = withTarget.find(({ scan }) => scan.status === 'unsatisfied');
  const target = move?.to ?? (failed ?? withTarget[0])?.scan.details.moveTo;
  return target ? [target.component, target.version].filter(Boolean).join(' ') : '';
}
