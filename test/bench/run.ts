import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endpoints, answerFromTable } from '../../src/ask/server/api/router.ts';
import { openIndex } from '../../src/ask/answers/published-index.ts';
import { checkout, fixtureDay } from '../harness/checkout.ts';
import { missingCorpus, readCorpus, type Corpus } from '../harness/corpus.ts';
import { removeTemporaryFolders } from '../harness/root.ts';
import { costlyQueries } from './costly-requests.ts';
import { writeRoot } from './corpus-root.ts';
import {
  measureRefusals,
  measureStop,
  measureTexts,
  measureYear,
  printRow,
  sizeOf,
} from './costs.ts';
import { writeEleventySite } from './eleventy.ts';
import { measureRenovate } from './renovate-cost.ts';

const day = '2026-09-01';
const rounds = 3;

/**
 * `npm run bench`: CPU time of builds and of Renovate as whole processes, and of queries, each as a ratio to a yardstick of the same run: machines
 * differ, and so does what else they do.
 */
const corpus = readCorpus();
if (corpus) {
  await bench(corpus);
} else {
  console.log(missingCorpus);
}

async function bench(products: Corpus): Promise<void> {
  // A disk would be slower than the program.
  const scratch = mkdtempSync(
    join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'release-index-bench-'),
  );
  try {
    const usageFile = join(scratch, 'usage.json');
    const roots = [1, 10].map((copies) => join(scratch, `root-${copies}`)) as [string, string];
    const sizes = roots.map((root, index) => writeRoot(root, products, index === 0 ? 1 : 10));
    const floorMs = cpuOf(() => copyDocuments(join(roots[0], 'data'), scratch));
    const [one, ten] = roots.map((root) =>
      measure(['build', '--root', root, '--as-of', day], usageFile),
    );
    print(
      `build of ${sizes[0]}`,
      one!,
      `${ratio(one!.cpuMs, floorMs)} times reading and writing its data as JSON`,
    );
    console.log('| cost | before | now |\n| --- | --- | --- |');
    await printAgainstOthers(roots[0], scratch, usageFile);
    printQuestions(checkout, 'svc', '2025.1', usageFile);
    printQuestions(roots[0], 'nodejs', '20.1.0', usageFile);
    await measureRefusals(siteIn(scratch, usageFile));
    await measureTexts();
    await measureYear();
    await measureStop(roots[0], day);
    print(
      `build of ${sizes[1]}`,
      ten!,
      `${ratio(ten!.cpuMs, one!.cpuMs)} times the build of a tenth`,
    );
    await measureQueries(join(roots[0], 'dist'));
    console.log(await measureRenovate(join(roots[0], 'dist')));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    removeTemporaryFolders();
  }
}

/** The example of the checkout, built. */
function siteIn(scratch: string, usageFile: string): string {
  const out = join(scratch, 'example');
  measure(['build', '--out', out, '--as-of', fixtureDay], usageFile);

  return out;
}

interface Usage {
  readonly cpuMs: number;
  readonly peakMB: number;
}

/** Compares a build with a bare program that writes the same bytes, and with Eleventy, each in turn. */
async function printAgainstOthers(root: string, scratch: string, usageFile: string): Promise<void> {
  const eleventyFolder = join(scratch, 'eleventy');
  const eleventy = await writeEleventySite(eleventyFolder);
  const folders = [join(root, 'data'), join(root, 'dist'), join(scratch, 'copy')];

  const programs = {
    build: () => measure(['build', '--root', root, '--as-of', day], usageFile),
    floor: () => run([join(checkout, 'test/bench/bare-program.mjs'), ...folders], usageFile),
    ...(eleventy !== undefined && {
      eleventy: () =>
        run([eleventy, '--quiet'], usageFile, [0], {
          cwd: eleventyFolder,
          env: { BENCH_DATA: join(root, 'data') },
        }),
    }),
  };

  const least = leastOf(programs);
  const bytes = sizeOf(join(root, 'dist'));

  printRow(
    'build against a bare program',
    `${ratio(least.build!, least.floor!)} times, for ${Math.round(bytes / 1e6)} MB`,
  );

  if (least.eleventy !== undefined) {
    const words = 'times, for a page and a JSON document of each component';

    printRow('build against Eleventy', `${ratio(least.build!, least.eleventy)} ${words}`);
  }
}

/** The least CPU time of each program in some rounds, in milliseconds: other work only ever adds to it. */
function leastOf(programs: Readonly<Record<string, () => Usage>>): Record<string, number> {
  const least: Record<string, number> = {};

  for (let round = 0; round < rounds; round += 1) {
    for (const [name, program] of Object.entries(programs)) {
      least[name] = Math.min(least[name] ?? Infinity, program().cpuMs);
    }
  }

  return least;
}

