/**
 * Runs the benchmarks (`npm run bench`) and prints three tables. To run one of them: `npm run bench -- build`
 * 1. `build`: builds of three indexes. `one` has 403 components with 98,000 releases. The others are a quarter of this size, and four times this
 *    size. `bare` is the time of a program that only reads the same data and writes the same bytes.
 * 2. `questions`: queries to the two larger sites. The number in parentheses is the time divided by the time of a search in an array of all releases.
 *    `heap` is the smallest heap with which workerd answers.
 * 3. `line`: visits to pages over a slow phone line.
 *
 * Each build is a process of its own, and the table has medians. The change since `figures.json` is in parentheses. Compare only runs on
 * one machine. To write `figures.json`: `npm run bench -- build --save`
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listFiles } from '../../src/core/files.ts';
import { createFolder } from '../harness/index-folder.ts';
import { largeDay, writeLargeIndex } from '../harness/large-index.ts';
import { buildExample } from '../harness/site.ts';
import { findLeastHeap } from './least-heap.ts';
import { measureLine } from './line.ts';
import { askedOnPages } from './questions.ts';

const checkout = resolve(import.meta.dirname, '../..');
const bare = join(import.meta.dirname, 'bare.mjs');
/** The cost of a build: `cpu` in seconds of processor time, `memory` and `disk` in bytes. */
interface Figures {
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
}

const figuresFile = join(import.meta.dirname, 'figures.json');
const former = JSON.parse(readFileSync(figuresFile, 'utf8')) as Record<string, Figures>;
const measured: Record<string, Figures> = {};
/** The indexes, by the name in the table. Sizes are relative to the index `one`. */
const sizes = { 'a quarter': 1 / 4, one: 1, 'four times': 4 } as const;
type Index = keyof typeof sizes;
/** The folders of the built indexes. */
const folders = new Map<Index, ReturnType<typeof writeIndex>>();
/** The last row of the first table. */
const aims = { index: 'aim at one', times: '8', memory: '400 MB', disk: '95 MB' };
/** The aims for visits on a slow phone line: time and requests. The time in parentheses is for the large index. */
const lineAims: Readonly<Record<string, string>> = {
  version: '300 (350) ms, 3',
  query: '250 (450) ms, 3',
  'in words': '300 (350) ms, 3',
  'one word': '250 (450) ms, 3',
  'this quarter': '250 (450) ms, 3',
  list: '600 (800) ms, 10',
  'cold ?q=version': '750 ms',
  'cold ?q=query': '750 ms',
  'cold #v': '750 ms',
};

/** Runs a module with its arguments several times. Returns the medians of processor time in seconds and of peak memory in bytes. */
function measure(runs: number, args: readonly string[]) {
  const costs = Array.from({ length: runs }, () => {
    const { stderr, status } = spawnSync(
      process.execPath,
      ['--import', join(import.meta.dirname, 'cost.mjs'), ...args],
      { encoding: 'utf8', cwd: checkout },
    );
    if (status !== 0) {
      throw new Error(stderr);
    }
    return JSON.parse(stderr.trim().split('\n').at(-1)!) as { cpu: number; memory: number };
  });
  const computeMedian = (key: 'cpu' | 'memory') =>
    costs.map((cost) => cost[key]).toSorted((a, b) => a - b)[Math.floor(runs / 2)]!;
  return { cpu: computeMedian('cpu'), memory: computeMedian('memory') };
}

/** Formats a figure and its change since `figures.json`, for example `8.2 s (+12 %)`. */
function describe(index: string, key: keyof Figures): string {
  const value = measured[index]![key];
  const text = key === 'cpu' ? `${value.toFixed(1)} s` : `${Math.round(value / 1e6)} MB`;
  const before = former[index]?.[key];
  if (before === undefined) {
    return text;
  }

  const change = Math.round((value / before - 1) * 100);
  return `${text} (${change < 0 ? '' : '+'}${change} %)`;
}

/** Writes and builds an index. Returns its folders, the number of its releases, and the arguments of the build. */
function writeIndex(index: Index) {
  const root = createFolder();
  const out = join(root, 'dist');
  const releases = writeLargeIndex(root, sizes[index]);
  const build = ['src/cli.js', 'build', '--root', root, '--out', out, '--as-of', largeDay];
  measure(1, build);
  return { root, out, releases, build };
}

function prepare(index: Index) {
  const written = folders.get(index) ?? writeIndex(index);
  folders.set(index, written);
  return written;
}

function measureBuild(index: Index, runs: number): object {
  // The run in `prepare` is not counted, because Node fills its compile cache in it.
  const { root, out, releases, build } = prepare(index);
  const { cpu, memory } = measure(runs, build);
  const least = measure(runs, [bare, join(root, 'data'), out, join(root, 'copy')]).cpu;
  const files = listFiles(out).map(({ path }) => statSync(join(out, path)).size);
  measured[index] = { cpu, memory, disk: files.reduce((sum, bytes) => sum + bytes) };
  return {
    index,
    releases,
    runs,
    build: describe(index, 'cpu'),
    bare: `${least.toFixed(1)} s`,
    times: (cpu / least).toFixed(1),
    memory: describe(index, 'memory'),
    files: files.length,
    disk: describe(index, 'disk'),
  };
}

/** Measures all queries to a site. `1.2 ms (0.5)` means 1.2 ms of processor time, half as long as the search in `scan.ts`. */
async function measureQuestions(index: Index): Promise<object> {
  const { root, out } = prepare(index);
  const ask = (module: string, folder: string) => {
    const path = join(import.meta.dirname, module);
    const { stdout, stderr, status } = spawnSync(process.execPath, [path, folder], {
      encoding: 'utf8',
    });
    if (status !== 0) {
      throw new Error(stderr);
    }
    return JSON.parse(stdout) as Record<string, number>;
  };
  const least = ask('scan.ts', join(root, 'data'));
  const costs = Object.entries(ask('ask.ts', out)).map(([question, cost]) => {
    const times = cost / least[question]!;
    return [question, `${cost.toFixed(1)} ms (${times.toFixed(1)})`];
  });
  return { index, ...Object.fromEntries(costs), heap: `${await findLeastHeap(out)} MB` };
}

/** The parts of the benchmarks, in the order in which they run. */
const parts: Readonly<Record<string, () => Promise<object[]>>> = {
  async build() {
    const rows = [
      measureBuild('a quarter', 5),
      measureBuild('one', 5),
      measureBuild('four times', 3),
    ];
    if (process.argv.includes('--save')) {
      writeFileSync(figuresFile, `${JSON.stringify(measured, undefined, 2)}\n`);
    }
    return [...rows, aims];
  },
  async questions() {
    return [
      await measureQuestions('one'),
      await measureQuestions('four times'),
      { index: 'aim', heap: '64 MB at one, 100 MB at four times' },
    ];
  },
  async line() {
    const example = await measureLine(buildExample(), askedOnPages.example);
    const one = await measureLine(prepare('one').out, askedOnPages.one);
    return Object.entries(example).map(([visit, cost]) => {
      return { visit, example: cost, one: one[visit], aim: lineAims[visit] };
    });
  },
};

const chosen = process.argv.slice(2).filter((word) => word !== '--save');
const unknown = chosen.filter((word) => !(word in parts));
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: expected ${Object.keys(parts).join(', ')} or --save`);
  process.exit(2);
}
for (const part of chosen.length > 0 ? chosen : Object.keys(parts)) {
  console.table(await parts[part]!());
}
