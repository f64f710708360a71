import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test, vi } from 'vitest';
import { writeIndex } from './harness/components.ts';
import { program } from './harness/example.ts';
import { createFolder } from './harness/index-folder.ts';
import { readRecipes } from './harness/recipes.ts';
import { json, serve, startUpstream } from './harness/upstream.ts';

// One test in this file runs the whole test suite in a copy of the checkout.
vi.setConfig({ testTimeout: 1_800_000 });

const copy = join(createFolder(), 'copy');
const recipes = readFileSync(join(program, '.github/CONTRIBUTING.md'), 'utf8');
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, encoding: 'utf8' });

/** Clones this checkout, and copies its current files into the clone, including uncommitted ones. */
function copyCheckout(): void {
  git(program, 'clone', '--quiet', program, copy);
  const paths = git(program, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  for (const [path] of paths.matchAll(/[^\0]+/g)) {
    if (existsSync(join(program, path))) {
      cpSync(join(program, path), join(copy, path));
    }
  }
  symlinkSync(join(program, 'node_modules'), join(copy, 'node_modules'));
  // The pattern in .gitignore matches only a folder, but node_modules is a link here.
  appendFileSync(join(copy, '.git/info/exclude'), '/node_modules\n');
}

/** Inserts the code blocks of CONTRIBUTING.md into the files that they name. */
function followRecipes(): void {
  for (const { path, below, text } of readRecipes()) {
    const before = below === undefined ? [] : readFileSync(join(copy, path), 'utf8').split('\n');
    const line = before.findIndex((each) => below !== undefined && each.includes(below));
    expect(line === -1, `${path}: ${below}`).toBe(below === undefined);
    before.splice(line + 1, 0, text.trimEnd());
    writeFileSync(join(copy, path), `${before.join('\n').trimEnd()}\n`);
  }
}

/** Runs a command in a shell without the environment variables of vitest. */
async function type(line: string): Promise<string> {
  const { PATH, HOME, CI } = process.env;
  const ended = await promisify(execFile)('bash', ['-c', line], {
    cwd: copy,
    env: { PATH, HOME, NO_COLOR: '1', ...(CI !== undefined && { CI }) },
    maxBuffer: 1e9,
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${line}\n${error.stdout}${error.stderr}`);
  });
  return ended.stdout;
}

beforeAll(async () => {
  copyCheckout();
  followRecipes();
  expect(recipes).toContain('`npm run schemas`');
  await type('npm run schemas');
  const who = ['-c', 'user.name=Jane', '-c', 'user.email=jane@example.com'];
  git(copy, 'add', '--all');
  git(copy, ...who, 'commit', '--quiet', '--message', 'Follow the recipes');
});

test('each recipe in CONTRIBUTING adds a working feature', async () => {
  const { url } = await startUpstream(() =>
    serve({
      '/packages/agent/versions': json([
        { number: '1.0', created: '2025-03-01T00:00:00Z' },
        { number: '1.1', created: '2026-04-01T00:00:00Z' },
      ]),
      '/tool': json({ versions: { '1.0.0': { dist: { unpackedSize: 2048 } } } }),
    }),
  );
  const root = writeIndex({
    agent: {
      definition: {
        support: { policy: 'forever' },
        sources: [{ datasource: 'example', packageName: 'agent', registryUrl: url }],
      },
    },
    tool: {
      definition: { sources: [{ datasource: 'npm', packageName: 'tool', registryUrl: url }] },
    },
  });
  const ask = (line: string) => type(`npx release-index ${line} --out ${join(root, 'dist')}`);

  await ask(`start --root ${root}`);

  expect(await ask('search year:2025')).toMatch(/^agent +1\.0 +Supported/m);
  expect(await ask('explain agent')).toContain('Support never ends.');
  const { releases } = JSON.parse(readFileSync(join(root, 'dist/details/tool.json'), 'utf8'));
  expect(releases).toMatchObject([{ version: '1.0.0', unpackedSize: 2048 }]);
  expect(readFileSync(join(root, 'dist/names.html'), 'utf8')).toContain('<li>The agent</li>');
});

test.each(['npm run types', 'npm run lint', 'npm run format:check', 'npm test'])(
  'the code from the recipes in CONTRIBUTING passes the command "%s"',
  async (line) => {
    await type(line);
  },
);
