import { appendFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { dropUndefined } from '../core/model/objects.ts';
import { formatFinding, type Finding } from '../core/schemas/finding.ts';
import { toLogLine } from '../core/text/foreign-text.ts';
import { formatDocument, isAbsent } from '../io/files/file-system.ts';
import type { RunReport, Table } from '../run/run-context.ts';

/** The parts of Node's process that commands use. */
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
 * Every line for people passes `toLogLine` in this file, and only here, as it may contain foreign text. `isDocument`: standard
 * output is one document, not text for people.
 */
export function createReporter(process: Process, isDocument: boolean): Reporter {
  const { stdout, stderr, env } = process;
  const reported = new Map<string, Finding>();
  const summary: string[] = [];
  let isProgressOpen = false;

  function clearProgress(): void {
    if (isProgressOpen) {
      stderr.write(clearLine);
    }

    isProgressOpen = false;
  }

  function reportFinding(finding: Finding): void {
    const { level } = finding;
    const text = toLogLine(formatFinding(finding));

    // Several steps of a run may find the same problem.
    if (reported.has(`${level}: ${text}`)) {
      return;
    }

    reported.set(`${level}: ${text}`, finding);
    const heading = `${paint(process, level, colours[level], stderr)}: ${text}`;
    stderr.write(`${[heading, ...formatStack(finding)].join('\n')}\n`);
  }

  return {
    finding(...findings) {
      clearProgress();
      findings.forEach(reportFinding);
    },
    print(...parts) {
      clearProgress();
      for (const part of parts) {
        renderMarkdown(part).forEach((line) => summary.push(line));
        if (!isDocument) {
          stdout.write(`${formatPart(process, part).join('\n')}\n`);
        }
      }
    },
    progress(message) {
      const text = toLogLine(message);
      const width = Math.max(20, (stderr.columns ?? 80) - 1);
      isProgressOpen = stderr.isTTY === true && !env['CI'];
      stderr.write(isProgressOpen ? clearLine + text.slice(0, width) : `${text}\n`);
    },
    document(document) {
      clearProgress();
      if (isDocument) {
        stdout.write(typeof document === 'string' ? document : formatDocument(document));
      }
    },
    async close() {
      clearProgress();

      // Annotations go to standard output, which --json reserves for the document.
      if (env['GITHUB_ACTIONS'] === 'true' && !isDocument) {
        await annotate([...reported.values()]);
      }

      const findingLines = Array.from(reported.keys(), indentCode);
      fillJobSummary(env['GITHUB_STEP_SUMMARY'], [findingLines, summary]);
    },
  };
}

/** A person sets `NO_COLOR`, and tools set `FORCE_COLOR`, which Node prefers. */
function paint(
  { env }: Process,
  text: string,
  format: 'bold' | (typeof colours)[Finding['level']],
  stream: NodeJS.WriteStream,
): string {
  return env['NO_COLOR'] ? text : styleText(format, text, { stream });
}

function formatStack({ stack }: Finding): string[] {
  return stack?.split('\n').map((line) => `    ${toLogLine(line.trim())}`) ?? [];
}

/** The lines of a text or a table, whose headings are bold. */
function formatPart(process: Process, part: string | Table): string[] {
  if (typeof part === 'string') {
    return [toLogLine(part)];
  }

  const [headings = '', ...rows] = formatTable(part);
  return [paint(process, headings, 'bold', process.stdout), ...rows];
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
      const place = dropUndefined({ file, startLine: line });
      write(toLogLine(message), { title: toLogLine(subject), ...place });
    }
  }
}

/** GitHub rejects a summary of more than 1 MiB: half of it is for findings, half for results. */
const maxBytesPerPart = 2 ** 19 - 100;

/** Indented code: the summary is Markdown and HTML, and foreign text must not become markup. */
function indentCode(line: string): string {
  return `    ${line}`;
}

function renderMarkdown(part: string | Table): string[] {
  if (typeof part === 'string') {
    return [indentCode(toLogLine(part))];
  }

  const { headings, rows } = part;
  const escape = (cell: string | number) =>
    toLogLine(String(cell)).replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
  const lines = [headings, headings.map(() => '---'), ...rows.map((row) => row.map(escape))];
  return ['', ...lines.map((cells) => `| ${cells.join(' | ')} |`), ''];
}

function fillJobSummary(path: string | undefined, parts: readonly (readonly string[])[]): void {
  const lines = parts.flatMap(limitBytes);
  // Programs that imitate GitHub's runner name a missing file.
  if (!path || lines.length === 0 || isAbsent(path)) {
    return;
  }

  appendFileSync(path, `\n${lines.join('\n')}\n\n`);
}

/** The first lines, up to the limit of a part. */
function limitBytes(lines: readonly string[]): readonly string[] {
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytesPerPart) {
      return lines.slice(0, index);
    }
  }
  return lines;
}
