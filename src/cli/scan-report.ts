import { listMoves } from '../ask/plan/plan-outcome.ts';
import { listPlanLines } from '../ask/plan/plan-words.ts';
import {
  describeAccount,
  describeAdvisories,
  describeBehind,
  describeStatus,
  describeTarget,
  describeUnwatched,
  groupByEntry,
  isForeign,
  isJudged,
  listUnjudged,
  listUnknown,
  listVulnerable,
  shownUnjudged,
  type Account,
  type EntryResults,
  type ScannedItem,
} from '../ask/scan/scan-results.ts';
import { defaultPolicies } from '../ask/scan/scan-policies.ts';
import { pickDefined } from '../core/model/objects.ts';
import { describeDayRange } from '../core/model/words.ts';
import { problem, warning, type Finding } from '../core/schemas/finding.ts';
import type { Plan, PlanMove } from '../core/schemas/published/plan-answer.ts';
import { formatCount, formatNumber } from '../core/text/wording.ts';
import { flag, index, shared, text, texts, unableStatus, type Invocation } from './command.ts';

/** The options of a scan. */
export const scanOptions = {
  policy: texts(
    'NAME',
    `policy for each item; may be given several times (default: ${defaultPolicies.join(' and ')})`,
  ),
  strict: flag(
    'exit 1 also for unknown results, and for a list or an item without any judged result',
  ),
  all: flag('list every item, also those that the index does not know'),
  'allow-stale': flag('judge also if the index was last updated too long ago'),
  query: text('QUERY', 'a query that must select each release'),
  exceptions: text(
    'FILE',
    'failures to let pass (default: .release-index-exceptions.json next to the file)',
  ),
  index,
  sarif: flag('failures as SARIF 2.1.0, for code scanning'),
  ...shared('root', 'as-of', 'base-url'),
};
type ScanInvocation = Invocation<typeof scanOptions>;

/** A scan to report: a result for each item and policy. */
interface ScanReport {
  account: Account;
  scanned: readonly ScannedItem[];
  /** Arguments and lists without any judged item. */
  unjudgedInputs: readonly string[];
  /** The index was last updated too long ago. */
  isOld: boolean;
  /** The name of an item of the command line is nearly a name of the index. */
  isMistyped: boolean;
  plan: Plan;
}

const headings = ['thing', 'status', 'support ends', 'behind', 'advisories', 'move to'];

/** Reports to people; returns the exit status. */
export function reportScan(invocation: ScanInvocation, outcome: ScanReport): number {
  const { env, report, options } = invocation;
  const { account, scanned, unjudgedInputs } = outcome;
  printResults(invocation, outcome);
  printSummary(invocation, outcome);

  const isTooOld = outcome.isOld && options['allow-stale'] !== true;
  if (isTooOld) {
    report.finding(
      problem('scan', 'the index is too old to judge by; update it, or pass --allow-stale'),
    );
  }

  if (options.strict) {
    report.finding(
      ...unjudgedInputs.map((input) => problem(input, 'has no item that could be judged')),
    );
  }

  const level = rateUnjudged(options, outcome);
  const isUnjudged = account.judged + account.excepted === 0;
  if (level !== 'notice' || isUnjudged || options.json || options.sarif) {
    report.finding({ level, subject: 'scan', message: describeAccount(account) });
  }

  if (env['GITHUB_ACTIONS'] === 'true') {
    report.finding(...listAnnotations(scanned));
  }
  if (isTooOld) {
    return unableStatus;
  }

  return listFailures(scanned).length > 0 || level === 'error' || outcome.isMistyped ? 1 : 0;
}

/** Releases without a source of advisories, the plan, and the counts. */
function printSummary({ report }: ScanInvocation, { account, scanned, plan }: ScanReport): void {
  const unwatched = describeUnwatched(scanned);
  if (unwatched !== undefined) {
    report.print(unwatched);
  }

  if (plan.items.length > 0) {
    report.print(plan.text, ...listPlanLines(plan));
  }

  const counts = `${formatCount(scanned.length, 'result')}, ${formatNumber(listFailures(scanned).length)} unsatisfied`;
  report.print(`${describeAccount(account)}. ${counts}.`);
}

