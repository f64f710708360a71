import { styleText } from 'node:util';
import { appendFileSync } from 'node:fs';
import { formatFinding, type Finding } from '../core/schemas/finding.ts';
import { toLogLine } from '../core/text/foreign-text.ts';
import { formatDocument } from '../io/files/save.ts';
import type { RunReport, Table } from '../run/run-context.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { isAbsent } from '../io/files/file-system.ts';

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
  /** Prints the machine-readable result: JSON, or a text unchanged. */
  document(document: object | string): void;
  close(): Promise<void>;
}

/** Goes to the start of the line of a terminal, and clears it. */
const clearLine = '\r\u001B[K';

const colours = { error: 'red', warning: 'yellow', notice: 'cyan' } as const;

/**
 * Every line for people passes `toLogLine`, as it may contain foreign text. `isDocument`: standard output is one document, not
 * text for people.
 */
export function createReporter(process: Process, isDocument: boolean): Reporter {
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
        await annotate([...findings.values()]);
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
      stderr.write(isReplaceable ? clearLine + text.slice(0, width) : `${text}\n`);
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
  const cells = rows.map((row) => row.map((cell) => toLogLine(String(cell))));
  const columns = headings.map((heading, column) => ({
    // Not Math.max(...): there may be more rows than a call accepts arguments.
    width: cells.reduce(
      (width, row) => Math.max(width, (row[column] ?? '').length),
      heading.length,
    ),
    isNumber: rows.some((row) => typeof row[column] === 'number'),
  }));

  return [headings, ...cells].map((row) => {
    const padded = columns.map(({ width, isNumber }, column) => {
      const cell = row[column] ?? '';
      return isNumber ? cell.padStart(width) : cell.padEnd(width);
    });
    return padded.join('  ').trimEnd();
  });
}

/** GitHub shows ten annotations of each level for a step; the log has all. */
const maxPerLevel = 10;

/** Writes errors and warnings as annotations of a GitHub workflow run, at their files. */
async function annotate(findings: readonly Finding[]): Promise<void> {
  if (findings.length === 0) {
    return;
  }

  const { error, warning } = await import('@actions/core');
  for (const [level, write] of Object.entries({ error, warning })) {
    const group = findings.filter((finding) => finding.level === level);
    for (const { subject, message, file, line } of group.slice(0, maxPerLevel)) {
      const title = toLogLine(subject);
      write(toLogLine(message), dropUndefined({ title, file, startLine: line }));
    }
  }
}

/** Sets outputs, on which later steps of the job have conditions. */
export async function setOutputs(outputs: object): Promise<void> {
  const { setOutput } = await import('@actions/core');
  for (const [name, value] of Object.entries(outputs)) {
    setOutput(name, value);
  }
}

/** GitHub rejects a summary of more than 1 MiB: half of it is for findings, half for results. */
const maxBytesPerPart = 2 ** 19 - 100;

/** Adds findings and results to the summary of the job, as Markdown. Programs that imitate GitHub's runner may name a missing file. */
function appendSummary(
  path: string | undefined,
  findings: readonly string[],
  results: readonly string[],
): void {
  const lines = [...cutLines(findings.map(indentCode)), ...cutLines(results.map(indentCode))];
  if (path && lines.length > 0 && !isAbsent(path)) {
    appendFileSync(path, `\n${lines.join('\n')}\n\n`);
  }
}

/** Indented code: the summary is Markdown and HTML, and foreign text must not become markup. */
function indentCode(line: string): string {
  return `    ${toLogLine(line)}`;
}

/** The first lines, up to the limit of a part. */
function cutLines(lines: readonly string[]): readonly string[] {
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytesPerPart) {
      return lines.slice(0, index);
    }
  }
  return lines;
}
