import type { Reporter } from './commands/report.ts';
import type { Process } from './process.ts';
import { formatFinding, type Finding } from '../core/schemas/finding.ts';
import { toLogLine } from '../core/text.ts';
import { annotate } from './annotations.ts';
import { createPaint } from './paint.ts';
import { formatTable } from './table.ts';

/** Of standard output: for people, one document, or one a line. */
export type ReportForm = 'text' | 'document' | 'lines';

/** Everything that may come from outside goes through `toLogLine` here, and nowhere else. */
export function createReporter({ process, form }: { process: Process; form: ReportForm }): Reporter {
  const { stdout, stderr } = process;
  const isText = form === 'text';
  // At a terminal, each progress line replaces the one before.
  const isMoving = stderr.isTTY === true && !process.env['CI'];
  let isLineOpen = false;
  const clearProgress = () => {
    if (isLineOpen) stderr.write('\r\u001B[K');
    isLineOpen = false;
  };
  // Annotations go to standard output, which belongs to the document with --json and its like.
  const isAnnotating = process.env['GITHUB_ACTIONS'] === 'true' && isText;
  const found: Finding[] = [];
  const paint = createPaint(process.env);
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
      const level = paint(colours[finding.level], finding.level, stderr);
      stderr.write(`${level}: ${toLogLine(text)}\n`);
      for (const line of finding.stack?.split('\n') ?? []) stderr.write(`    ${toLogLine(line.trim())}\n`);
    },
    line(text) {
      clearProgress();
      if (isText) stdout.write(`${toLogLine(text)}\n`);
    },
    table(table) {
      clearProgress();
      if (isText) stdout.write(formatTable(table, (text) => paint('bold', text, stdout)));
    },
    progress(foreign) {
      const text = toLogLine(foreign);
      if (isMoving) {
        stderr.write(`\r\u001B[K${text.slice(0, Math.max(20, (stderr.columns ?? 80) - 1))}`);
        isLineOpen = true;
      } else stderr.write(`${text}\n`);
    },
    result(document) {
      clearProgress();
      if (form === 'document') stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
      if (form === 'lines')
        stdout.write(
          [document]
            .flat()
            .map((part) => `${JSON.stringify(part)}\n`)
            .join(''),
        );
    },
    close() {
      clearProgress();
      annotate(found);
    },
  };
}
