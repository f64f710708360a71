import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import type { HeldFile } from '../src/core/schemas/held.ts';
import type { JournalEvent } from '../src/core/schemas/journal.ts';
import { RecordedData } from '../src/core/schemas/recorded.ts';
import { parseDigests } from '../src/site/digests.ts';
import { addDays } from '../src/core/dates.ts';
import { runCli } from './harness/cli.ts';
import { npmRegistry, type Answer, type NpmRegistry } from './harness/npm-registry.ts';
import { randomFrom } from './harness/random.ts';
import {
  addComponent,
  createRoot,
  definition,
  makeRoot,
  pathsIn,
  readJsonIn,
  temporaryFolder,
  writeIn,
} from './harness/root.ts';

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

/** How long a whole run takes in a process of its own, with its start; it must end well. */
async function timed(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const run = await runCli(args, { onStart: () => undefined });
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

const decisive = ['record', 'plan', 'accept'] as const;
const decisiveKills = 30;

test(
  'killed at any instant, a run that records or decides changes no recorded line, and run again it loses nothing',
  {
    timeout: 120_000,
  },
  async () => {
    const random = randomFrom(seed);
    const root = createRoot({ releasesUrl: 'https://releases.example.org', hosting: 'files' });
    const git = (...args: string[]) => execFileSync('git', ['-C', root.dir, ...args], { encoding: 'utf8' });
    const commit = (message: string) => {
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
    };
    const versions = ['2024.1', '2025.1', '2026.1', '2026.2'];
    const list = () =>
      addComponent(
        root,
        'svc',
        versions.map((version) => ({ version, releaseTimestamp: '2026-01-01' })),
      );
    const support = (months: number) => root.configure({ defaults: { support: { policy: 'term', months } } });
    let day = '2026-06-01';
    const argsOf = (verb: string, ...given: string[]) => [verb, ...given, '--root', root.dir, '--as-of', day];
    const heldIds = () =>
      existsSync(join(root.dir, 'data/held.json'))
        ? readJsonIn<HeldFile>(root.dir, 'data/held.json').held.map(({ id }) => id)
        : [];
    const appended = () =>
      new Map(
        ['data/journal/svc.ndjson', 'data/runs/2026.ndjson', 'data/decisions.ndjson'].map((path) => [
          path,
          existsSync(join(root.dir, path)) ? root.read(path) : '',
        ]),
      );
    list();
    support(60);
    root.write('.gitignore', 'dist/\n.cache/\n');
    git('init', '--quiet');
    git('config', 'user.name', 'Jane');
    git('config', 'user.email', 'jane@example.com');
    commit('Start');
    const lasts = await timed(argsOf('record'));
    support(1);
    commit('Shorten the support');
    expect((await runCli(argsOf('record'))).status).toBe(1);
    const [edit] = heldIds() as [string];
    let known = appended();
    let killed = 0;

    for (let count = 0; count < decisiveKills; count += 1) {
      const verb = decisive[count % decisive.length]!;
      day = addDays(day, 1);
      versions.push(`2026.${count + 3}`);
      list();
      // Somebody else's decision: the edit itself waits until the end.
      const given = verb === 'accept' ? ['0123456789'] : [];
      if (await killAfter(random() * lasts, argsOf(verb, ...given))) killed += 1;

      const now = appended();
      for (const [path, lines] of known)
        expect(now.get(path)!.startsWith(lines), `${verb}: ${path}`).toBe(true);
      expect(heldIds(), verb).toContain(edit);
      known = now;
    }

    expect(killed).toBeGreaterThan(decisiveKills / 3);
    expect((await runCli(argsOf('plan'))).stdout).toContain('plan: 1 held.');
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    await timed(argsOf('accept', ...heldIds()));
    await timed(argsOf('record'));
    await timed(argsOf('check'));
    expect(heldIds()).toEqual([]);
    const events = root.read('data/journal/svc.ndjson').trim().split('\n');
    const released = events.flatMap((line) => {
      const { type, version } = JSON.parse(line) as JournalEvent;
      return type === 'released' ? version : [];
    });
    expect(released).toEqual(versions);
    expect(pathsIn(root.dir).filter((path) => /^\.(?!cache\/|git)/.test(path))).toEqual([]);
  },
);

const dailyKills = 24;

test(
  'killed at any instant, a day that commits and publishes is done again, and nothing is lost or half there',
  { timeout: 180_000 },
  async () => {
    const random = randomFrom(seed);
    const registry = await npmRegistry({ agent: growing() });
    const root = createRoot({ releasesUrl: 'https://releases.example.org', hosting: 'files' }).dir;
    const source = { datasource: 'npm', packageName: 'agent', registryUrl: registry.url };
    for (const name of components)
      writeIn(root, `components/${name}.json`, definition({ sources: [source] }));
    const served = join(temporaryFolder(), 'served');
    const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' });
    writeIn(root, '.gitignore', 'dist/\n.cache/\n');
    for (const args of [
      ['init', '--quiet'],
      ['config', 'user.name', 'Jane'],
      ['config', 'user.email', 'jane@example.com'],
      ['add', '--all'],
      ['commit', '--quiet', '--message', 'Start'],
    ])
      git(...args);
    let day = '2026-01-01';
    const argsOf = (verb: string) => [verb, '--to', served, '--root', root, '--as-of', day];
    const lasts = { daily: await timed(argsOf('daily')), publish: await timed(argsOf('publish')) };
    let known = recordedIn(root);
    let killed = 0;

    for (let count = 0; count < dailyKills; count += 1) {
      const verb = count % 4 === 3 ? 'publish' : 'daily';
      if (verb === 'daily') day = addDays(day, 1);
      if (await killAfter(random() * lasts[verb], argsOf(verb))) killed += 1;

      const now = recordedIn(root);
      for (const [name, versions] of known) expect(now.get(name)).toEqual(expect.arrayContaining(versions));
      known = now;
      for (const path of pathsIn(served).filter((one) => one.endsWith('.json')))
        expect(() => readJsonIn(served, path), path).not.toThrow();
    }

    expect(killed).toBeGreaterThan(dailyKills / 3);
    day = addDays(day, 1);
    await timed(argsOf('daily'));
    git('fsck', '--strict');
    expect(git('status', '--porcelain')).toBe('');
    const digests = parseDigests(readFileSync(join(served, 'SHA256SUMS'), 'utf8'));
    expect(pathsIn(served)).toEqual([...digests.keys(), 'SHA256SUMS'].sort());
    for (const [name, versions] of recordedIn(root)) {
      const lines = readFileSync(join(root, `data/journal/${name}.ndjson`), 'utf8')
        .trim()
        .split('\n');
      const released = lines
        .map((line) => JSON.parse(line) as JournalEvent)
        .filter(({ type }) => type === 'released');
      expect(released.map(({ version }) => version)).toEqual(versions);
      expect(readJsonIn<{ releases: unknown[] }>(served, `${name}.json`).releases).toHaveLength(
        versions.length,
      );
    }
  },
);
