import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Usage {
  wallMs: number;
  cpuMs: number;
  peakMB: number;
}

/** A program as it is run from the outside: arguments of Node, and what is made ready before each run. */
export interface Program {
  args: readonly string[];
  cwd?: string;
  prepare?(): void;
}

const hook = pathToFileURL(join(import.meta.dirname, 'usage.mjs')).href;

/** Runs a whole process and says what it took. Throws where it fails, with what it said. */
export function run({ args, cwd, prepare }: Program): Usage {
  prepare?.();
  const scratch = mkdtempSync(join(tmpdir(), 'bench-'));
  const usageFile = join(scratch, 'usage.json');
  try {
    const start = performance.now();
    const child = spawnSync(process.execPath, ['--import', hook, ...args], {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, BENCH_USAGE: usageFile, NODE_ENV: 'production' },
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    const wallMs = performance.now() - start;
    if (child.status !== 0)
      throw new Error(`node ${args.join(' ')} ended with ${child.status}:\n${child.stderr}`);
    return { wallMs, ...(JSON.parse(readFileSync(usageFile, 'utf8')) as Omit<Usage, 'wallMs'>) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs the programs by turns, so that what else the machine does meets all of them alike. */
export function runByTurns<Name extends string>(
  programs: Readonly<Record<Name, Program>>,
  rounds: number,
  onRound: (round: number) => void,
): Record<Name, Usage[]> {
  const names = Object.keys(programs) as Name[];
  const usages = Object.fromEntries(names.map((name) => [name, [] as Usage[]])) as Record<Name, Usage[]>;
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of names) usages[name].push(run(programs[name]));
    onRound(round);
  }
  return usages;
}
