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

/** What each recipe adds, and another name for it. The test follows each recipe once with each name. */
const names: Readonly<Record<string, [first: string, second: string]>> = {
  'Add a datasource': ['example', 'another'],
  'Add a key to a release': ['unpackedSize', 'unzippedSize'],
  'Add a field of queries': ['year', 'born'],
  'Add a support policy': ['forever', 'endless'],
  'Add a state': ['frozen', 'closed'],
  'Add a page': ['names', 'words'],
  'Add a command': ['series', 'groups'],
};

/** Inserts the code blocks of CONTRIBUTING.md into the files that they name, with each of the two names. */
function followRecipes(): void {
  const firsts = readRecipes();
  expect([...new Set(firsts.map(({ recipe }) => recipe))]).toEqual(Object.keys(names));
  const seconds = firsts.map(({ recipe, path, below, text }) => {
    const [first, second] = names[recipe]!;
    const rename = (each: string) => each.replaceAll(new RegExp(`\\b${first}\\b`, 'g'), second);
    const isNew = below === undefined;
    return { path: isNew ? rename(path) : path, below, text: rename(text) };
  });
  for (const { path, below, text } of [...firsts, ...seconds]) {
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

const size = { unpackedSize: 2048, unzippedSize: 4096 };

test.each([0, 1] as const)(
  'each recipe in CONTRIBUTING adds a working feature with name %i',
  async (at) => {
    const name = (recipe: string) => names[`Add a ${recipe}`]![at];
    const key = name('key to a release') as keyof typeof size;
    const { url } = await startUpstream(() =>
      serve({
        [`/${name('datasource')}/agent/versions`]: json([
          { number: '1.0', created: '2025-03-01T00:00:00Z' },
          { number: '1.1', created: '2026-04-01T00:00:00Z' },
        ]),
        '/tool': json({ versions: { '1.0.0': { dist: size } } }),
      }),
    );
    const root = writeIndex({
      agent: {
        definition: {
          support: { policy: name('support policy') },
          sources: [{ datasource: name('datasource'), packageName: 'agent', registryUrl: url }],
        },
      },
      tool: {
        definition: {
          support: { policy: 'dated', lines: { '1.0': { [name('state')]: '2099-12-31' } } },
          sources: [{ datasource: 'npm', packageName: 'tool', registryUrl: url }],
        },
      },
    });
    const ask = (line: string) => type(`npx release-index ${line} --out ${join(root, 'dist')}`);

    await ask(`start --root ${root}`);

    expect(await ask(`search ${name('field of queries')}:2025`)).toMatch(
      /^agent +1\.0 +Supported/m,
    );
    expect(await ask('explain agent')).toContain('Support never ends.');
    expect(await ask(`${name('command')} agent`)).toBe('1.0\n1.1\n');
    const { lines, releases } = JSON.parse(
      readFileSync(join(root, 'dist/details/tool.json'), 'utf8'),
    );
    expect(releases).toMatchObject([{ version: '1.0.0', [key]: size[key] }]);
    expect(lines).toMatchObject([{ line: '1.0', state: name('state') }]);
    const page = readFileSync(join(root, `dist/${name('page')}.html`), 'utf8');
    expect(page).toContain('<li>The agent</li>');
  },
);

test.each(['npm run types', 'npm run lint', 'npm run format:check', 'npm test'])(
  'the code from the recipes in CONTRIBUTING passes the command "%s"',
  async (line) => {
    await type(line);
  },
);
