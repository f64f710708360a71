import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem, type } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseVersion } from '../../src/version.ts';
import { renovateDir } from '../renovate/install.ts';
import { findCorpus, readCorpus, writeRoot, type Corpus } from './corpus.ts';
import { installPeer } from './install.ts';
import { runByTurns, type Program, type Usage } from './measure.ts';
import { ratio, spread } from './statistics.ts';
import { renderTables, updateDocument, type BenchTable } from './table.ts';

const checkout = resolve(import.meta.dirname, '../..');
const peers = join(import.meta.dirname, 'peers');
const day = '2026-09-01';
const usage = `usage: npm run bench [-- --rounds N] [--only build|rebuild|growth|order|start] [--save]
Measures whole processes by turns and prints medians with least and greatest. --save puts the tables into README.md.
`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    only: { type: 'string' },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);

if (values.help) process.stdout.write(usage);
else await main();

async function main(): Promise<void> {
  const corpus = findCorpus();
  if ('reason' in corpus) {
    process.stdout.write(`bench: nothing measured, ${corpus.reason}.\n`);
    return;
  }
  // In memory where that is possible: a disk would be what is measured.
  const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'release-index-bench-'));
  try {
    const read = readCorpus(corpus.archive, scratch);
    const parts: Record<string, () => BenchTable | Promise<BenchTable>> = {
      build: () => measureBuild(scratch, read),
      rebuild: () => measureRebuild(scratch, read),
      growth: () => measureGrowth(scratch, read),
      order: () => measureOrder(scratch, read),
      start: () => measureStart(),
    };
    const tables: BenchTable[] = [];
    for (const [name, measure] of Object.entries(parts)) {
      if (values.only !== undefined && values.only !== name) continue;
      tables.push(await measure());
      process.stdout.write(`\n${renderTables(tables.slice(-1))}`);
    }
    const machine = describeMachine();
    process.stdout.write(`\n${machine}\n`);
    if (
      values.save &&
      !updateDocument(join(checkout, 'README.md'), `${renderTables(tables)}\n${machine}\n`)
    ) {
      process.stdout.write('README.md has no <!-- bench --> … <!-- /bench --> to put this into.\n');
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Everything anew: an empty output folder and no memory of an earlier build. */
function measureBuild(scratch: string, corpus: Corpus): BenchTable {
  const root = join(scratch, 'root');
  const { components, releases } = writeRoot(root, corpus, 1);
  const out = join(scratch, 'out');
  const sizes = sizesOf(scratch, root, out);
  const eleventy = installPeer('@11ty/eleventy', '3.1.5');
  const floorOut = join(scratch, 'floor');
  const eleventyOut = join(scratch, 'eleventy');
  const subsetOut = join(scratch, 'subset');
  process.env['BENCH_ROOT'] = root;
  process.env['BENCH_OUT'] = eleventyOut;
  const measured = runByTurns(
    {
      floor: { args: [join(peers, 'floor.ts'), root, floorOut, sizes], prepare: () => remove(floorOut) },
      build: buildProgram(root, out, () => remove(out, join(root, '.cache'))),
      eleventy: {
        args: [join(eleventy, 'cmd.cjs'), '--quiet'],
        cwd: join(import.meta.dirname, 'eleventy'),
        prepare: () => remove(eleventyOut),
      },
      subset: {
        args: [join(peers, 'subset.ts'), root, subsetOut, day],
        prepare: () => remove(subsetOut),
      },
    },
    rounds,
    progress('build'),
  );
  const row = (name: string, usages: Usage[], folder: string) => [
    name,
    String(filesIn(folder).length),
    ...numbersOf(usages, measured.floor),
  ];
  return {
    title: `Build of ${components} components with ${count(releases)} releases`,
    headings: ['', 'files', 'wall ms', 'CPU ms', 'peak MB', 'CPU to floor', 'memory to floor'],
    rows: [
      row('floor: parse the input, put rows together, write as many bytes', measured.floor, floorOut),
      row('build: every published path', measured.build, out),
      row('Eleventy 3.1.5, Nunjucks: pages and component files', measured.eleventy, eleventyOut),
      row('ours: pages and component files', measured.subset, subsetOut),
    ],
    note:
      `Wall time to Eleventy: of the same pages and component files by ours ` +
      `${ratio(walls(measured.subset), walls(measured.eleventy))}, of build ${ratio(walls(measured.build), walls(measured.eleventy))}.`,
  };
}

/** What a later build of the same index costs. */
function measureRebuild(scratch: string, corpus: Corpus): BenchTable {
  const root = join(scratch, 'root');
  writeRoot(root, corpus, 1);
  const out = join(scratch, 'out');
  const build = buildProgram(root, out);
  const built = () => runByTurns({ build }, 1, () => undefined);
  remove(out);
  built();
  // A build trusts no file that is younger than two seconds.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
  built();
  const definition = join(root, 'components', readdirSync(join(root, 'components'))[0]!);
  let edits = 0;
  const edit = () => {
    const document = JSON.parse(readFileSync(definition, 'utf8')) as { description: string };
    edits += 1;
    writeFileSync(definition, JSON.stringify({ ...document, description: `Edited ${edits} times.` }));
  };
  const measured = runByTurns(
    {
      read: { args: [join(peers, 'read.ts'), root] },
      unchanged: { ...build, prepare: () => void built() },
      one: { ...build, prepare: edit },
    },
    rounds,
    progress('rebuild'),
  );
  const row = (name: string, usages: Usage[]) => [name, ...numbersOf(usages, measured.read)];
  return {
    title: 'Rebuild',
    headings: ['', 'wall ms', 'CPU ms', 'peak MB', 'CPU to reading', 'memory to reading'],
    rows: [
      row('read every file of the input, and nothing else', measured.read),
      row('build, nothing changed', measured.unchanged),
      row('build, one component changed', measured.one),
    ],
  };
}

function measureGrowth(scratch: string, corpus: Corpus): BenchTable {
  const sizes = [1, 3, 10];
  const labels = new Map<string, string>();
  const programs = Object.fromEntries(
    sizes.map((copies) => {
      const root = join(scratch, `root-${copies}`);
      const out = join(scratch, `out-${copies}`);
      const { components, releases } = writeRoot(root, corpus, copies);
      labels.set(
        `x${copies}`,
        `${copies}× the corpus: ${count(components)} components, ${count(releases)} releases`,
      );
      return [`x${copies}`, buildProgram(root, out, () => remove(out, join(root, '.cache')))];
    }),
  );
  const measured = runByTurns(programs, Math.min(rounds, 3), progress('growth'));
  return {
    title: 'Growth',
    headings: ['', 'wall ms', 'CPU ms', 'peak MB', 'CPU to 1×', 'memory to 1×'],
    rows: Object.entries(measured).map(([name, usages]) => [
      labels.get(name)!,
      ...numbersOf(usages, measured['x1']!),
    ]),
  };
}

async function measureOrder(scratch: string, corpus: Corpus): Promise<BenchTable> {
  const { installRenovate } = await import('../renovate/install.ts');
  await installRenovate();
  const versions = [...corpus.values()].flatMap((list) => list.map(([version]) => version));
  const file = join(scratch, 'versions.json');
  writeFileSync(file, JSON.stringify(versions.filter((text) => parseVersion(text) !== undefined)));
  const loose = join(renovateDir, 'dist/modules/versioning/loose/index.js');
  const output = execFileSync(process.execPath, [join(peers, 'order.ts'), file, loose], { encoding: 'utf8' });
  const {
    versions: all,
    ofSemver,
    times,
  } = JSON.parse(output) as {
    versions: number;
    ofSemver: number;
    times: Record<'ours' | 'loose' | 'oursOfSemver' | 'semver', number[]>;
  };
  const row = (name: string, own: number[], ours: number[]) => [name, spread(own), ratio(own, ours)];
  return {
    title: 'Order of version strings, shuffled',
    headings: ['', 'ms', 'to ours'],
    rows: [
      [`ours, ${count(all)} versions`, spread(times.ours), '1'],
      row("Renovate's loose, the same", times.loose, times.ours),
      [`ours, the ${count(ofSemver)} that semver accepts`, spread(times.oursOfSemver), '1'],
      row('semver.sort (loose), the same', times.semver, times.oursOfSemver),
    ],
  };
}

function measureStart(): BenchTable {
  const measured = runByTurns(
    { empty: { args: ['-e', '0'] }, help: { args: [join(checkout, 'src/cli.js'), '--help'] } },
    Math.max(rounds, 15),
    () => undefined,
  );
  const row = (name: string, usages: Usage[]) => [name, ...numbersOf(usages, measured.empty)];
  return {
    title: 'Start',
    headings: ['', 'wall ms', 'CPU ms', 'peak MB', 'CPU to empty', 'memory to empty'],
    rows: [row('node -e 0', measured.empty), row('--help', measured.help)],
    note: `Wall time of --help to an empty program: ${ratio(walls(measured.help), walls(measured.empty))}.`,
  };
}

function buildProgram(root: string, out: string, prepare?: () => void): Program {
  const args = [join(checkout, 'src/cli.js'), 'build', '--root', root, '--out', out, '--as-of', day];
  return { args, ...(prepare && { prepare }) };
}

/** Builds once, and writes down how long each file is and which component it is about. */
function sizesOf(scratch: string, root: string, out: string): string {
  runByTurns({ build: buildProgram(root, out) }, 1, () => undefined);
  const components = new Set(readdirSync(join(root, 'components')));
  const sizes: Record<string, [string, number][]> = {};
  for (const path of filesIn(out)) {
    const file = `${path.replace(/^.*\//, '').replace(/\.\w+$/, '')}.json`;
    (sizes[components.has(file) ? file : ''] ??= []).push([path, statSync(join(out, path)).size]);
  }
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(scratch, 'sizes.json'), JSON.stringify(sizes));
  return join(scratch, 'sizes.json');
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function numbersOf(usages: readonly Usage[], base: readonly Usage[]): string[] {
  const of = (key: keyof Usage, list: readonly Usage[]) => list.map((entry) => entry[key]);
  return [
    spread(walls(usages)),
    spread(of('cpuMs', usages)),
    spread(of('peakMB', usages)),
    ratio(of('cpuMs', usages), of('cpuMs', base)),
    ratio(of('peakMB', usages), of('peakMB', base)),
  ];
}

function walls(usages: readonly Usage[]): number[] {
  return usages.map((entry) => entry.wallMs);
}

function describeMachine(): string {
  const cores = availableParallelism();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.versions.node} on ${type()}, ${cores} cores (${cpus()[0]?.model.trim()}), ${memory} GB; files in memory; ${rounds} rounds by turns, median (least–greatest).`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function progress(name: string): (round: number) => void {
  return (round) => process.stderr.write(`bench: ${name}, round ${round}\n`);
}

function remove(...folders: string[]): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
