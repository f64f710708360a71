/**
 * Finds third-party programs that tests need. `node test/harness/programs.ts` prints the packages that `npm test` needs and that are not
 * installed. With the argument `long`, it also prints those of the long tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter } from 'vitest/node';
import { listMissingStandards } from './standards.ts';

const mac = (name: string) => `/Applications/${name}.app/Contents/MacOS/${name}`;

const browsers = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  ...['Google Chrome', 'Chromium', 'Microsoft Edge'].map(mac),
];

/**
 * For each program, the file names to look for in the folders of PATH, and then the paths to try. Each key is the name of the program's
 * package in Debian.
 */
const programs = {
  chromium: browsers,
  // Chromium's headless shell needs half the time for the same pages. Debian has a package for it.
  'chromium-headless-shell': ['chromium-headless-shell', ...browsers],
  debootstrap: ['debootstrap', '/usr/sbin/debootstrap'],
  jq: ['jq'],
  minisign: ['minisign', '/opt/homebrew/bin/minisign'],
  nginx: ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'],
  sqlite3: ['sqlite3'],
  openssl: ['openssl', '/opt/homebrew/opt/openssl@3/bin/openssl'],
};
export type Program = keyof typeof programs;

const forLongTests: readonly Program[] = ['chromium', 'debootstrap'];

/** Returns the path of a program: the value of a variable such as `CHROMIUM_PATH`, and otherwise the first path that exists. */
function findProgram(name: Program): string | undefined {
  const chosen = process.env[`${name.toUpperCase().replaceAll('-', '_')}_PATH`];
  const folders = process.env['PATH']?.split(':') ?? [];
  const paths = programs[name].flatMap((file) =>
    file.startsWith('/') ? file : folders.map((folder) => join(folder, file)),
  );
  return (chosen ? [chosen] : paths).find(
    (path) =>
      // PATH may contain a folder that we may not read. `statSync` would throw for a file in it, so `existsSync` comes first. It returns
      // false.
      existsSync(path) &&
      statSync(path).isFile() &&
      // macOS has LibreSSL under the name openssl. It cannot verify Ed25519 signatures.
      (name !== 'openssl' || spawnSync(path, ['version']).stdout.toString().startsWith('OpenSSL')),
  );
}

/** Returns whether tests that need this program are skipped. In CI, they are never skipped: a missing program makes them fail. */
export function lacks(name: Program): boolean {
  return !process.env['CI'] && findProgram(name) === undefined;
}

export function requireProgram(name: Program): string {
  const path = findProgram(name);
  if (path === undefined) {
    throw new Error(describeMissing([name]));
  }
  return path;
}

function listMissing(): Program[] {
  return (Object.keys(programs) as Program[]).filter((name) => !findProgram(name));
}

function describeMissing(missing: readonly Program[]): string {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  const apt = `${sudo}apt-get update && ${sudo}apt-get install --yes`;
  const isMac = process.platform === 'darwin';
  const packages = missing.filter((name) => !isMac || name !== 'chromium-headless-shell');
  const command = isMac ? 'brew install' : apt;
  return `no ${missing.join(', ')} was found. To install: ${command} ${packages.join(' ')}`;
}

/** Prints how many tests were skipped. Names the third-party programs and the files of `shared/standards/` that were missing. */
export const skipReporter: Reporter = {
  onTestRunEnd(modules) {
    const missing = process.env['CI'] ? [] : listMissing();
    const standards = listMissingStandards();
    const reasons = [
      ...(missing.length > 0 ? [describeMissing(missing)] : []),
      ...(standards.length > 0 ? [`no folder above the checkout has ${standards.join(', ')}`] : []),
    ];
    const tests = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
    if (tests.length > 0 && reasons.length > 0) {
      console.log(`${tests.length} tests were skipped: ${reasons.join('; ')}`);
    }
  },
};

if (import.meta.main) {
  const isNeeded = (name: Program) => process.argv[2] === 'long' || !forLongTests.includes(name);
  console.log(listMissing().filter(isNeeded).join(' '));
}
