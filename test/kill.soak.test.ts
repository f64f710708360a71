import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import type { JournalEvent } from '../src/core/schemas/recorded/journal.ts';
import type { HeldFile } from '../src/core/schemas/recorded/waits.ts';
import { RecordedData } from '../src/core/schemas/recorded/recorded.ts';
import { addDays } from '../src/core/model/dates.ts';
import { sha256 } from '../src/io/files/file-system.ts';
import { parseDigests } from '../src/site/digests.ts';
import { runCli } from './harness/cli.ts';
import { npmRegistry, type Answer } from './harness/npm-registry.ts';
import { randomFrom } from './harness/random.ts';
import { openIndexInGit } from './harness/index-in-git.ts';
import {
  addComponent,
  definition,
  pathsIn,
  readJsonIn,
  writeIn,
  type TestRoot,
} from './harness/root.ts';

const seed = Number(process.env['RELEASE_INDEX_SEED'] ?? Date.now() % 2 ** 31);
console.log(`Killing at the instants of RELEASE_INDEX_SEED=${seed}`);

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

/** The versions that a journal says were released. */
function releasedIn(root: TestRoot, component: string): (string | undefined)[] {
  const lines = root.read(`data/journal/${component}.ndjson`).trim().split('\n');
  const events = lines.map((line) => JSON.parse(line) as JournalEvent);
  return events.filter(({ type }) => type === 'released').map(({ version }) => version);
}

const decisive = ['record', 'plan', 'accept'] as const;
const decisiveKills = 30;

test(
  'killed at any instant, a run that records or decides changes no recorded line and loses nothing',
  { timeout: 120_000 },
  async () => {
    const random = randomFrom(seed);
    const { root, git, commit } = openIndexInGit();
    const versions = ['2024.1', '2025.1', '2026.1', '2026.2'];
    const list = () => {
      const releases = versions.map((version) => ({ version, releaseTimestamp: '2026-01-01' }));
      addComponent(root, 'svc', releases);
      addComponent(root, 'edge', releases);
    };
    const support = (months: number) =>
      root.configure({ defaults: { support: { policy: 'term', months } } });
    let day = '2026-06-01';
    const argsOf = (verb: string, ...given: string[]) => [
      verb,
      ...given,
      '--root',
      root.dir,
      '--as-of',
      day,
    ];
    const isThere = (path: string) => existsSync(join(root.dir, path));
    const held = () =>
      isThere('data/held.json') ? readJsonIn<HeldFile>(root.dir, 'data/held.json').held : [];
    const heldIds = () => held().map(({ id }) => id);
    const journals = ['data/journal/svc.ndjson', 'data/runs/2026.ndjson', 'data/decisions.ndjson'];
    const appended = () => journals.map((path) => (isThere(path) ? root.read(path) : ''));
    list();
    support(60);
    commit('Start');
    const lasts = await timed(argsOf('record'));
    support(1);
    commit('Shorten the support');
    expect((await runCli(argsOf('record'))).status).toBe(1);
    let known = appended();
    let killed = 0;

    for (let count = 0; count < decisiveKills; count += 1) {
      const verb = decisive[count % decisive.length]!;
      day = addDays(day, 1);
      versions.push(`2026.${count + 3}`);
      list();
      // The other component waits until the end.
      const [edge] = held().filter(({ component }) => component === 'edge');
      const given = verb === 'accept' ? [edge?.id ?? 'edge-0123456789'] : [];
      if (await killAfter(random() * lasts, argsOf(verb, ...given))) {
        killed += 1;
      }

      const now = appended();
      for (const [index, lines] of known.entries()) {
        expect(now[index]!.startsWith(lines), `${verb}: ${journals[index]}`).toBe(true);
      }
      expect(held(), verb).toContainEqual(expect.objectContaining({ component: 'svc' }));
      known = now;
    }

    expect(killed).toBeGreaterThan(decisiveKills / 3);
    // The computer clears its folder for temporary files, which has the copies of killed plans.
    const copies = git('worktree', 'list').split('\n').slice(1);
    for (const copy of copies) {
      rmSync(copy.split(' ')[0]!, { recursive: true });
    }
    expect((await runCli(argsOf('plan'))).stdout).toMatch(/^plan: [12] would wait\./m);
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
    await timed(argsOf('accept', ...heldIds()));
    await timed(argsOf('record'));
    await timed(argsOf('check'));
    expect(heldIds()).toEqual([]);
    expect(releasedIn(root, 'svc')).toEqual(versions);
    expect(pathsIn(root.dir).filter((path) => /^\.(?!cache\/|git)/.test(path))).toEqual([]);
  },
);

