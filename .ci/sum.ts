/** Adds up the tests of all reports, and exits with 1 if a test or a stage failed: `node .ci/sum.ts <failed stages> <report>…` */
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
