import { styleText } from 'node:util';
import { formatFinding, type Finding } from '../core/schemas/finding.ts';
import { cutText, toLogLine } from '../core/text/foreign-text.ts';
import { formatDocument } from '../io/files/save.ts';
import type { RunReport, Table } from '../run/run-context.ts';
import { annotate, appendSummary } from './github-workflow.ts';

/** The parts of Node's process that a test replaces. Standard input is always that of the process itself. */
export interface Process extends Pick<NodeJS.Process, 'argv' | 'cwd' | 'chdir'> {
  env: NodeJS.ProcessEnv;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(status: number): never;
  exitCode?: NodeJS.Process['exitCode'];
}

/**
 * Writes results to standard output, findings and progress to standard error. With `--json`, standard output is exactly one
 * document. In a GitHub workflow, results and findings also go to the summary of the run.
 */
export interface Reporter extends RunReport {
  /** Prints the machine-readable result if it was asked for: JSON, or a text unchanged. */
  document(document: object | string): void;
  /** Shows the annotations of a workflow, and adds to its summary. */
  close(): Promise<void>;
}

/** Goes to the start of the line of a terminal, and clears it. */
const clearLine = '\r\u001B[K';

const colours = { error: 'red', warning: 'yellow', notice: 'cyan' } as const;

/**
 * Every line for people passes `toLogLine`, as it may contain foreign text. `isDocument`: standard output is one document, not
 * text for people. `dir`: the folder of the index.
 */
export function createReporter(process: Process, isDocument: boolean, dir: string): Reporter {
  const { stdout, stderr, env } = process;
  const progress = createProgressLine(process);
  const findings = new Map<string, Finding>();
  const results: string[][] = [];

  return {
    finding(...newFindings) {
      progress.clear();
      for (const finding of newFindings) {
        // Several steps of a run may find the same problem.
        const key = `${finding.level}: ${formatFinding(finding)}`;
        if (!findings.has(key)) {
          findings.set(key, finding);
          stderr.write(`${describeFinding(process, finding).join('\n')}\n`);
        }
      }
    },
    print(...parts) {
      progress.clear();
      for (const part of parts) {
        const lines = typeof part === 'string' ? [toLogLine(part)] : formatTable(part);
        results.push(lines);
        if (!isDocument) {
          stdout.write(`${lines.join('\n')}\n`);
        }
      }
    },
    progress: progress.show,
    document(document) {
      progress.clear();
      if (isDocument) {
        stdout.write(typeof document === 'string' ? document : formatDocument(document));
      }
    },
    async close() {
      progress.clear();

      // Annotations go to standard output, which --json reserves for the document.
      if (env['GITHUB_ACTIONS'] === 'true' && !isDocument) {
        await annotate([...findings.values()], dir);
      }

      appendSummary(env['GITHUB_STEP_SUMMARY'], [...findings.keys()], results.flat());
    },
  };
}

/** The step in progress: on a terminal, one line that the next output replaces. */
function createProgressLine({ stderr, env }: Process) {
  const isReplaceable = stderr.isTTY === true && !env['CI'];
  let isShown = false;

  return {
    show(message: string): void {
      const text = toLogLine(message);
      const width = Math.max(20, (stderr.columns ?? 80) - 1);
      stderr.write(isReplaceable ? clearLine + cutText(text, width) : `${text}\n`);
      isShown = isReplaceable;
    },
    clear(): void {
      if (isShown) {
        stderr.write(clearLine);
        isShown = false;
      }
    },
  };
}

/** The line of a finding, with the stack of a bug below it. */
function describeFinding({ env, stderr }: Process, finding: Finding): string[] {
  const { level, stack = '' } = finding;
  // A person sets `NO_COLOR`, and tools set `FORCE_COLOR`, which Node prefers.
  const heading = env['NO_COLOR'] ? level : styleText(colours[level], level, { stream: stderr });
  const frames = stack.split('\n').filter(Boolean);
  return [
    `${heading}: ${toLogLine(formatFinding(finding))}`,
    ...frames.map((frame) => `    ${toLogLine(frame.trim())}`),
  ];
}

function formatTable({ headings, rows }: Table): string[] {
  const lines = [headings, ...rows].map((row) => row.map((cell) => toLogLine(String(cell))));
  const columns = headings.map((_, column) => ({
    // Not Math.max(...): there may be more rows than a call accepts arguments.
    width: lines.reduce((width, line) => Math.max(width, (line[column] ?? '').length), 0),
    isNumber: rows.some((row) => typeof row[column] === 'number'),
  }));

  return lines.map((line) => {
    const padded = columns.map(({ width, isNumber }, column) => {
      const cell = line[column] ?? '';
      return isNumber ? cell.padStart(width) : cell.padEnd(width);
    });
    return padded.join('  ').trimEnd();
  });
}
