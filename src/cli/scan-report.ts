import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findMove } from '../ask/plan/plan-outcomes.ts';
import { listPlanLines } from '../ask/plan/plan-words.ts';
import {
  describeAccount,
  describeUnwatched,
  groupByEntry,
  isDecided,
  listDecisive,
  listFailures,
  listNamedUnknown,
  listUnknown,
  listVulnerable,
  maxNamedUnknown,
  type Account,
  type EntryResults,
  type ScannedItem,
} from '../ask/scan/scan-results.ts';
import { msPerDay } from '../core/model/dates.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { describeDayRange, markInferred } from '../core/model/words.ts';
import { readExactDuration } from '../core/query/times.ts';
import { problem, type Finding } from '../core/schemas/finding.ts';
import type { Plan } from '../core/schemas/published/plan-answer.ts';
import type { PolicyScan } from '../core/schemas/published/policy-scan.ts';
import { formatCount, formatList, formatNumber } from '../core/text/wording.ts';
import type { RunReport } from '../run/run-context.ts';
import type { Invocation } from './command.ts';
import { unableStatus } from './exit-status.ts';

/** The parts of the command line that a report depends on. */
interface ScanReportInput extends Pick<Invocation, 'env' | 'report'> {
  readonly options: Readonly<
    Partial<Record<'allow-stale' | 'json' | 'sarif' | 'strict', boolean | undefined>>
  >;
}

interface ScanOutcome {
  account: Account;
  /** The worst result of each policy for each entry. */
  scanned: readonly ScannedItem[];
  /** Arguments and lists without any judged item. */
  unjudgedInputs: readonly string[];
  /** The index was last updated too long ago. */
  isOld: boolean;
  /** The name of an item of the command line is nearly a name of the index. */
  isMistyped: boolean;
  plan: Plan;
}

interface ReportedScan extends ScanOutcome {
  failures: readonly ScannedItem[];
}

const headings = ['thing', 'status', 'support ends', 'behind', 'advisories', 'move to'];

/**
 * Reports to people, and decides the exit status. Lists without a limit are reported one by one: a call accepts fewer arguments than
 * they may have elements.
 */
export function reportScan(input: ScanReportInput, outcome: ScanOutcome): number {
  const { env, report, options } = input;
  const { account, scanned, unjudgedInputs } = outcome;
  const failures = listFailures(scanned);
  const scan = { ...outcome, failures };
  const level = rateUnknown(options, outcome);
  const isTooOld = outcome.isOld && !options['allow-stale'];

  printResults(report, scan);
  printSummary(report, scan);

  if (isTooOld) {
    report.finding(
      problem('scan', 'the index is too old to judge by; update it, or pass --allow-stale'),
    );
  }
  if (options.strict) {
    for (const name of unjudgedInputs) {
      report.finding(problem(name, 'has no item that could be judged'));
    }
  }
  // With a document on standard output, the counts are not printed there.
  const isDocument = options.json || options.sarif;
  const isAnyJudged = account.judged + account.excepted > 0;
  if (level !== 'notice' || !isAnyJudged || isDocument) {
    report.finding({ level, subject: 'scan', message: describeAccount(account) });
  }
  if (env['GITHUB_ACTIONS'] === 'true') {
    reportPlaces(report, scan);
  }

  if (isTooOld) {
    return unableStatus;
  }
  return failures.length > 0 || level === 'error' || outcome.isMistyped ? 1 : 0;
}

/** Releases without a source of advisories, the plan, and the counts. */
function printSummary(report: RunReport, { account, scanned, plan, failures }: ReportedScan): void {
  const unwatched = describeUnwatched(scanned);
  if (unwatched !== undefined) {
    report.print(unwatched);
  }

  if (plan.items.length > 0) {
    report.print(plan.text, ...listPlanLines(plan));
  }

  const counts = `${formatCount(scanned.length, 'result')}, ${formatNumber(failures.length)} unsatisfied`;
  report.print(`${describeAccount(account)}. ${counts}.`);
}

/** The level of a finding about what could not be judged. */
function rateUnknown(
  { strict }: ScanReportInput['options'],
  { scanned, unjudgedInputs }: ScanOutcome,
): Finding['level'] {
  const isIncomplete = listUnknown(scanned).length + unjudgedInputs.length > 0;
  if (strict && isIncomplete) {
    return 'error';
  }

  return listNamedUnknown(scanned).length > 0 ? 'warning' : 'notice';
}