/** Commands that ask about one component, which build nothing, in times of a program that does nothing. */
function printQuestions(root: string, component: string, version: string, usageFile: string): void {
  const components = readdirSync(join(root, 'components')).length;
  const questions = {
    explain: ['explain', component, version],
    'scan of one thing': ['scan', `${component}@${version}`],
    'search of one component': ['search', `component:${component}`],
  };

  const asked = Object.entries(questions).map(
    ([subject, question]) =>
      [
        subject,
        () => measure([...question, '--root', root, '--as-of', day], usageFile, [0, 1]),
      ] as const,
  );

  const { nothing, ...costs } = leastOf({
    nothing: () => run(['-e', ''], usageFile),
    ...Object.fromEntries(asked),
  });

  for (const [subject, cost] of Object.entries(costs)) {
    const seconds = (cost / 1000).toFixed(2);

    printRow(
      `${subject}, ${components} components`,
      `${seconds} s of CPU, ${ratio(cost, nothing!)} times a program that does nothing`,
    );
  }
}

/** Runs a command as a process of its own. */
function measure(args: readonly string[], usageFile: string, statuses = [0]): Usage {
  return run([join(checkout, 'src/cli.js'), ...args], usageFile, statuses);
}

function run(
  args: readonly string[],
  usageFile: string,
  statuses = [0],
  { cwd, env }: { cwd?: string; env?: Record<string, string> } = {},
): Usage {
  const hook = pathToFileURL(join(checkout, 'test/harness/usage.mjs')).href;
  const { status, stderr } = spawnSync(process.execPath, ['--import', hook, ...args], {
    cwd,
    env: { ...process.env, ...env, USAGE_FILE: usageFile },
    encoding: 'utf8',
  });
  if (status === null || !statuses.includes(status)) {
    throw new Error(stderr);
  }
  return JSON.parse(readFileSync(usageFile, 'utf8')) as Usage;
}

function print(name: string, { cpuMs, peakMB }: Usage, words: string): void {
  console.log(
    `${name}: ${words} (${(cpuMs / 1000).toFixed(1)} s of CPU, ${Math.round(peakMB)} MB at most)`,
  );
}

function ratio(ms: number, yardstickMs: number): string {
  return (ms / yardstickMs).toPrecision(2);
}

/** CPU time in milliseconds. */
function cpuOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The least that a program does that reads all documents of a folder and writes them. */
function copyDocuments(folder: string, scratch: string): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const document = JSON.parse(readFileSync(join(folder, file), 'utf8')) as object;
    writeFileSync(join(scratch, 'copy.json'), JSON.stringify(document));
  }
}

/** The Worker's limit is CPU time for each request: the first, which reads the whole index, and the slowest query after it. */
async function measureQueries(folder: string): Promise<void> {
  const index = openIndex({
    read: (path) => {
      const file = join(folder, path);
      return Promise.resolve(existsSync(file) ? readFileSync(file, 'utf8') : undefined);
    },
  });
  const settings = {
    baseUrl: 'https://releases.example.com',
    ...{ retryMs: 0, heartbeatMs: 0, lifetimeMs: 0 },
  };
  let answered = 0;
  const ask = async (path: string, init?: RequestInit) => {
    const start = process.cpuUsage();
    const request = new Request(`https://releases.example.com${path}`, init);
    const answer = (await answerFromTable(endpoints, { request, index, settings }))!;
    await answer.text();
    if (answer.ok) {
      answered += 1;
    }
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  const answer = (query: string) =>
    ask(`/api/releases?${new URLSearchParams({ query }).toString()}`);

  const readText = (path: string) => readFileSync(join(folder, path), 'utf8');
  const { parts = [] } = JSON.parse(readText('search.json')) as { parts?: string[] };
  const texts = ['search.json', ...parts].map(readText);
  const parseMs = median(
    Array.from({ length: 5 }, () => cpuOf(() => texts.map((text) => void JSON.parse(text)))),
  );
  const first = await answer('');
  console.log(
    `first query, which reads the index: ${ratio(first, parseMs)} times JSON.parse of search.json`,
  );
  await printSlowest('queries', costlyQueries, answer);

  async function printSlowest(
    kind: string,
    requests: readonly string[],
    cost: (one: string) => Promise<number>,
  ) {
    const slowest = { request: '', ms: 0 };
    answered = 0;
    for (const request of requests) {
      const times: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        times.push(await cost(request));
      }
      const ms = median(times);
      if (ms > slowest.ms) {
        Object.assign(slowest, { request, ms });
      }
    }
    const start = slowest.request.slice(0, 60).replaceAll('\n', ' ');
    console.log(
      `slowest of ${requests.length} costly ${kind}: ${ratio(slowest.ms, parseMs)} times JSON.parse of search.json (${Math.round(slowest.ms)} ms), ${start}; ${answered / 5} are answered, the others rejected`,
    );
  }
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}
