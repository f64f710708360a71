/**
 * Packs the program as JavaScript, because Node does not strip types below node_modules. Prints the path of the package.
 *
 * The same checkout always gives the same bytes. npm sorts the files, and gives all files the same modification time. This script gives all
 * files the same mode.
 *
 * Usage: node .ci/pack.ts [<folder for the package>]. The default is program/, from which the build publishes the package.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { bundleAssets } from '../src/site/pages/assets.ts';

const checkout = resolve(import.meta.dirname, '..');
const parts = [
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  '.github/CONTRACT.md',
  '.github/GUIDE.md',
  '.github/RUNBOOK.md',
  '.github/SETUP.md',
  '.ci/node/package.json',
  'site/built-in-policies.json',
  'site/assets',
  'site/hosts',
  'site/schema',
  'site/servers',
  'site/starter',
  'site/templates',
];

function pack(target: string): string {
  const cache = join(checkout, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'package-'));
  try {
    const tsc = join(checkout, 'node_modules/typescript/bin/tsc');
    const project = join(checkout, '.ci/pack.tsconfig.json');
    execFileSync(process.execPath, [tsc, '-p', project, '--outDir', join(folder, 'src')]);
    for (const part of parts) {
      cpSync(join(checkout, part), join(folder, part), { recursive: true });
    }
    for (const path of globSync('{*,.github/*}.md', { cwd: folder })) {
      writeFileSync(join(folder, path), linkToRepository(path, folder));
    }
    for (const [path, text] of bundleAssets(checkout)) {
      writeFileSync(join(folder, 'site', path), text);
    }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(createManifest(), undefined, 2));

    execFileSync('chmod', ['-R', 'u=rwX,go=rX', folder]);

    mkdirSync(target, { recursive: true });
    const args = ['pack', '--loglevel=error', '--ignore-scripts', '--pack-destination', target];
    return execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a document in which links to files outside the package lead to the repository. */
function linkToRepository(path: string, folder: string): string {
  const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '');
  const link = /(\]\(|\b(?:src|srcset|href)=")(?![a-z]+:|#)([^)"#\s]+)/g;
  return readFileSync(join(folder, path), 'utf8').replaceAll(
    link,
    (text, start: string, target: string) => {
      const file = join(folder, dirname(path), target);
      const kind = start.includes('src') ? 'raw' : 'blob';
      const address = `${repository}/${kind}/v${manifest.version}/${relative(folder, file)}`;
      return existsSync(file) ? text : `${start}${address}`;
    },
  );
}

/**
 * Creates the package.json of the package. `init` reads the version of wrangler from it. Only a checkout or an index installs Node, so Node
 * is not a dependency of the package.
 */
function createManifest(): object {
  const { wrangler } = manifest.devDependencies;
  return {
    ...manifest,
    // JSON.stringify drops undefined keys.
    private: undefined,
    scripts: undefined,
    '//': undefined,
    optionalDependencies: undefined,
    files: ['src', 'site', '.github', '.ci', 'CHANGELOG.md'],
    devDependencies: { wrangler },
  };
}

const target = resolve(process.argv[2] ?? join(checkout, 'program'));
console.log(join(target, pack(target)));
