import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { hostingFor, wranglerConfig } from '../../src/deliver/host/hosting.ts';
import { checkout } from '../harness/checkout.ts';
import { writeRoot, type Corpus } from './corpus.ts';
import { costlyQueries } from './costly-queries.ts';
import type { Part } from './parts.ts';
import { ratio, spread } from './statistics.ts';

const queries = [
  'isLatest',
  'component:nodejs isSupported',
  'gitlab',
  'version:>=20 isLatestOfLine',
  'supportLeft:<90d',
  'age:<30d',
  'releaseTimestamp:[2026-01-01 to 2026-06-30] policy:term',
  'status:deprecated reason:*support*',
  'datasource:npm -isPrerelease isSupported',
  'isWithdrawn or isPrerelease',
];

interface Answered {
  first: number;
  floor: number[];
  times: Record<string, number[]>;
  releases: Record<string, number>;
}

/** What the Worker weighs, how long it takes to start, and what a query of a large index costs it. */
export function measureWorker(scratch: string, corpus: Corpus, rounds: number): Part {
  const root = join(scratch, 'asked');
  const out = join(root, 'dist');
  const { releases } = writeRoot(root, corpus, 1);
  run([join(checkout, 'src/cli.js'), 'build', '--root', root, '--as-of', '2026-09-01']);
  const bundle = bundleWorker(scratch, out);
  const starts = Array.from({ length: rounds }, () =>
    Number(run(['--input-type=module', '--eval', startOf(bundle)])),
  );
  const ask = (all: readonly string[]) =>
    JSON.parse(run([join(import.meta.dirname, 'peers/queries.ts'), out, ...all])) as Answered;
  const { first, floor, times, releases: found } = ask(queries);
  const costly = ask(costlyQueries);
  const [worstQuery, worst] = Object.entries(costly.times)
    .map(([query, each]) => [query, spread(each)] as const)
    .reduce((slowest, time) => (time[1].median > slowest[1].median ? time : slowest));
  const served = Array.from({ length: rounds }, () => askRuntime(out, worstQuery));
  const addedMB = spread(served.map((each) => each.addedMB));
  const waits = spread(served.flatMap((each) => each.waits));
  const answered = Object.keys(costly.releases).length;
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;
  const source = readFileSync(bundle);
  return {
    table: {
      title: `The Worker, asked for ${releases.toLocaleString('en-US')} releases`,
      headings: ['', 'releases on the first page', 'CPU ms', 'to JSON.parse'],
      rows: [
        [
          `start: ${kib(source.length)}, ${kib(gzipSync(source).length)} compressed`,
          '',
          spread(starts).text,
          '',
        ],
        ['the first query, which reads the index', '100', spread([first]).text, ''],
        ['floor: JSON.parse of search.json', '', spread(floor).text, '1'],
        ...queries.map((query) => [
          `\`${query}\``,
          String(found[query]),
          spread(times[query]!).text,
          ratio(times[query]!, floor).text,
        ]),
        [
          `the worst of ${costlyQueries.length} costly queries, of which ${answered} are answered and the others refused with how to narrow them`,
          '',
          worst.text,
          '',
        ],
      ],
    },
    targets: [
      {
        name: 'CPU time of the slowest of ten queries of a large index, relative to JSON.parse of it',
        wanted: 'at most 1',
        measured: Object.values(times)
          .map((each) => ratio(each, floor))
          .reduce((slowest, time) => (time.median > slowest.median ? time : slowest)),
        isMet: (median) => median <= 1,
      },
      {
        name: `CPU time of the worst of ${costlyQueries.length} costly queries of a large index, ms`,
        wanted: 'at most 100',
        measured: worst,
        isMet: (median) => median <= 100,
      },
      {
        name: 'Memory that 15 requests at once on a large index that nobody has asked add to the runtime, MB',
        wanted: 'under 128',
        measured: addedMB,
        isMet: (median) => median < 128,
      },
      {
        name: 'Time that a small question takes while the runtime answers the worst of the costly queries, ms',
        wanted: 'under 500',
        measured: waits,
        isMet: (median) => median < 500,
      },
    ],
  };
}

function run(args: readonly string[]): string {
  return execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 30 });
}

/** Asks the site in the runtime of the host: see peers/runtime.ts. */
function askRuntime(out: string, costly: string): { addedMB: number; waits: number[] } {
  const printed = run([join(import.meta.dirname, 'peers/runtime.ts'), out, costly]);
  return JSON.parse(printed.slice(printed.lastIndexOf('\n') + 1)) as { addedMB: number; waits: number[] };
}

/** As it is published. */
function bundleWorker(scratch: string, out: string): string {
  const config = join(scratch, 'wrangler.json');
  const hosting = hostingFor('https://releases.example.com');
  writeFileSync(config, JSON.stringify(wranglerConfig({ hosting, out })));
  const folder = join(scratch, 'worker');
  execFileSync(
    process.execPath,
    [
      join(checkout, 'node_modules/wrangler/bin/wrangler.js'),
      ...['deploy', '--dry-run', '--minify', '--outdir', folder, '--config', config],
    ],
    { cwd: scratch, stdio: 'ignore', env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' } },
  );
  return join(folder, 'worker.js');
}

/** A program that prints the milliseconds of CPU time that it takes to load a module. */
function startOf(module: string): string {
  return `const start = process.cpuUsage(); await import(${JSON.stringify(module)});
    const { user, system } = process.cpuUsage(start); console.log((user + system) / 1000);`;
}
