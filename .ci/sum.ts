/**
 * Prints how many tests passed, failed and were skipped in all reports. Exits with 1 if a test or a stage failed.
 *
 * Usage: `node .ci/sum.ts <number of failed stages> <report>…`
 */
import { existsSync, readFileSync } from 'node:fs';

type Report = Record<'numPassedTests' | 'numFailedTests' | 'numPendingTests', number>;

const [stages, ...files] = process.argv.slice(2);
const reports = files
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
const sum = (key: keyof Report) => reports.reduce((total, report) => total + report[key], 0);
const failed = Math.max(sum('numFailedTests'), Number(stages));

console.log(`${sum('numPassedTests')} passed, ${failed} failed, ${sum('numPendingTests')} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
