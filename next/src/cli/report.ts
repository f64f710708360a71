import { toLogLine } from '../core/text.ts';
import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { styleText } from 'node:util';
import type { Problem } from '../core/errors.ts';
import { formatJson } from '../core/files.ts';

/** Rows under headings. Numbers are aligned to the right. */
export interface Table {
  headings: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** Results go to standard output, problems and progress to standard error. Every line passes `toLogLine`: it may hold foreign text. */
export interface Report {
  print(...parts: readonly (string | Table)[]): void;
  problem(...problems: readonly Problem[]): void;
  /** The step in progress; on a terminal, in place of the last one. */
  progress(text: string): void;
  /** The machine-readable result, which `--json` prints in place of everything else on standard output. */
  document(value: object): void;
  /** In a workflow of GitHub: annotations of the problems, and the summary of the job. */
  close(root: string): void;
}

export type Process = Pick<NodeJS.Process, 'argv' | 'env' | 'stdout' | 'stderr'>;

const colours = { error: 'red', warning: 'yellow', notice: 'cyan' } as const;

export function createReport({ stdout, stderr, env }: Process, isJson: () => boolean): Report {
  const isTerminal = stderr.isTTY && !env['CI'];
  const problems = new Map<string, Problem>();
  const results: string[] = [];
  let hasProgress = false;

  function clear(): void {
    if (hasProgress) {
      stderr.write('\r\u001B[K');
      hasProgress = false;
    }
  }

  return {
    print(...parts) {
      clear();
      const lines = parts.flatMap((part) =>
        typeof part === 'string' ? [toLogLine(part)] : formatTable(part),
      );
      results.push(...lines);
      if (!isJson()) {
        stdout.write(lines.map((line) => `${line}\n`).join(''));
      }
    },
    problem(...found) {
      clear();
      for (const problem of found) {
        const { level = 'error', subject, message } = problem;
        const line = toLogLine(`${subject}: ${message}`);
        // Several steps may find the same problem.
        if (!problems.has(line)) {
          problems.set(line, problem);
          stderr.write(`${styleText(colours[level], level, { stream: stderr })}: ${line}\n`);
        }
      }
    },
    progress(text) {
      clear();
      const line = toLogLine(text);
      stderr.write(isTerminal ? line.slice(0, (stderr.columns || 80) - 1) : `${line}\n`);
      hasProgress = isTerminal;
    },
    document(value) {
      clear();
      if (isJson()) {
        stdout.write(formatJson(value));
      }
    },
    close(root) {
      clear();
      if (env['GITHUB_ACTIONS'] === 'true' && !isJson()) {
        stdout.write([...problems.values()].map((problem) => annotate(problem, root)).join(''));
      }
      if (env['GITHUB_STEP_SUMMARY']) {
        appendFileSync(
          env['GITHUB_STEP_SUMMARY'],
          renderSummary([...problems.keys(), '', ...results]),
        );
      }
    },
  };
}

function formatTable({ headings, rows }: Table): string[] {
  const lines = [headings, ...rows].map((row) => row.map((cell) => toLogLine(String(cell))));
  const widths = headings.map((_, column) =>
    lines.reduce((width, line) => Math.max(width, line[column]?.length ?? 0), 0),
  );
  const isNumber = headings.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  return lines.map((line) => {
    const cells = widths.map((width, column) =>
      isNumber[column] ? line[column]?.padStart(width) : line[column]?.padEnd(width),
    );
    return cells.join('  ').trimEnd();
  });
}

/** A command of GitHub's runner (docs.github.com, "Workflow commands"). GitHub shows ten of each level for a step. */
function annotate({ level, subject, message, file }: Problem, root: string): string {
  const escape = (text: string) =>
    text.replaceAll(
      /[%\r\n:,]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
    );
  const at = file === undefined ? '' : `,file=${escape(resolve(root, file))}`;
  return `::${level ?? 'error'} title=${escape(subject)}${at}::${toLogLine(message).replaceAll('%', '%25')}\n`;
}

/** As indented code: foreign text must not become markup. GitHub rejects a summary of more than 1 MiB. */
function renderSummary(lines: readonly string[]): string {
  return `\n${lines
    .map((line) => `    ${line}\n`)
    .join('')
    .slice(0, 500_000)}\n`;
}