/** A table of the items, a line for each failed and unknown result, and how many lines are left out. */
function printResults(report: RunReport, { scanned, plan, failures }: ReportedScan): void {
  const unknown = listNamedUnknown(scanned);
  const explained = unknown.slice(0, maxNamedUnknown);
  const isInTable = (result: ScannedItem) => isDecided(result.scan) || explained.includes(result);
  const rows = groupByEntry(scanned)
    .filter((results) => results.some(isInTable))
    .map((results) => renderRow(results, plan));

  if (rows.length > 0) {
    report.print({ headings, rows });
  }

  const lines = [...failures, ...explained].map(
    (result) => `${result.scan.thing}: ${explainResult(result, plan)}`,
  );
  for (const line of new Set(lines)) {
    report.print(line);
  }

  const more = unknown.length - explained.length;
  if (more > 0) {
    report.print(
      `${formatCount(more, 'more result')} of things that could not be judged: see --json.`,
    );
  }
}

/** Reports failures and advisories at the places of their items. */
function reportPlaces(report: RunReport, { scanned, plan, failures }: ReportedScan): void {
  for (const result of failures) {
    const { item, policy } = result;
    const reason = explainResult(result, plan);
    report.finding(createFinding('error', item, `does not satisfy "${policy.name}". ${reason}`));
  }
  for (const { item, scan } of listVulnerable(scanned)) {
    report.finding(createFinding('warning', item, scan.details.reason));
  }
}

/** A finding at the place of an item, whose file was named from the current folder. */
function createFinding(
  level: Finding['level'],
  { text: subject, file, line }: ScannedItem['item'],
  message: string,
): Finding {
  return dropUndefined({ level, subject, message, file: file && resolve(file), line });
}

function renderRow(results: EntryResults, plan: Plan): string[] {
  const { thing, details } = results[0].scan;
  const { supportedUntil: from, supportedUntilAtMost: atMost } = details;
  const cells = [
    describeStatus(results),
    markInferred(describeDayRange({ from, atMost }), details.inferred),
    describeBehind(details),
    describeAdvisories(details),
    describeTarget(results, plan),
  ];
  return [thing, ...cells].map((cell) => cell || '-');
}

/** The worst status of an entry, and the policies with this status: `unsatisfied (supported)`. */
function describeStatus(results: EntryResults): string {
  // A note names the components without a source of advisories once, not in each row.
  const decisive = listDecisive(results);
  const { status, details } = decisive[0].scan;
  if (status === 'satisfied' || status === 'not-applicable') {
    return status;
  }

  const until = status === 'excepted' ? ` until ${details.exception?.until}` : '';
  const policies = decisive.map(({ policy }) => policy.name);
  return `${status}${until} (${policies.join(', ')})`;
}

/** `31 releases, 730 days`; empty for the latest. */
function describeBehind({ releasesBehind, behind = '' }: PolicyScan['details']): string {
  if (releasesBehind === undefined) {
    return '';
  }

  const releases = formatCount(releasesBehind, 'release');
  const behindMs = readExactDuration(behind);
  return behindMs === undefined
    ? releases
    : `${releases}, ${formatCount(behindMs / msPerDay, 'day')}`;
}

/** `CVE-2026-1234 (high)`; empty if no advisory affects the release. */
function describeAdvisories({ advisories = [], severity }: PolicyScan['details']): string {
  const rating = advisories.length > 0 && severity !== undefined ? ` (${severity})` : '';
  return `${formatList(advisories, 3)}${rating}`;
}

/** The version to which the plan moves an entry, else the first that its results recommend; empty if there is none. */
function describeTarget(results: EntryResults, plan: Plan): string {
  const { move } = findMove(plan.steps, results[0].scan.details);
  const recommended = results.map(({ scan }) => scan.details.moveTo).find(Boolean);
  const target = move?.to ?? recommended;
  return target ? [target.component, target.version].filter(Boolean).join(' ') : '';
}

/** The reason of a result, and the remedy of its policy, unless the plan moves to another component or version than the result names. */
function explainResult({ scan }: ScannedItem, plan: Plan): string {
  const { move } = findMove(plan.steps, scan.details);
  const isOtherMove = move && !isDeepStrictEqual(move.to, scan.details.moveTo);
  const hasRemedy = scan.status === 'unsatisfied' && !isOtherMove;
  const remedy = hasRemedy ? ` ${scan.policyRemediation ?? ''}` : '';
  return `${scan.details.reason}${remedy}`.trim();
}
