import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readBaseUrl } from '../../src/deliver/publish/live.ts';
import { checkout } from '../harness/checkout.ts';
import { makeRoot, readJsonIn, temporaryFolder } from '../harness/root.ts';
import { answer, startUpstream, type Handler } from '../harness/upstream.ts';
import installRenovate, { renovate } from '../renovate/install.ts';

const dependencies = 100;
const ownDependencies = 10;
const rounds = 3;

/**
 * The CPU time of Renovate in a repository of 100 dependencies, ten of which are packages of the index, with its preset: as a
 * ratio to the time without it. The runs alternate, and each is a process of its own.
 */
export async function measureRenovate(dist: string): Promise<string> {
  await installRenovate();
  const { url, close } = await startUpstream((origin) => serveSite(dist, origin));

  try {
    const files = repositoryFiles(dist, url);
    const run = (presets: readonly string[]) => cpuOfRun(files, presets, url);
    await run([]);

    const without: number[] = [];
    const withPreset: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      without.push(await run([]));
      withPreset.push(await run([`${url}renovate.json`]));
    }

    const seconds = (values: readonly number[]) =>
      values.map((ms) => (ms / 1000).toFixed(1)).join(', ');
    const ratio = sum(withPreset) / sum(without);
    const kB = Math.round(readFileSync(join(dist, 'renovate.json')).byteLength / 1000);
    const components = readJsonIn<string[]>(dist, 'index.json').length;

    return (
      `Renovate with the preset of ${components} components (${kB} kB) and ${dependencies} dependencies: ` +
      `${ratio.toFixed(2)} times a run without it (${seconds(withPreset)} and ${seconds(without)} s of CPU)`
    );
  } finally {
    await close();
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The site under another address than it was built for, and below `/npm/` a registry that has every package. */
function serveSite(dist: string, origin: string): Handler {
  const address = readBaseUrl(dist)!;

  return (request, response) => {
    const path = decodeURIComponent(request.url!);
    if (path.startsWith('/npm/')) {
      answer(response, 200, 'application/json', JSON.stringify(packument(path.slice(5))));
      return;
    }

    const file = join(dist, path);
    if (!existsSync(file)) {
      answer(response, 404, 'text/plain', '');
      return;
    }

    const text = readFileSync(file, 'utf8').replaceAll(address, origin.slice(0, -1));
    answer(response, 200, 'application/json', text);
  };
}

function packument(name: string): object {
  const versions = ['1.0.0', '1.1.0', '2.0.0'];

  return {
    name,
    'dist-tags': { latest: '2.0.0' },
    versions: Object.fromEntries(versions.map((version) => [version, { name, version }])),
    time: Object.fromEntries(versions.map((version) => [version, '2024-01-01T00:00:00Z'])),
  };
}

function repositoryFiles(dist: string, url: string): Record<string, string> {
  const names = readJsonIn<string[]>(dist, 'index.json');
  // Renovate reads npm's versions as semantic ones.
  const isSemantic = (name: string) => {
    const { tags } = readJsonIn<{ tags?: { latest: string } }>(dist, `${name}.json`);
    return /^[1-9]\d*\.\d+\.\d+$/.test(tags?.latest ?? '');
  };
  const own = names.filter(isSemantic).slice(0, ownDependencies);
  const others = Array.from({ length: dependencies - own.length }, (_, index) => `other-${index}`);
  const packages = [...own.map((name) => `@corpus/${name}`), ...others];

  return {
    '.npmrc': `registry=${url}npm/\n`,
    'package.json': JSON.stringify({
      name: 'app',
      version: '1.0.0',
      dependencies: Object.fromEntries(packages.map((name) => [name, '1.0.0'])),
    }),
  };
}

async function cpuOfRun(
  files: Readonly<Record<string, string>>,
  presets: readonly string[],
  url: string,
): Promise<number> {
  const folder = makeRoot({ ...files, 'renovate.json': JSON.stringify({ extends: presets }) });
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  execFileSync('git', ['add', '--all'], { cwd: folder });
  const home = temporaryFolder();
  const usageFile = join(home, 'usage.json');
  const hook = pathToFileURL(join(checkout, 'test/harness/usage.mjs')).href;
  const child = spawn(
    process.execPath,
    ['--import', hook, join(renovate.dir, 'dist/renovate.js')],
    {
      cwd: folder,
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        TMPDIR: home,
        USAGE_FILE: usageFile,
        NODE_COMPILE_CACHE: join(tmpdir(), 'renovate-compile-cache'),
        LOG_LEVEL: 'warn',
        RENOVATE_X_IGNORE_RE2: 'true',
        RENOVATE_PLATFORM: 'local',
        RENOVATE_DRY_RUN: 'lookup',
        RENOVATE_BASE_DIR: join(home, 'renovate'),
        RENOVATE_HOST_RULES: JSON.stringify([{ matchHost: url, allowInternal: true }]),
      },
    },
  );
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) {
    throw new Error(`Renovate ended with ${code}`);
  }

  return readUsage(usageFile);
}

function readUsage(file: string): number {
  return (JSON.parse(readFileSync(file, 'utf8')) as { cpuMs: number }).cpuMs;
}