const components = ['a', 'b', 'c', 'd', 'e'];
const verbs = ['gather', 'build', 'daily', 'publish'] as const;
const dailyKills = 48;

/** Lists one version more each time it is asked, so that every run has something to save. */
function growing(): Answer {
  let count = 3;
  return (request, response) => {
    count += 1;
    const versions = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`1.${index}.0`, {}]),
    );
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ name: request.url!.slice(1), versions }));
  };
}

function recordedIn(root: TestRoot): Map<string, string[]> {
  return new Map(
    components.map((name) => {
      const path = `data/${name}.json`;
      if (!existsSync(join(root.dir, path))) {
        return [name, []];
      }
      const { releases } = RecordedData.parse(JSON.parse(root.read(path)));
      return [name, releases.map(({ version }) => version)];
    }),
  );
}

/** Every file that the list names is there with its digest, and no other. */
function expectWholeSite(folder: string): void {
  const digests = parseDigests(readFileSync(join(folder, 'SHA256SUMS'), 'utf8'));
  expect(pathsIn(folder)).toEqual([...digests.keys(), 'SHA256SUMS'].sort());
  for (const [path, digest] of digests) {
    expect(sha256(readFileSync(join(folder, path))), path).toBe(digest);
  }
}

test(
  'killed at any instant, a run that gathers, builds or publishes leaves nothing lost or half written',
  { timeout: 300_000 },
  async () => {
    const random = randomFrom(seed);
    const registry = await npmRegistry({ agent: growing() });
    const { root, git, served, commit } = openIndexInGit();
    const source = { datasource: 'npm', packageName: 'agent', registryUrl: registry.url };
    for (const name of components) {
      writeIn(root.dir, `components/${name}.json`, definition({ sources: [source] }));
    }
    commit('Start');
    let day = '2026-01-01';
    const argsOf = (verb: string) => {
      const to = verb === 'daily' || verb === 'publish' ? ['--to', served] : [];
      return [verb, ...to, '--root', root.dir, '--as-of', day];
    };
    const lasts = new Map<string, number>();
    for (const verb of ['daily', ...verbs]) {
      lasts.set(verb, await timed(argsOf(verb)));
    }
    let known = recordedIn(root);
    let killed = 0;

    for (let count = 0; count < dailyKills; count += 1) {
      const verb = verbs[count % verbs.length]!;
      if (verb !== 'publish') {
        day = addDays(day, 1);
      }
      if (await killAfter(random() * lasts.get(verb)!, argsOf(verb))) {
        killed += 1;
      }

      const now = recordedIn(root);
      for (const [name, versions] of known) {
        expect(now.get(name)).toEqual(expect.arrayContaining(versions));
      }
      known = now;
      expectWholeSite(root.out);
      for (const path of pathsIn(served).filter((one) => one.endsWith('.json'))) {
        expect(() => readJsonIn(served, path), path).not.toThrow();
      }
    }

    expect(killed).toBeGreaterThan(dailyKills / 3);
    day = addDays(day, 1);
    await timed(argsOf('daily'));
    git('fsck', '--strict');
    expect(git('status', '--porcelain')).toBe('');
    expectWholeSite(served);
    for (const [name, versions] of recordedIn(root)) {
      expect(releasedIn(root, name)).toEqual(versions);
      expect(readJsonIn<{ releases: unknown[] }>(served, `${name}.json`).releases).toHaveLength(
        versions.length,
      );
    }
    expect(pathsIn(root.dir).filter((path) => /^\.(?!cache\/|git)/.test(path))).toEqual([]);
    expect(existsSync(join(root.dir, '.cache/data.lock'))).toBe(false);
  },
);
