import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pageScripts, readPageScript } from '../src/site/page-scripts.ts';

/**
 * Makes the package of this checkout: the program as JavaScript, since Node strips no types below node_modules, with what
 * it reads, a manifest without what only the checkout needs, and the lock of its dependencies.
 */
const help = `Makes the package of this checkout, and prints the path of its tarball.

usage: npm run pack -- [folder]

  folder   where the tarball is put (default: the checkout)
`;
const checkout = resolve(import.meta.dirname, '..');
const target = readTarget();
const folder = makeFolder();
try {
  const tsc = join(checkout, 'node_modules/typescript/bin/tsc');
  const project = join(checkout, '.ci/pack.tsconfig.json');

  execFileSync(process.execPath, [tsc, '--project', project, '--outDir', join(folder, 'lib')]);

  // Bundled here, so that the pages are the same byte for byte, and the package does without the bundler.
  mkdirSync(join(folder, 'lib/site/page/plan'), { recursive: true });

  for (const script of Object.values(pageScripts)) {
    writeFileSync(join(folder, 'lib', `${script.module}.js`), readPageScript(script));
  }

  for (const path of [
    '.github/ACCESS.md',
    '.github/CONTRACT.md',
    '.github/RUNBOOK.md',
    '.github/SETUP.md',
    '.github/actions/release-index',
    '.github/contract',
    '.github/workflows/publish.yml',
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'site/assets',
    'site/built-in-policies.json',
    'site/schema',
    'site/servers',
    'site/snippets',
    'site/starter',
    'site/styles',
    'site/templates',
  ]) {
    cpSync(join(checkout, path), join(folder, path), { recursive: true });
  }

  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify(packedManifest(), undefined, 2)}\n`,
  );

  // npm reduces the lock to what the packed manifest needs; without a network, as all of it is locked.
  cpSync(join(checkout, 'package-lock.json'), join(folder, 'npm-shrinkwrap.json'));

  const lockOnly = ['--package-lock-only', '--offline', '--ignore-scripts', '--loglevel=error'];

  execFileSync('npm', ['install', ...lockOnly], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });

  mkdirSync(target, { recursive: true });

  const options = ['--pack-destination', target, '--loglevel=error', '--ignore-scripts'];
  const name = execFileSync('npm', ['pack', ...options], { cwd: folder, encoding: 'utf8' }).trim();

  process.stdout.write(`${join(target, name)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Ends the process where there is nothing to pack. */
function readTarget(): string {
  try {
    const { values, positionals } = parseArgs({
      options: { help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (positionals.length > 1) {
      throw new Error(`Expected one folder; got ${positionals.join(', ')}`);
    }

    if (!values.help) {
      return resolve(positionals[0] ?? checkout);
    }

    process.stdout.write(help);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`);
    process.exit(2);
  }
}

function makeFolder(): string {
  const parent = join(checkout, '.cache');
  mkdirSync(parent, { recursive: true });

  return mkdtempSync(join(parent, 'package-'));
}

interface Manifest {
  [key: string]: unknown;
  devDependencies: Readonly<Record<string, string>>;
}

/** Node comes with the checkout, and not with the package; wrangler, of which only publishing has need, with neither. */
function packedManifest(): object {
  const text = readFileSync(join(checkout, 'package.json'), 'utf8');

  const {
    private: _private,
    scripts: _scripts,
    devDependencies,
    optionalDependencies: _node,
    ...kept
  } = JSON.parse(text) as Manifest;

  return {
    ...kept,
    // The lowest that all dependencies take.
    engines: { node: '>=22.22.2' },
    bin: { 'release-index': 'lib/cli.js' },
    files: ['.github', 'CHANGELOG.md', 'lib', 'npm-shrinkwrap.json', 'site'],
    publishConfig: { access: 'public', provenance: true },
    peerDependencies: { wrangler: `^${devDependencies['wrangler']}` },
    peerDependenciesMeta: { wrangler: { optional: true } },
  };
}
