import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout } from '../harness/checkout.ts';
import { groups } from './groups.ts';
import { instrumentedFile, instrumentGroup, type Mutant } from './instrument.ts';
import type { LogLine } from './runner.ts';
import { unnoticeable } from './unnoticeable.ts';

/*
 * Changes one condition, comparison or returned value of a group at a time (in a group of words: removes a sentence) and runs
 * the tests of the group: nine of ten changes must fail one. Arguments: the groups; without any, all of them.
 * `--most` changes of a group are tried; the next day, the next ones are. `--all` tries all of them. A change that no quick test
 * notices is looked for in the slow ones, except in files that take more seconds than `--longest`.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: 'string', default: '150' },
    day: { type: 'string' },
    longest: { type: 'string', default: '60' },
    all: { type: 'boolean' },
  },
});
const names = Object.keys(groups);
const unknown = positionals.filter((name) => !names.includes(name));

if (unknown.length > 0) {
  console.error(`Expected groups of ${names.join(', ')}; got ${unknown.join(', ')}.`);
  process.exit(2);
}

const reports = join(checkout, '.cache/mutants-reports');
const config = 'test/mutants/vitest.config.ts';
/** Milliseconds after which tests that say nothing are taken for endless. */
const longestSilence = 240_000;
const day = Number(values.day ?? Math.floor(Date.now() / 86_400_000));
const most = values.all ? Infinity : Number(values.most);

for (const name of positionals.length > 0 ? positionals : names) {
  if (!(await judgeGroup(name))) {
    process.exitCode = 1;
  }
}

async function judgeGroup(name: string): Promise<boolean> {
  const folder = join(reports, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const instrumented = await instrumentGroup(groups[name]!);
  writeFileSync(join(folder, instrumentedFile), JSON.stringify(instrumented));

  const tried = takeShare(instrumented.mutants);
  const survivors = await findSurvivors(name, folder, tried);
  const report = describeGroup(name, instrumented.mutants.length, tried.length, survivors);
  writeFileSync(join(folder, 'report.md'), report);
  console.log(report);
  return survivors.length <= tried.length / 10;
}

/** The mutants come in an order by chance: each night takes the next ones, and begins again after the last. */
function takeShare(mutants: readonly Mutant[]): readonly Mutant[] {
  const turns = Math.max(1, Math.ceil(mutants.length / most));
  const size = Math.ceil(mutants.length / turns);
  const start = (day % turns) * size;
  return mutants.slice(start, start + size);
}

async function findSurvivors(
  group: string,
  folder: string,
  tried: readonly Mutant[],
): Promise<readonly Mutant[]> {
  const log = join(folder, 'log.jsonl');
  const noticed = new Set<string>();

  // Once again where a mutant made a test run for ever.
  let isComplete = false;
  while (!isComplete) {
    const ids = tried.map(({ id }) => id).filter((id) => !noticed.has(id));
    isComplete = (await runTests(folder, { group, tried: ids.join(',') })) !== 'hangs';
    const lines = readLog(log);
    for (const line of lines) {
      if ('noticed' in line) {
        noticed.add(line.noticed);
      }
    }
    const last = lines.at(-1)!;
    if (!isComplete && 'trying' in last) {
      noticed.add(last.trying);
    }
  }

  // A slow test, and what runs while a file is loaded or before its tests, notices in a run of its own.
  const lines = readLog(log);
  const survivors: Mutant[] = [];
  for (const mutant of tried.filter(({ id }) => !noticed.has(id))) {
    const files = listUntriedFiles(mutant, lines);
    if (
      files.length === 0 ||
      (await runTests(folder, { group, active: mutant.id, files })) === 'passes'
    ) {
      survivors.push(mutant);
    }
  }
  return survivors;
}

/** The files that may notice a mutant and have not been tried, the quickest first. */
function listUntriedFiles({ id }: Mutant, lines: readonly LogLine[]): readonly string[] {
  const isLoaded = lines.some((line) => 'loaded' in line && line.loaded.includes(id));
  const durations = new Map<string, number>();
  const files = new Set<string>();

  for (const line of lines) {
    if ('untried' in line) {
      durations.set(line.file, (durations.get(line.file) ?? 0) + line.duration);
      if (isLoaded || line.untried.includes(id)) {
        files.add(line.file);
      }
    }
  }
  return Array.from(files)
    .filter((file) => durations.get(file)! <= Number(values.longest) * 1_000)
    .toSorted((one, other) => durations.get(one)! - durations.get(other)!);
}

interface TestRun {
  readonly group: string;
  readonly tried?: string;
  readonly active?: string;
  readonly files?: readonly string[];
}

async function runTests(
  folder: string,
  { group, tried, active, files = [] }: TestRun,
): Promise<'passes' | 'fails' | 'hangs'> {
  const vitest = join(checkout, 'node_modules/vitest/vitest.mjs');
  const output = openSync(join(folder, 'vitest.log'), 'a');
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--config', config, ...(active ? ['--bail=1'] : []), ...files],
    {
      cwd: checkout,
      detached: true,
      stdio: ['ignore', output, output],
      env: {
        ...process.env,
        MUTANTS_FOLDER: folder,
        MUTANTS_GROUP: group,
        ...(tried === undefined ? {} : { MUTANTS_TRIED: tried }),
        ...(active === undefined ? {} : { MUTANTS_ACTIVE: active }),
      },
    },
  );

  const log = join(folder, 'log.jsonl');
  const watch = setInterval(() => {
    const changed = statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? startedAt;
    if (Date.now() - Math.max(changed, startedAt) > longestSilence) {
      process.kill(-child.pid!, 'SIGKILL');
    }
  }, 5_000);
  const startedAt = Date.now();
  const [status] = (await once(child, 'exit')) as [number | null];
  clearInterval(watch);

  if (status === null) {
    return 'hangs';
  }
  return status === 0 ? 'passes' : 'fails';
}

function readLog(path: string): LogLine[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LogLine);
}

/** A table of what no test noticed. */
function describeGroup(
  name: string,
  all: number,
  tried: number,
  survivors: readonly Mutant[],
): string {
  const percent = ((100 * (tried - survivors.length)) / tried).toFixed(1);
  const rows = survivors
    .map((mutant) => ({ ...mutant, reason: findReason(mutant) ?? '' }))
    .toSorted((one, other) => one.file.localeCompare(other.file) || one.line - other.line)
    .map(({ file, line, before, after, reason }) => {
      const cells = [`${file}:${line}`, quote(before), quote(after), reason];
      return `| ${cells.join(' | ')} |`;
    });

  return [
    `## ${name}`,
    '',
    `${tried} of ${all} changes tried, ${percent} % noticed.`,
    '',
    ...(rows.length === 0
      ? []
      : ['| where | code | changed to | why no test can notice it |', '| --- | --- | --- | --- |']),
    ...rows,
    '',
  ].join('\n');
}

function findReason(mutant: Mutant): string | undefined {
  return unnoticeable.find(
    ({ file, before, after }) =>
      file === mutant.file && before === mutant.before && after === mutant.after,
  )?.reason;
}

function quote(code: string): string {
  const text = code.length > 120 ? `${code.slice(0, 120)} …` : code;
  return `\`${text.replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}
