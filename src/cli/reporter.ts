import { appendFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { dropUndefined } from '../core/model/objects.ts';
import { formatFinding, type Finding } from '../core/schemas/finding.ts';
import { toLogLine } from '../core/text/foreign-text.ts';
import { isAbsent } from '../io/files/file-system.ts';
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

const colours = { error: 'red', warning: 'yellow', notice: 'cyan' } as const;

/** All output passes `toLogLine` here, and only here, as it may contain foreign text. */
export function createReporter(options: ReporterOptions): Reporter {
  return new ProcessReporter(options);
}

interface ReporterOptions {
  readonly process: Process;
  /** Standard output is one document, not text for people. */
  readonly isDocument: boolean;
}

class ProcessReporter implements Reporter {
  readonly #process: Process;
  readonly #isDocument: boolean;
  #isLineOpen = false;
  readonly #annotations: Finding[] = [];
  readonly #findings = new Set<string>();
  readonly #summary: string[] = [];

  constructor({ process, isDocument }: ReporterOptions) {
    this.#process = process;
    this.#isDocument = isDocument;
  }

  finding(...findings: readonly Finding[]): void {
    this.#clearProgress();
    const { stderr, env } = this.#process;

    for (const finding of findings) {
      const { level } = finding;
      const text = toLogLine(formatFinding(finding));

      // Several steps of a run may find the same problem.
      if (this.#findings.has(`${level}: ${text}`)) {
        continue;
      }

      this.#findings.add(`${level}: ${text}`);

      // Annotations go to standard output, which --json reserves for the document.
      if (env['GITHUB_ACTIONS'] === 'true' && !this.#isDocument) {
        this.#annotations.push(finding);
      }

      stderr.write(`${this.#paint(colours[level], level, stderr)}: ${text}\n`);

      for (const line of finding.stack?.split('\n') ?? []) {
        stderr.write(`    ${toLogLine(line.trim())}\n`);
      }
    }
  }

  print(...parts: readonly (string | Table)[]): void {
    this.#clearProgress();
    const { stdout } = this.#process;

    for (const part of parts) {
      const isTable = typeof part !== 'string';
      const lines = isTable ? formatTable(part) : [toLogLine(part)];
      const markdown = isTable ? renderMarkdownTable(part) : lines.map(indentCode);
      this.#summary.push(...markdown.slice(0, maxSummaryLines));

      if (this.#isDocument) {
        continue;
      }

      for (const [index, line] of lines.entries()) {
        const isHeading = isTable && index === 0;
        stdout.write(`${isHeading ? this.#paint('bold', line, stdout) : line}\n`);
      }
    }
  }

  progress(message: string): void {
    const { stderr, env } = this.#process;
    const text = toLogLine(message);
    if (stderr.isTTY === true && !env['CI']) {
      stderr.write(`\r\u001B[K${text.slice(0, Math.max(20, (stderr.columns ?? 80) - 1))}`);
      this.#isLineOpen = true;
    } else {
      stderr.write(`${text}\n`);
    }
  }

  document(document: object | string): void {
    this.#clearProgress();

    if (this.#isDocument) {
      this.#process.stdout.write(
        typeof document === 'string' ? document : `${JSON.stringify(document, undefined, 2)}\n`,
      );
    }
  }

  async close(): Promise<void> {
    this.#clearProgress();
    await annotate(this.#annotations);
    fillJobSummary(this.#process.env['GITHUB_STEP_SUMMARY'], [
      ...Array.from(this.#findings, indentCode),
      ...this.#summary,
    ]);
  }

  #clearProgress(): void {
    if (this.#isLineOpen) {
      this.#process.stderr.write('\r\u001B[K');
    }

    this.#isLineOpen = false;
  }

  /** A person sets `NO_COLOR`, and tools set `FORCE_COLOR`, which Node prefers. */
  #paint(
    format: Parameters<typeof styleText>[0],
    text: string,
    stream: NodeJS.WriteStream,
  ): string {
    return this.#process.env['NO_COLOR'] ? text : styleText(format, text, { stream });
  }
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

/** GitHub rejects a summary of more than 1 MiB. */
const maxSummaryLines = 1000;

/** Indented code: the summary is Markdown and HTML, and foreign text must not become markup. */
function indentCode(line: string): string {
  return `    ${line}`;
}

function renderMarkdownTable({ headings, rows }: Table): string[] {
  const escape = (cell: string | number) =>
    toLogLine(String(cell)).replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
  const lines = [headings, headings.map(() => '---'), ...rows.map((row) => row.map(escape))];
  return ['', ...lines.map((cells) => `| ${cells.join(' | ')} |`), ''];
}

function fillJobSummary(path: string | undefined, lines: readonly string[]): void {
  // Programs that imitate GitHub's runner name a missing file.
  if (!path || lines.length === 0 || isAbsent(path)) {
    return;
  }

  appendFileSync(path, `\n${lines.slice(0, maxSummaryLines).join('\n')}\n\n`);
}
