import { existsSync, readFileSync } from 'node:fs';

/** What is read of vitest's JSON report. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
}

/**
 * Prints the sum of the test runs as the last line and sets the exit status. Arguments: the reports, which end in
 * `.json`, and the names of the stages that failed. A failed stage counts as one failure where no failed test accounts for it.
 */
const paths = process.argv.slice(2).filter((argument) => argument.endsWith('.json'));
const failedStages = process.argv.length - 2 - paths.length;
const reports = paths
  .filter((path) => existsSync(path))
  .map((path) => JSON.parse(readFileSync(path, 'utf8')) as Report);

const passed = sum((report) => report.numPassedTests);
const skipped = sum((report) => report.numPendingTests + report.numTodoTests);
const runsWithFailures = reports.filter((report) => report.numFailedTests > 0).length;
const withoutReport = paths.length - reports.length;
const failed =
  sum((report) => report.numFailedTests) + Math.max(failedStages - runsWithFailures, withoutReport);

process.stdout.write(
  `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`,
);
process.exitCode = failed === 0 ? 0 : 1;

function sum(count: (report: Report) => number): number {
  return reports.reduce((total, report) => total + count(report), 0);
}
