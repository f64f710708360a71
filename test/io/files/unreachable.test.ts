import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeFileError } from '../../../src/io/files/file-system.ts';
import { openCacheFolder } from '../../../src/io/files/root.ts';
import { changeKeys } from '../../../src/io/files/settings-files.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { mountFullDisk } from '../../harness/full-disk.ts';
import { unprivileged } from '../../harness/permissions.ts';
import {
  definition,
  filesIn,
  makeRoot,
  pathsIn,
  temporaryFolder,
  writeIn,
} from '../../harness/root.ts';

const recorded = { releases: [{ version: '1.0' }] };

function rootOfTwo(): string {
  return makeRoot({
    'components/cli.json': definition(),
    'components/svc.json': definition(),
    'data/cli.json': recorded,
  });
}

const toNowhere = 'it is a link to nowhere, which does not exist';
const notRegular = 'it is a folder, a device, a pipe or a socket, not a regular file';

/** The description of the error of a file system with which an action fails. */
async function describeFailure(action: () => unknown): Promise<string | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    return describeFileError(error);
  }
}

test('a full disk leaves no cache folder that git would not ignore', async (context) => {
  const root = { dir: temporaryFolder(), siteDir: '', siteDirs: [] };
  const cache = join(root.dir, '.cache');
  mountFullDisk(cache, context);
  const ignoreFile = join(cache, '.gitignore');

  expect(await describeFailure(() => openCacheFolder(root))).toBe(
    `${ignoreFile}: no space left on device`,
  );
  expect(pathsIn(cache)).toEqual(['other']);

  rmSync(join(cache, 'other'));
  openCacheFolder(root);
  expect(filesIn(cache)).toEqual({ '.gitignore': '*\n' });
});

test('a full disk is named by the file of the access keys that finds no room', async (context) => {
  const root = { dir: temporaryFolder(), siteDir: '', siteDirs: [] };
  mountFullDisk(join(root.dir, '.access'), context);
  const change = () => changeKeys(root, () => ({ keys: [], result: undefined }));

  expect(await describeFailure(change)).toBe(
    `${join(root.dir, '.access/.gitignore')}: no space left on device`,
  );
});

test('a folder where a file is removed is explained', () => {
  const folder = rootOfTwo();
  const remove = () => {
    try {
      rmSync(folder);
    } catch (error) {
      return describeFileError(error);
    }
  };

  expect(remove()).toBe(`${folder}: illegal operation on a directory`);
});

test('an error that Node knows only by its text is explained by it', () => {
  // As Node removes a file on a system that is read-only.
  const message = "Unknown error: Read-only file system '/x/daily.json'";
  const error = Object.assign(new Error(message), {
    errno: -4094,
    code: '',
    path: '/x/daily.json',
  });

  expect(describeFileError(error)).toBe(`/x/daily.json: ${message}`);
});

test('check reports a recorded file that is a pipe, and does not treat it as empty', async () => {
  const root = rootOfTwo();
  execFileSync('mkfifo', [join(root, 'data/svc.json')]);

  const run = await runCli(['check', '--root', root]);

  expect(run.status).toBe(1);
  expect(linesOf(run.stderr).filter((line) => line.startsWith('error'))).toEqual([
    `error: data/svc.json: cannot be read: ${notRegular}`,
  ]);
});

test.skipIf(!unprivileged)('a recorded file without permission is reported', async () => {
  const root = rootOfTwo();
  writeIn(root, 'data/svc.json', recorded);
  chmodSync(join(root, 'data/svc.json'), 0);

  const run = await runCli(['check', '--root', root], { through: unprivileged! });

  expect(run.status).toBe(1);
  expect(linesOf(run.stderr)).toContain('error: data/svc.json: cannot be read: permission denied');
});

test('an output folder that is a broken link is reported, and nothing is written', async () => {
  const root = rootOfTwo();
  symlinkSync('nowhere', join(root, 'dist'));

  const run = await runCli(['build', '--root', root]);

  expect(run.status).toBe(1);
  expect(run.stderr).toBe(
    `error: release-index: ${root}/dist: ${toNowhere}. Earlier content is unchanged.\n`,
  );
});

test.skipIf(!unprivileged)('a read-only root is reported in a sentence', async () => {
  const root = rootOfTwo();
  const before = pathsIn(root);
  chmodSync(root, 0o555);

  const built = await runCli(['build', '--root', root], { through: unprivileged! });
  const gathered = await runCli(['gather', '--root', root], { through: unprivileged! });
  chmodSync(root, 0o755);

  const denied = (path: string) =>
    `error: release-index: ${path}: permission denied. Earlier content is unchanged.\n`;
  expect([built.status, gathered.status]).toEqual([1, 1]);
  expect([built.stderr, gathered.stderr]).toEqual([denied(root), denied(`${root}/.cache`)]);
  expect(pathsIn(root)).toEqual(before);
});

test.skipIf(process.platform !== 'linux')(
  'a folder in which nothing can be made is reported',
  async () => {
    const run = await runCli(['build', '--root', rootOfTwo(), '--out', '/proc/x']);

    expect(run).toMatchObject({ status: 1, signal: null });
    expect(run.stderr).toContain('/proc: no such file or directory');
  },
);

test('a component name that is an invalid file name is rejected on every system', async () => {
  const long = 'x'.repeat(201);
  const names = ['con', 'nul', 'com1', 'search', long, 'x'.repeat(200), 'console'];
  const root = makeRoot(
    Object.fromEntries(names.map((name) => [`components/${name}.json`, definition()])),
  );
  mkdirSync(join(root, 'data'));

  const run = await runCli(['check', '--root', root]);

  const ofReserved = (name: string) =>
    `error: components/${name}.json: the name "${name}" belongs to a published path or a device of Windows; rename the component`;
  expect(run.status).toBe(1);
  expect(linesOf(run.stderr).toSorted()).toEqual([
    ...['com1', 'con', 'nul', 'search'].map(ofReserved),
    `error: components/${long}.json: expected a name of at most 200 characters; got 201`,
  ]);
});
