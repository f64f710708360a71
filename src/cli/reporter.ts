import type { Reporter } from '../commands/reporter.ts';
import { styleText } from 'node:util';
import type { Process } from './process.ts';
import { formatFinding, type Finding } from '../model/finding.ts';
import { annotate } from './annotations.ts';
import { formatTable } from './table.ts';

export function createReporter({ process, isJson }: { process: Process; isJson: boolean }): Reporter {
  const { stdout, stderr } = process;
  // At a terminal, each progress line replaces the one before.
  const isMoving = stderr.isTTY === true && !process.env['CI'];
  let isLineOpen = false;
  const clearProgress = () => {
    if (isLineOpen) stderr.write('\r\u001B[K');
    isLineOpen = false;
  };
  // Annotations go to standard output, which belongs to the document with --json.
  const isAnnotating = process.env['GITHUB_ACTIONS'] === 'true' && !isJson;
  const found: Finding[] = [];
  const told = new Set<string>();
  const colours = { error: 'red', warning: 'yellow', notice: 'cyan' } as const;
  return {
    finding(finding) {
      // Several steps of a run may come upon the same problem.
      const text = formatFinding(finding);
      if (told.has(`${finding.level} ${text}`)) return;
      told.add(`${finding.level} ${text}`);
      clearProgress();
      if (isAnnotating) found.push(finding);
      stderr.write(`${styleText(colours[finding.level], finding.level, { stream: stderr })}: ${text}\n`);
    },
    line(text) {
      clearProgress();
      if (!isJson) stdout.write(`${text}\n`);
    },
    table(table) {
      clearProgress();
      if (!isJson) stdout.write(formatTable(table, stdout));
    },
    progress(text) {
      if (isMoving) {
        stderr.write(`\r\u001B[K${text.slice(0, Math.max(20, (stderr.columns ?? 80) - 1))}`);
        isLineOpen = true;
      } else stderr.write(`${text}\n`);
    },
    result(document) {
      clearProgress();
      if (isJson) stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
    },
    close() {
      clearProgress();
      annotate(found);
    },
  };
}
