import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findVersions } from '../../src/ask/texts/find-versions.ts';
import { addDays } from '../../src/core/model/dates.ts';
import { checkout, fixtureDay } from '../harness/checkout.ts';
import { packument } from '../harness/npm-registry.ts';
import { leastCpu, openDoors, texts } from '../harness/refusing-doors.ts';
import { definition, makeRoot } from '../harness/root.ts';

/** The costs of earlier versions, by subject. */
const before = JSON.parse(
  readFileSync(join(import.meta.dirname, 'before.json'), 'utf8'),
) as Readonly<Record<string, string>>;

/** Prints a row of the table of before and after. */
export function printRow(subject: string, now: string): void {
  console.log(`| ${subject} | ${before[subject] ?? '-'} | ${now} |`);
}

/** Finds the slowest reading of 64 kB at any door. Prints its time, how much longer 128 kB take, and how often JSON.parse reads 64 kB meanwhile. */
export async function measureRefusals(folder: string): Promise<void> {
  const doors = await openDoors(folder, fixtureDay);
  const numbers = `[${'1,'.repeat(31_999)}1]`;
  const parses = await leastCpu(() => Array.from({ length: 100 }, () => void JSON.parse(numbers)));
  let slowest = { name: '', ms: 0, ratio: 0 };

  for (const [name, door] of Object.entries(doors)) {
    for (const [kind, textOf] of Object.entries(texts)) {
      const ms = await leastCpu(() => door(textOf(64_000)));
      if (ms > slowest.ms) {
        const more = await leastCpu(() => door(textOf(128_000)));
        slowest = { name: `${name}, ${kind}`, ms, ratio: more / ms };
      }
    }
  }

  const { name, ms, ratio } = slowest;
  const times = Math.round((100 * ms) / parses);

  printRow(
    'the slowest refusal of 64 kB',
    `${ms.toFixed(0)} ms, ${ratio.toFixed(1)} times for twice as much; ${times} times JSON.parse (${name})`,
  );
}

/** The search for 1,200 names in texts that repeat the beginning of one. */
export async function measureTexts(): Promise<void> {
  const aliases = [`${'a '.repeat(49)}b`, `${'a:'.repeat(45)}b`, 'pkg'];
  const components = Array.from({ length: 400 }, (_, at) => {
    return {
      name: `agent-${at}`,
      title: `Build agent ${at}`,
      aliases: [`com.example.agent-${at}`],
    };
  });
  const names = {
    components: [...components, { name: 'svc', title: 'Server', aliases }],
    packages: new Map(),
  };

  for (const part of ['a ', 'a:', 'pkg:npm/a ', 'svc 1.0 of ', 'Build agent ']) {
    const measureLength = (length: number) => {
      const text = part.repeat(length / part.length);
      return leastCpu(() => void findVersions(text, names));
    };
    const [ms, more] = [await measureLength(64_000), await measureLength(1_000_000)];

    printRow(
      `64 kB of "${part}" with 1,200 names`,
      `${ms.toFixed(0)} ms; 1 MB: ${more.toFixed(0)} ms`,
    );
  }
}

const program = join(checkout, 'src/cli.js');
const components = 400;
const quietDays = 4;
const firstDay = '2026-06-01';

/** What some quiet days add to `data/` and to git, for a year. */
export async function measureYear(): Promise<void> {
  const server = createServer((request, response) => {
    const name = request.url!.slice(1);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(packument(name, { '1.0.0': { at: '2026-01-01T00:00:00.000Z' } })));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const registryUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  const names = Array.from({ length: components }, (_, index) => `lib-${index + 1}`);
  const files = names.map((packageName) => [
    `components/${packageName}.json`,
    definition({ sources: [{ datasource: 'npm', packageName, registryUrl }] }),
  ]);
  const root = makeRoot({ '.gitignore': '.cache\n', ...Object.fromEntries(files) });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  const objects = () => sizeOf(join(root, '.git', 'objects'));
  const pack = () => {
    git('gc', '--quiet', '--aggressive', '--prune=now');
    return objects();
  };
  const commit = () => {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'A day');
  };

  git('init', '--quiet');
  commit();

  try {
    const addDay = async (day: number) => {
      for (const verb of ['gather', 'record']) {
        await runToEnd([verb, '--root', root, '--as-of', addDays(firstDay, day)]);
      }

      commit();
    };

    await addDay(0);

    const first = pack();

    for (let day = 1; day <= quietDays; day += 1) {
      await addDay(day);
    }

    const aYear = (last: number) => `${(((last - first) / quietDays / 1e6) * 365).toFixed(1)} MB`;
    const loose = aYear(objects());

    printRow(
      'a year of quiet days, 400 components',
      `${loose} in git, ${aYear(pack())} packed (${quietDays} days, times ${365 / quietDays})`,
    );
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Asks a build to stop while it writes, and measures how long it takes. */
export async function measureStop(root: string, day: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [program, 'build', '--root', root, '--as-of', day, '--out', join(root, 'stopped')],
    {
      stdio: 'ignore',
    },
  );
  const ended = once(child, 'exit');

  await once(child, 'spawn');
  await new Promise((resolve) => setTimeout(resolve, 2000));

  const start = performance.now();
  const isRunning = child.exitCode === null;

  child.kill('SIGTERM');
  await ended;

  const ms = Math.round(performance.now() - start);

  printRow('a build that is asked to stop', isRunning ? `stops in ${ms} ms` : 'had ended before');
}

async function runToEnd(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += String(text)));

  const [status] = (await once(child, 'close')) as [number];
  if (status !== 0) {
    throw new Error(stderr);
  }
}

export function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + readFileSync(join(parentPath, name)).length, 0);
}
