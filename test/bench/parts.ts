import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseVersion } from '../../src/core/version.ts';
import { foreignPackage, install } from '../harness/install.ts';
import { renovate } from '../renovate/install.ts';
import { writeGatherRoot, writeRoot, type Corpus } from './corpus.ts';
import { runByTurns, type Program, type Usage } from './measure.ts';
import { ratio, spread, type Measured } from './statistics.ts';
import type { BenchTable } from './table.ts';

const checkout = resolve(import.meta.dirname, '../..');
const peers = join(import.meta.dirname, 'peers');
const day = '2026-09-01';
const gathered = { components: 2000, bytesOfEach: 300_000 };

export interface Part {
  table: BenchTable;
  targets: Target[];
}

export interface Target {
  name: string;
  wanted: string;
  measured: Measured;
  isMet(median: number): boolean;
  /** Stands in README.md as well. */
  isHeadline?: true;
}

/** Everything from nothing: an empty output folder. */
export async function measureBuild(scratch: string, corpus: Corpus, rounds: number): Promise<Part> {
  const root = join(scratch, 'root');
  const { components, releases } = writeRoot(root, corpus, 1);
  const out = join(scratch, 'out');
  const sizes = sizesOf(scratch, root, out);
  const eleventy = foreignPackage('@11ty/eleventy', '3.1.5');
  await install(eleventy);
  const floorOut = join(scratch, 'floor');
  const eleventyOut = join(scratch, 'eleventy');
  const subsetOut = join(scratch, 'subset');
  process.env['BENCH_ROOT'] = root;
  process.env['BENCH_OUT'] = eleventyOut;
  const measured = runByTurns(
    {
      floor: { args: [join(peers, 'floor.ts'), root, floorOut, sizes], prepare: () => remove(floorOut) },
      build: buildProgram(root, out),
      eleventy: {
        args: [join(eleventy.dir, 'cmd.cjs'), '--quiet'],
        cwd: join(import.meta.dirname, 'eleventy'),
        prepare: () => remove(eleventyOut),
      },
      subset: { args: [join(peers, 'subset.ts'), root, subsetOut, day], prepare: () => remove(subsetOut) },
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
    table: {
      title: `Build of ${components} components with ${count(releases)} releases`,
      headings: ['', 'files', 'wall ms', 'CPU ms', 'peak MB', 'CPU to floor', 'memory to floor'],
      rows: [
        row('floor: parse the input, put rows together, write as many bytes', measured.floor, floorOut),
        row('build: every published path', measured.build, out),
        row('Eleventy 3.1.5, Nunjucks: pages and component files', measured.eleventy, eleventyOut),
        row('ours: pages and component files', measured.subset, subsetOut),
      ],
    },
    targets: [
      {
        name: 'CPU time of a build of every path, relative to the least that any program must do',
        wanted: 'at most 4',
        measured: ratio(of('cpuMs', measured.build), of('cpuMs', measured.floor)),
        isMet: (median) => median <= 4,
        isHeadline: true,
      },
      {
        name: 'CPU time of pages and component files, relative to Eleventy',
        wanted: 'at most 1',
        measured: ratio(of('cpuMs', measured.subset), of('cpuMs', measured.eleventy)),
        isMet: (median) => median <= 1,
        isHeadline: true,
      },
    ],
  };
}

export function measureGrowth(scratch: string, corpus: Corpus, rounds: number): Part {
  const sized = (copies: number) => {
    const root = join(scratch, `root-${copies}`);
    const { components, releases } = writeRoot(root, corpus, copies);
    const name = `${copies}× the corpus: ${count(components)} components, ${count(releases)} releases`;
    return { name, program: buildProgram(root, join(scratch, `out-${copies}`)) };
  };
  const [once, tenfold] = [sized(1), sized(10)];
  const measured = runByTurns(
    { once: once.program, tenfold: tenfold.program },
    Math.min(rounds, 5),
    progress('growth'),
  );
  return {
    table: {
      title: 'Growth',
      headings: ['', 'wall ms', 'CPU ms', 'peak MB', 'CPU to 1×', 'memory to 1×'],
      rows: [
        [once.name, ...numbersOf(measured.once, measured.once)],
        [tenfold.name, ...numbersOf(measured.tenfold, measured.once)],
      ],
    },
    targets: [
      {
        name: 'CPU time of ten times the corpus, relative to the corpus',
        wanted: 'at most 10.5',
        measured: ratio(of('cpuMs', measured.tenfold), of('cpuMs', measured.once)),
        isMet: (median) => median <= 10.5,
      },
      {
        name: 'Peak memory of a build of a million releases, MB',
        wanted: 'under 2,000',
        measured: spread(of('peakMB', measured.tenfold)),
        isMet: (median) => median < 2000,
      },
    ],
  };
}

export async function measureOrder(scratch: string, corpus: Corpus): Promise<Part> {
  await install(renovate);
  const versions = [...corpus.values()].flatMap((list) => list.map(([version]) => version));
  const file = join(scratch, 'versions.json');
  writeFileSync(file, JSON.stringify(versions.filter((text) => parseVersion(text) !== undefined)));
  const loose = join(renovate.dir, 'dist/modules/versioning/loose/index.js');
  const output = execFileSync(process.execPath, [join(peers, 'order.ts'), file, loose], { encoding: 'utf8' });
  const { versions: all, times } = JSON.parse(output) as {
    versions: number;
    times: Record<'ours' | 'loose', number[]>;
  };
  const toOurs = ratio(times.loose, times.ours);
  return {
    table: {
      title: 'Order of version strings, shuffled',
      headings: ['', 'ms', 'to ours'],
      rows: [
        [`ours, ${count(all)} versions`, spread(times.ours).text, '1'],
        ["Renovate's loose, the same", spread(times.loose).text, toOurs.text],
      ],
    },
    targets: [
      {
        name: "Time of Renovate's order of versions, relative to ours",
        wanted: 'at least 10',
        measured: toOurs,
        isMet: (median) => median >= 10,
        isHeadline: true,
      },
    ],
  };
}

/** A first gather of a large index from one registry, which runs in a process of its own. */
export async function measureGather(scratch: string, rounds: number): Promise<Part> {
  const registry = spawn(process.execPath, [join(peers, 'registry.ts'), String(gathered.bytesOfEach)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [url] = (await once(registry.stdout.setEncoding('utf8'), 'data')) as [string];
    const root = join(scratch, 'gathered');
    const gather: Program = {
      args: [join(checkout, 'src/cli.js'), 'gather', '--root', root, '--as-of', day, '--strict'],
      prepare: () => writeGatherRoot(root, url.trim(), gathered.components),
    };
    const measured = runByTurns({ gather }, Math.min(rounds, 3), progress('gather'));
    const { components, bytesOfEach } = gathered;
    return {
      table: {
        title: 'Gather',
        headings: ['', 'wall ms', 'CPU ms', 'peak MB'],
        rows: [
          [
            `${count(components)} components, ${bytesOfEach / 1000} KB each, from a registry on loopback`,
            ...numbersOf(measured.gather, measured.gather).slice(0, 3),
          ],
        ],
      },
      targets: [
        {
          name: `Peak memory of a gather of ${count(components)} components, MB`,
          wanted: 'under 1,000',
          measured: spread(of('peakMB', measured.gather)),
          isMet: (median) => median < 1000,
        },
      ],
    };
  } finally {
    registry.kill();
  }
}

/** A build from nothing. */
function buildProgram(root: string, out: string): Program {
  const args = [join(checkout, 'src/cli.js'), 'build', '--root', root, '--out', out, '--as-of', day];
  return { args, prepare: () => remove(out, join(root, '.cache')) };
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

function of(key: keyof Usage, usages: readonly Usage[]): number[] {
  return usages.map((entry) => entry[key]);
}

function numbersOf(usages: readonly Usage[], base: readonly Usage[]): string[] {
  return [
    spread(of('wallMs', usages)),
    spread(of('cpuMs', usages)),
    spread(of('peakMB', usages)),
    ratio(of('cpuMs', usages), of('cpuMs', base)),
    ratio(of('peakMB', usages), of('peakMB', base)),
  ].map(({ text }) => text);
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
