import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.ts';

/** A program of somebody else that the index is proved with, and that would be a burden among the project's dependencies. */
export interface ForeignPackage {
  readonly name: string;
  readonly version: string;
  /** The folder of the installed package, below `.cache/<group>`. */
  readonly dir: string;
}

/** Packages that are installed together, by a single start of npm. */
export interface ForeignPackages {
  /** One more of them. */
  add(name: string, version: string): ForeignPackage;
  /** Installs them from the npm registry unless they are there. Whole or not at all, so that a run can be cut off. */
  install(): Promise<void>;
}

/** `omit`: kinds of dependencies that the checkout has, such as `peer`. */
export function foreignPackages(group: string, omit: readonly string[] = []): ForeignPackages {
  const wanted: ForeignPackage[] = [];
  const target = join(checkout, '.cache', group);
  return {
    add(name, version) {
      const dir = join(target, 'node_modules', name);
      wanted.push({ name, version, dir });
      return { name, version, dir };
    },
    async install() {
      if (wanted.every(isInstalled)) {
        return;
      }
      const folder = `${target}.${process.pid}`;
      const named = wanted.map(({ name, version }) => `${name}@${version}`);
      process.stdout.write(`Installing ${named.join(', ')} into .cache (once) …\n`);
      try {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
        await npmInstall(folder, named, ['optional', ...omit]);
        // Another run may have installed them in the meantime.
        if (!wanted.every(isInstalled)) {
          rmSync(target, { recursive: true, force: true });
          renameSync(folder, target);
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      process.stdout.write('Installed.\n');
    },
  };
}

function isInstalled({ version, dir }: ForeignPackage): boolean {
  const manifest = join(dir, 'package.json');
  if (!existsSync(manifest)) {
    return false;
  }
  const installed = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string };
  return installed.version === version;
}

/** Without the packages' own scripts, and without what is optional: native code that they do without. */
async function npmInstall(
  folder: string,
  what: readonly string[],
  omit: readonly string[],
): Promise<void> {
  const options = [
    '--ignore-scripts',
    ...omit.map((kind) => `--omit=${kind}`),
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const parameters = ['install', '--prefix', folder, ...options, ...what];
  // Set by npm itself when this runs as one of its scripts.
  const npm = process.env['npm_execpath'];
  const [command, ...rest] = npm?.endsWith('.js')
    ? [process.execPath, npm, ...parameters]
    : ['npm', ...parameters];
  const child = spawn(command!, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((done, fail) =>
    child.on('error', fail).on('close', done),
  );
  if (code !== 0) {
    throw new Error(`npm install ${what.join(' ')} ended with ${code}: ${said.trim()}`);
  }
}
