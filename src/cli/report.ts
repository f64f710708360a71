import { resolve } from 'node:path';
import { styleText } from 'node:util';
import type { Problem } from '../core/errors.ts';
import { formatJson } from '../core/files.ts';
import { toLogLine } from '../core/text.ts';

/** Rows under headings; without a row, nothing is printed. */
interface Table {
  headings: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

export type Part = string | Table;

export type Report = ReturnType<typeof createReport>;

export type Process = Pick<NodeJS.Process, 'argv' | 'env' | 'stdout' | 'stderr'>;

const colours = { error: 'red', warning: 'yellow', notice: 'cyan' } as const;

/** Results go to standard output, problems and progress to standard error. Every line passes `toLogLine`: it may hold foreign text. */
export function createReport({ argv, stdout, stderr, env }: Process) {
  const isJson = argv.includes('--json');
  const isTerminal = stderr.isTTY && !env['CI'];
  /** By their lines, as printed. */
  const problems = new Map<string, Problem>();
  const results: string[] = [];
  const document: object = {};
  let hasProgress = false;

  function clear(): void {
    if (hasProgress) {
      stderr.write('\r\u001B[K');
      hasProgress = false;
    }
  }

  return {
    verb: '',
    /** What the results say, to be marked in files in a workflow of GitHub. */
    annotations: [] as Problem[],
    print(...parts: readonly Part[]): void {
      clear();
      const lines = parts.flatMap((part) =>
        typeof part === 'string' ? [toLogLine(part)] : formatTable(part),
      );
      results.push(...lines);
      if (!isJson) {
        stdout.write(lines.map((line) => `${line}\n`).join(''));
      }
    },
    /** Those that were printed. */
    listProblems: (): Problem[] => [...problems.values()],
    problem(...reported: readonly Problem[]): void {
      clear();
      for (const problem of reported) {
        const { level = 'error', subject, message } = problem;
        const line = toLogLine(`${subject}: ${message}`);
        // Several steps may find the same problem.
        if (!problems.has(line)) {
          problems.set(line, problem);
          stderr.write(`${styleText(colours[level], level, { stream: stderr })}: ${line}\n`);
        }
      }
    },
    /** The step in progress: on a terminal in place of the last one, elsewhere the tenth, the twentieth and so on. */
    progress(text: string, position = 0): void {
      if (!isTerminal && position % 10 !== 0) {
        return;
      }

      clear();
      const line = toLogLine(text);
      stderr.write(isTerminal ? line.slice(0, (stderr.columns || 80) - 1) : `${line}\n`);
      hasProgress = isTerminal;
    },
    /** Members of the machine-readable result: with `--json`, one document at the end is all of standard output. */
    document(members: object): void {
      Object.assign(document, members);
    },
    /** In a workflow of GitHub: annotations of the problems, and the summary of the job. */
    async close(root: string): Promise<void> {
      clear();
      if (isJson && Object.keys(document).length > 0) {
        stdout.write(formatJson({ verb: this.verb, ...document }));
      }
      const marked = [...problems.values(), ...this.annotations];
      await reportToGitHub(env, marked, [...problems.keys(), '', ...results], root);
    },
  };
}

function formatTable({ headings, rows }: Table): string[] {
  if (rows.length === 0) {
    return [];
  }

  const lines = [headings, ...rows].map((row) => row.map((cell) => toLogLine(String(cell))));
  const widths = headings.map((_, column) =>
    lines.reduce((width, line) => Math.max(width, line[column]!.length), 0),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
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
  for (const { level = 'error', subject, message, file, line } of problems) {
    const place = {
      ...(file !== undefined && { file: resolve(root, file) }),
      ...(line !== undefined && { startLine: line }),
    };
    actions[level](toLogLine(message), { title: toLogLine(subject), ...place });
  }

  // The library reads it from there, too.
  if (process.env['GITHUB_STEP_SUMMARY']) {
    // As indented code: foreign text must not become markup.
    const code = lines.map((line) => `    ${line}\n`).join('');
    await actions.summary.addRaw(`\n${code.slice(0, 500_000)}\n`).write();
  }
}
