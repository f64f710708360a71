import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { RecordedData } from '../src/core/schemas/recorded.ts';
import { parseDigests } from '../src/site/digests.ts';
import { addDays } from '../src/core/dates.ts';
import { runCli } from './harness/cli.ts';
import { npmRegistry, type Answer, type NpmRegistry } from './harness/npm-registry.ts';
import { randomFrom } from './harness/random.ts';
import { definition, makeRoot, pathsIn } from './harness/root.ts';

const lanes = 2;
const killsPerLane = 50;
const components = ['a', 'b', 'c', 'd', 'e'];
const seed = Number(process.env['RELEASE_INDEX_SEED'] ?? Date.now() % 2 ** 31);

/** Lists one version more each time it is asked, so that every run has something to save. */
function growing(): Answer {
  let count = 3;
  return (request, response) => {
    count += 1;
    const versions = Object.fromEntries(Array.from({ length: count }, (_, index) => [`1.${index}.0`, {}]));
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ name: request.url!.slice(1), versions }));
  };
}

function rootWith(registry: NpmRegistry): string {
  const source = { datasource: 'npm', packageName: 'agent', registryUrl: registry.url };
  return makeRoot(
    Object.fromEntries(
      components.map((name) => [`components/${name}.json`, definition({ sources: [source] })]),
    ),
  );
}

/** How long a whole run takes; it must end well. */
async function timed(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const run = await runCli(args);
  expect(run.status, run.stderr).toBe(0);
  return performance.now() - start;
}

async function killAfter(ms: number, args: readonly string[]): Promise<boolean> {
  const run = await runCli(args, {
    onStart(child) {
      const timer = setTimeout(() => child.kill('SIGKILL'), ms);
      child.on('exit', () => clearTimeout(timer));
    },
  });
  return run.signal === 'SIGKILL';
}

function recordedIn(root: string): Map<string, string[]> {
  return new Map(
    components.map((name) => {
      const path = `${root}/data/${name}.json`;
      if (!existsSync(path)) return [name, []];
      const { releases } = RecordedData.parse(JSON.parse(readFileSync(path, 'utf8')));
      return [name, releases.map(({ version }) => version)];
    }),
  );
}

/** Every file that the list names is there with its digest, and no other. */
function expectWholeSite(out: string): void {
  const digests = parseDigests(readFileSync(`${out}/SHA256SUMS`, 'utf8'));
  expect(pathsIn(out)).toEqual([...digests.keys(), 'SHA256SUMS', '_headers'].sort());
  for (const [path, digest] of digests) {
    expect(
      createHash('sha256')
        .update(readFileSync(`${out}/${path}`))
        .digest('hex'),
      path,
    ).toBe(digest);
  }
}

test(
  'killed at any instant, a run leaves whole files and loses no release, and the next one cleans up',
  { timeout: 120_000 },
  async () => {
    console.log(`Killing at the instants of RELEASE_INDEX_SEED=${seed}`);
    const registry = await npmRegistry({ agent: growing() });
    const kills = await Promise.all(
      Array.from({ length: lanes }, (_, index) => lane(registry, seed + index)),
    );

    expect(kills.reduce((sum, count) => sum + count, 0)).toBeGreaterThan((lanes * killsPerLane) / 2);
  },
);

/** Returns how many runs were killed before they ended by themselves. */
async function lane(registry: NpmRegistry, start: number): Promise<number> {
  const random = randomFrom(start);
  const root = rootWith(registry);
  let day = '2026-01-01';
  const argsOf = (verb: string) => [verb, '--root', root, '--as-of', day];
  const lasts = { gather: await timed(argsOf('gather')), build: await timed(argsOf('build')) };
  let known = recordedIn(root);
  let killed = 0;

  for (let count = 0; count < killsPerLane; count += 1) {
    const verb = count % 2 === 0 ? 'gather' : 'build';
    day = addDays(day, 1);
    if (await killAfter(random() * lasts[verb], argsOf(verb))) killed += 1;

    const now = recordedIn(root);
    for (const [name, versions] of known) expect(now.get(name)).toEqual(expect.arrayContaining(versions));
    known = now;
    expectWholeSite(`${root}/dist`);
  }

  day = addDays(day, 1);
  await timed(argsOf('gather'));
  await timed(argsOf('build'));
  await timed(argsOf('check'));
  const files = components.map((name) => `${name}.json`).sort();
  expect(pathsIn(`${root}/data`)).toEqual(files);
  expect(pathsIn(root).filter((path) => /^\.(?!cache\/)/.test(path))).toEqual([]);
  expect(existsSync(`${root}/.cache/data.lock`)).toBe(false);
  return killed;
}
