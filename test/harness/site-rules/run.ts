import { resolve } from 'node:path';
import { formatFinding } from '../../../src/core/schemas/finding.ts';
import { findBrokenRules } from './site-rules.ts';

/** node test/harness/site-rules/run.ts <folder of a built site>: prints each broken rule, and ends with 1 if there is one. */
const broken = findBrokenRules(resolve(process.argv[2] ?? 'dist'));
for (const finding of broken) {
  console.error(formatFinding(finding));
}
process.exitCode = broken.length > 0 ? 1 : 0;