/** The level of a finding about what could not be judged. */
function rateUnjudged(
  { strict }: ScanInvocation['options'],
  { account, scanned, unjudgedInputs }: ScanReport,
): Finding['level'] {
  const hasUnjudged = listUnjudged(scanned).length + unjudgedInputs.length > 0;
  if (account.missing > 0 || (strict && hasUnjudged)) {
    return 'error';
  }

  return listUnknown(scanned).length > 0 ? 'warning' : 'notice';
}

/** A table of the items, a line for each failed and unknown result, and how many lines are left out. */
function printResults({ report, options }: ScanInvocation, { scanned, plan }: ScanReport): void {
  const failures = listFailures(scanned);
  const unknown = listUnknown(scanned);
  const showsAll = options.all === true;
  const unjudged = showsAll
    ? [...unknown, ...scanned.filter(({ scan }) => isForeign(scan))]
    : unknown.slice(0, shownUnjudged);
  const isInTable = (results: readonly ScannedItem[]) =>
    results.some(
      (result) =>
        isJudged(result.scan) || result.scan.status === 'excepted' || unjudged.includes(result),
    );
  const rows = groupByEntry(scanned)
    .filter(isInTable)
    .map((results) => renderRow(results, plan));

  if (rows.length > 0) {
    report.print({ headings, rows });
  }

  // Not print(...): there may be more lines than a call accepts arguments.
  const lines = [...failures, ...unjudged].map((result) => explainResult(result, plan));
  for (const line of new Set(lines)) {
    report.print(line);
  }

  const more = showsAll ? 0 : unknown.length - unjudged.length;
  if (more > 0) {
    report.print(
      `${formatCount(more, 'more result')} of things that could not be judged: see --all.`,
    );
  }
}

/** Failures and advisories, at the places of their items. */
function listAnnotations(scanned: readonly ScannedItem[]): Finding[] {
  return [
    ...listFailures(scanned).map(({ item, policy, scan }) => {
      const reason = `${scan.details.reason} ${scan.policyRemediation ?? ''}`.trim();
      return {
        ...problem(item.text, `does not satisfy "${policy.name}". ${reason}`),
        ...pickDefined(item, ['file', 'line']),
      };
    }),
    ...listVulnerable(scanned).map(({ item, scan }) => {
      return { ...warning(item.text, scan.details.reason), ...pickDefined(item, ['file', 'line']) };
    }),
  ];
}

function listFailures(scanned: readonly ScannedItem[]): ScannedItem[] {
  return scanned.filter(({ scan }) => scan.status === 'unsatisfied');
}

/** The move of a plan for what was judged. */
function findMove({ steps }: Plan, { scan }: ScannedItem): PlanMove | undefined {
  const { component, version } = scan.details;
  return steps
    .flatMap(listMoves)
    .find((move) => move.component === component && move.from === version);
}

function renderRow(results: EntryResults, plan: Plan): string[] {
  const { thing: text, details } = results[0].scan;
  const { supportedUntil: from, supportedUntilAtMost: atMost } = details;
  const range = describeDayRange({ from, atMost });
  const end = range !== '' && details.inferred ? `${range} (inferred)` : range;
  const cells = [
    describeStatus(results),
    end,
    describeBehind(details),
    describeAdvisories(details),
    describeTarget(results, findMove(plan, results[0])),
  ];
  return [text, ...cells].map((cell) => cell || '-');
}

/** The line of a result. Leaves out the remedy of the policy if the plan moves to a version other than the one it names. */
function explainResult(result: ScannedItem, plan: Plan): string {
  const { scan } = result;
  const move = findMove(plan, result);
  const isOtherMove = move !== undefined && move.to.version !== scan.details.moveTo?.version;
  const hasRemedy = scan.status === 'unsatisfied' && !isOtherMove;
  const remedy = hasRemedy ? ` ${scan.policyRemediation ?? ''}` : '';
  return `${scan.thing}: ${scan.details.reason}${remedy}`.trim();
}
