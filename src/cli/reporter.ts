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
  const colours = { error: 'red', warning: 'yellow', notice: 'cyan' } as const;
  return {
    finding(finding) {
      clearProgress();
      if (isAnnotating) found.push(finding);
      const level = styleText(colours[finding.level], finding.level, { stream: stderr });
      stderr.write(`${level}: ${formatFinding(finding)}\n`);
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
