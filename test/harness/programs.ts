/**
 * Programs of other makers that tests use where people have them. `node test/harness/programs.ts` prints the missing ones, which are
 * packages of Debian, Ubuntu and Homebrew by the same names.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Reporter } from 'vitest/node';

interface Program {
  /** Of its file. The first that is found is taken. */
  files: readonly string[];
  /** Where it is beside the folders of PATH. */
  places?: readonly string[];
  /** What it says of its version, if not every version will do. */
  version?: RegExp;
}

const programs = {
  chromium: {
    files: [
      ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
      ...['microsoft-edge', 'microsoft-edge-stable', 'Chromium', 'Google Chrome', 'Microsoft Edge'],
    ],
    places: [
      ...['/snap/bin', '/opt/google/chrome', '/opt/microsoft/msedge'],
      ...['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
        (name) => `/Applications/${name}.app/Contents/MacOS`,
      ),
    ],
  },
  minisign: { files: ['minisign'] },
  nginx: { files: ['nginx'] },
  // LibreSSL, which a Mac has, verifies no Ed25519.
  openssl: {
    files: ['openssl'],
    places: ['/opt/homebrew/opt/openssl@3/bin'],
    version: /^OpenSSL [3-9]/,
  },
} satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;

const usualPlaces = ['/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin'];

/** Its path: what `CHROMIUM_PATH` and the like say, else in PATH, else in its usual places. `root`: the folder of all places. */
export function findProgram(
  name: ProgramName,
  env: NodeJS.ProcessEnv = process.env,
  root = '/',
): string | undefined {
  const { files, places = [], version }: Program = programs[name];
  const set = env[`${name.toUpperCase()}_PATH`];
  if (set) {
    return isFile(set) ? set : undefined;
  }

  const folders = [
    ...(env['PATH'] ?? '').split(delimiter).filter(Boolean),
    ...[...usualPlaces, ...places].map((place) => join(root, place)),
  ];
  const paths = folders.flatMap((folder) => files.map((file) => join(folder, file)));
  return paths.filter(isFile).find((path) => {
    return !version || version.test(spawnSync(path, ['version'], { encoding: 'utf8' }).stdout);
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether its tests are skipped. Where CI is set, none is. */
export function lacks(name: ProgramName): boolean {
  return !process.env['CI'] && findProgram(name) === undefined;
}

export function requireProgram(name: ProgramName): string {
  const path = findProgram(name);
  if (path === undefined) {
    throw new Error(`${name} was not found. ${describeInstallation([name])}`);
  }
  return path;
}

function listMissing(): ProgramName[] {
  return (Object.keys(programs) as ProgramName[]).filter((name) => !findProgram(name));
}

function describeInstallation(missing: readonly ProgramName[]): string {
  const names = missing.join(' ');
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  const apt = `${sudo}apt-get update && ${sudo}apt-get install --yes ${names}`;
  return `To bring what is missing: ${process.platform === 'darwin' ? `brew install ${names}` : apt}`;
}

/** The last line of a run that skipped tests. */
export const skipReporter: Reporter = {
  onTestRunEnd(modules) {
    const missing = process.env['CI'] ? [] : listMissing();
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = tests.filter((test) => test.result().state === 'skipped').length;
    if (count > 0 && missing.length > 0) {
      process.stdout.write(
        `${count} tests were skipped, as ${missing.join(', ')} was not found. ${describeInstallation(missing)}\n`,
      );
    }
  },
};

if (import.meta.main) {
  process.stdout.write(
    listMissing()
      .map((name) => `${name}\n`)
      .join(''),
  );
}
