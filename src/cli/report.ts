import { resolve } from 'node:path';
import { styleText } from 'node:util';
import type { Problem } from '../core/errors.ts';
import { formatJson } from '../core/files.ts';
import { joinSubject, toLogLine } from '../core/text.ts';

/** A table to print: rows under headings. Without rows, it is not printed. */
interface Table {
  headings: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

export type Report = ReturnType<typeof createReport>;

export type Process = Pick<NodeJS.Process, 'argv' | 'env' | 'stdout' | 'stderr'>;

const colours = { error: 'red', warning: 'yellow', notice: 'cyan' } as const;

/**
 * Prints results to standard output, and problems and progress to standard error. `toLogLine` escapes every line, because it may contain
 * text from upstream.
 */
export function createReport({ argv, stdout, stderr, env }: Process) {
  const isJson = argv.includes('--json');
  const { clear, show } = openProgress(stderr, env);
  /** Maps printed lines to their problems. */
  const problems = new Map<string, Problem>();
  const results: string[] = [];
  let marked: readonly Problem[] = [];
  const document: object = {};

  const report = {
    /** The name of the command. It is set once the command line is read. */
    verb: '',
    /** A part may be a list of texts, because a function call can take only about 100,000 arguments. */
    print(...parts: readonly (string | Table | readonly (string | Table)[])[]): void {
      clear();
      const lines = parts
        .flat()
        .flatMap((part) => (typeof part === 'string' ? [toLogLine(part)] : formatTable(part)));
      for (const line of lines) {
        results.push(line);
      }
      if (!isJson) {
        stdout.write(lines.map((line) => `${line}\n`).join(''));
      }
    },
    problem(...reported: readonly (Problem | readonly Problem[])[]): void {
      clear();
      for (const problem of reported.flat()) {
        const { level = 'error', subject, message } = problem;
        const line = toLogLine(joinSubject(subject, message));
        // Several steps may find the same problem, so each line is printed once.
        if (!problems.has(line)) {
          problems.set(line, problem);
          stderr.write(`${styleText(colours[level], level, { stream: stderr })}: ${line}\n`);
        }
      }
    },
    /**
     * Adds problems that were already printed as results, so they are not printed again. In a GitHub workflow, each problem becomes an
     * annotation of its file and line.
     */
    mark(found: readonly Problem[]): void {
      marked = [...marked, ...found];
    },
    progress: show,
    /** Adds keys to the JSON document of the result. With `--json`, standard output is this document and nothing else. */
    document(members: object): void {
      Object.assign(document, members);
    },
    /** Writes the JSON document. In a GitHub workflow, also writes annotations of the problems and the job summary. */
    async close(root: string): Promise<void> {
      clear();
      if (isJson && Object.keys(document).length > 0) {
        const printed = problems.size > 0 ? { problems: [...problems.values()] } : {};
        stdout.write(formatJson({ verb: report.verb, ...printed, ...document }));
      }
      const lines = [...problems.keys(), '', ...results];
      await reportToGitHub(env, [...problems.values(), ...marked], lines, root);
    },
  };
  return report;
}

/** Shows steps in progress. On a terminal, each step replaces the line of the previous step. Elsewhere, only every tenth step is printed. */
function openProgress(stderr: Process['stderr'], env: NodeJS.ProcessEnv) {
  const isTerminal = stderr.isTTY && !env['CI'];
  let isShown = false;

  function clear(): void {
    if (isShown) {
      stderr.write('\r\u001B[K');
      isShown = false;
    }
  }

  function show(text: string, position = 0): void {
    if (!isTerminal && position % 10 !== 0) {
      return;
    }

    clear();
    const line = toLogLine(text);
    stderr.write(isTerminal ? line.slice(0, (stderr.columns || 80) - 1) : `${line}\n`);
    isShown = isTerminal;
  }

  return { clear, show };
}

function formatTable({ headings, rows }: Table): string[] {
  if (rows.length === 0) {
    return [];
  }

  const lines = [headings, ...rows].map((row) => row.map((cell) => toLogLine(String(cell))));
  return alignColumns(lines).map((cells) => cells.join('  ').trimEnd());
}

/** Pads the cells of rows to the width of their columns. */
function alignColumns(rows: readonly (readonly string[])[]): string[][] {
  const [first = []] = rows;
  const widths = first.map((_, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]!.length), 0),
  );
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)));
}

/** GitHub shows ten annotations of each level for a step, and rejects a summary of more than 1 MiB. */
async function reportToGitHub(
  env: NodeJS.ProcessEnv,
  problems: readonly Problem[],
  lines: readonly string[],
  root: string,
): Promise<void> {
  if (env['GITHUB_ACTIONS'] !== 'true') {
    return;
  }

  const actions = await import('@actions/core');
  for (const { level = 'error', subject, message, line, ...problem } of problems) {
    const file = problem.file ?? /^(?:\.github|components|data|site)\/\S+$/.exec(subject)?.[0];
    const place = {
      ...(file !== undefined && { file: resolve(root, file) }),
      ...(line !== undefined && { startLine: line }),
    };
    actions[level](toLogLine(message), { title: toLogLine(subject), ...place });
  }

  // Without this variable, `@actions/core` cannot write a summary. The library reads the variable from `process.env`, so `env` is not used
  // here.
  if (process.env['GITHUB_STEP_SUMMARY']) {
    // The text is indented as code, so that text from upstream does not become markup.
    const code = lines.map((line) => `    ${line}\n`).join('');
    const summary = actions.summary.addRaw(`\n${code.slice(0, 500_000)}\n`);
    // A summary that cannot be written does not change the result, which is already printed.
    await summary.write().catch((error: unknown) => {
      actions.warning(toLogLine(`The summary of the job was not written: ${String(error)}`));
    });
  }
}
