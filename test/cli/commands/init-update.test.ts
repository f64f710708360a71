import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesOf } from '../../harness/cli.ts';
import { pathsIn, readJsonIn, temporaryFolder, writeIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { programVersion } from '../../../src/io/program.ts';
import { addresses, manifest } from '../../harness/init-options.ts';

/** An index whose files an older version wrote, and somebody has changed since. */
async function olderIndex(change: (text: string) => string) {
  const top = temporaryFolder();
  await runHere(['init', top, ...addresses]);
  const daily = join(top, '.github/workflows/daily.yml');
  const current = readFileSync(daily, 'utf8');
  const older = current
    .replace(/^ +issues: write.*\n/m, '')
    .replace('release-index-publish.yml', 'release-index-older.yml');
  writeIn(top, '.release-index/daily.yml', older);
  writeFileSync(daily, change(older));
  return { top, daily, current };
}

test('--update keeps what is yours, and writes and names what this version changes', async () => {
  const change = (text: string) =>
    text
      .replace("'23 4 * * *'", "'7 7 * * *'")
      .replace('runs-on: self-hosted', 'runs-on: ours')
      .concat('  # Ours.\n  tell:\n    needs: daily\n');
  const { top, daily, current } = await olderIndex(change);

  const written = await runHere(['init', top, '--update']);
  const again = await runHere(['init', top, '--update']);
  const nowhere = await runHere(['init', temporaryFolder(), '--update']);

  expect(written.stdout).toBe(
    'Written: .github/workflows/daily.yml. "git diff" shows the changes.\n',
  );
  expect(readFileSync(daily, 'utf8')).toBe(change(current));
  expect(again.stdout).toBe('Nothing to change: the files match this version.\n');
  expect([nowhere.status, nowhere.stderr]).toEqual([1, expect.stringContaining('holds no index')]);
});

test('--update marks lines that both changed, and it and doctor name them until you chose', async () => {
  const { top, daily } = await olderIndex((text) => text.replace('-older', '-of-ours'));
  const doctor = async () => {
    const { stdout } = await runHere(['doctor', '--root', top, '--json']);
    const { lines } = JSON.parse(stdout) as { lines: { subject: string; message: string }[] };
    return lines.find(({ subject }) => subject === 'daily run')!.message;
  };

  const foreseen = await doctor();
  const first = await runHere(['init', top, '--update']);
  const marked = readFileSync(daily, 'utf8');
  const second = await runHere(['init', top, '--update']);
  const seen = await doctor();
  writeFileSync(daily, marked.replaceAll(/^(?:<{7}|={7}[^]*?>{7}).*\n/gm, ''));
  const chosen = await runHere(['init', top, '--update']);

  const message =
    'error: .github/workflows/daily.yml: both changed the same lines. They are marked with <<<<<<<: choose one\n';
  expect([first.status, first.stderr]).toEqual([1, message]);
  expect(marked).toMatch(/<<<<<<< yours\n.*-of-ours\.yml\n/);
  expect([second.status, second.stdout, second.stderr]).toEqual([1, '', message]);
  expect([foreseen, seen]).toEqual(
    Array(2).fill('daily.yml has changes of yours and of this version'),
  );
  expect([chosen.status, chosen.stdout]).toEqual([0, expect.stringContaining('Nothing to change')]);
  expect(readFileSync(daily, 'utf8')).toContain('-of-ours.yml');
});

test.each([
  ['0.9.0', 'npx release-index init --update', 0],
  ['9.0.0', /npm run init -- \S+ --update, in a checkout of 9\.0\.0$/, 1],
])(
  'a program and workflows of %s are named with the remedy, and no older workflow is written',
  async (version, remedy, status) => {
    const top = temporaryFolder();
    await runHere(['init', top, ...addresses]);
    writeIn(top, '.release-index/version', `${version}\n`);
    const message = `the workflows are of release-index ${version}, and the program is ${manifest.version}`;

    const checked = await runHere(['check', '--root', top]);
    const doctor = await runHere(['doctor', '--root', top, '--json']);
    const updated = await runHere(['init', top, '--update']);

    expect([checked.status, checked.stderr]).toEqual([
      0,
      expect.stringContaining(`warning: .release-index/version: ${message}. Run: `),
    ]);
    const { lines } = JSON.parse(doctor.stdout) as { lines: object[] };
    expect(lines).toContainEqual({
      ...{ subject: 'daily run', state: 'missing', message },
      remedy: expect.stringMatching(remedy) as string,
    });
    expect(updated.status).toBe(status);
    expect(readFileSync(join(top, '.release-index/version'), 'utf8').trim()).toBe(
      status === 0 ? manifest.version : version,
    );
  },
);

test('--update of a second index keeps its Dockerfile, where the first has the files of GitHub', async () => {
  const top = temporaryFolder();
  execFileSync('git', ['init', '--quiet', top]);
  await runHere(['init', join(top, 'one'), ...addresses]);
  await runHere(['init', join(top, 'two'), ...addresses, '--ci', 'none']);
  const before = pathsIn(top);

  const { stdout } = await runHere(['init', join(top, 'two'), '--update']);

  expect(stdout).toContain('Nothing to change');
  expect(pathsIn(top)).toEqual(before);
});

test('--update for another forge removes the files of the former one, but what you changed stays', async () => {
  const top = temporaryFolder();
  execFileSync('git', ['init', '--quiet', top]);
  await runHere(['init', top, ...addresses]);
  const check = join(top, '.github/workflows/check.yml');
  writeFileSync(check, readFileSync(check, 'utf8').concat('  # Ours.\n'));

  const moved = await runHere(['init', top, '--update', '--ci', 'gitlab']);
  const daily = join(top, '.github/workflows/daily.yml');
  const between = await runHere(['init', top, '--update']);
  const isBack = existsSync(daily);
  const again = await runHere(['init', top, '--update', '--ci', 'gitlab']);
  rmSync(check);
  const after = await runHere(['init', top, '--update']);

  expect(linesOf(moved.stdout)).toEqual([
    'Written: .gitlab-ci.yml. "git diff" shows the changes.',
    'Removed: .github/workflows/daily.yml.',
  ]);
  expect(moved.status).toBe(1);
  expect(moved.stderr).toContain(
    'error: .github/workflows/check.yml: is of the former forge, and has changes of yours: remove it\n',
  );
  expect(moved.stderr).toContain(
    'notice: .github/workflows/release-index-publish.yml: stays for other indexes of the repository',
  );
  expect([between.status, between.stderr, isBack]).toEqual([
    1,
    'error: init: there are files of github, gitlab. Nothing was written. Choose one with --ci\n',
    false,
  ]);
  expect([again.status, again.stderr]).toEqual([1, moved.stderr]);
  expect([after.status, after.stdout]).toEqual([
    0,
    'Nothing to change: the files match this version.\n',
  ]);
});

test('a file of another forge that mentions the program is yours, unless init wrote it', async () => {
  const folder = temporaryFolder();
  await runHere(['init', folder, ...addresses]);
  writeIn(folder, 'Dockerfile', 'RUN npx release-index scan agent@1.0\n');

  const updated = await runHere(['init', folder, '--update']);
  const moved = await runHere(['init', folder, '--update', '--ci', 'none']);

  expect([updated.status, updated.stdout]).toEqual([
    0,
    'Nothing to change: the files match this version.\n',
  ]);
  expect(readFileSync(join(folder, 'Dockerfile'), 'utf8')).toContain('scan agent@1.0');
  expect(moved.stdout).toContain('Written: release-index-Dockerfile.');
});

test('--update keeps the path of a file when a shorter one becomes free', async () => {
  const folder = temporaryFolder();
  writeIn(folder, '.github/workflows/daily.yml', 'on: push');
  await runHere(['init', folder, ...addresses]);
  rmSync(join(folder, '.github/workflows/daily.yml'));
  const before = pathsIn(folder);

  const { stdout } = await runHere(['init', folder, '--update']);

  expect(before).toContain('.github/workflows/release-index-daily.yml');
  expect(stdout).toContain('Nothing to change');
  expect(pathsIn(folder)).toEqual(before);
});

test('--update leaves your files alone where you have one at each path of a forge file', async () => {
  const folder = temporaryFolder();
  await runHere(['init', folder, ...addresses]);
  rmSync(join(folder, '.release-index/check.yml'));
  const names = ['check', 'release-index-check', 'release-index-.-check'];
  const paths = names.map((name) => `.github/workflows/${name}.yml`);
  for (const path of paths) {
    writeIn(folder, path, 'on: push\n');
  }
  const daily = join(folder, '.github/workflows/daily.yml');
  rmSync(daily);

  const { status, stderr } = await runHere(['init', folder, '--update']);

  expect(status).toBe(1);
  expect(stderr).toContain(
    'error: .github/workflows/check.yml: is not a file of the index. Nothing was written.',
  );
  expect(paths.map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual(
    paths.map(() => 'on: push\n'),
  );
  expect(existsSync(daily)).toBe(false);
});

test('--update rejects the options of a new index', async () => {
  const folder = temporaryFolder();
  await runHere(['init', folder]);

  const options = ['--host', 'cloudflare', '--private', 'jane@example.com'];
  const { status, stderr } = await runHere(['init', folder, '--update', ...options]);

  expect(status).toBe(2);
  expect(stderr).toContain('--update does not accept --host, --private. Edit site/site.json');
});

test('--update --program installs the pinned packages after an installation that failed', async () => {
  const folder = temporaryFolder();
  const program = temporaryFolder();
  const packed = `release-index-${programVersion}.tgz`;
  writeIn(program, packed, 'packed');
  await runHere(['init', folder, '--host', 'cloudflare', '--program', program]);

  const npm = join(program, 'npm-cli.js');
  const update = () =>
    runHere(['init', folder, '--update', '--program', program], { npm_execpath: npm });
  const integrity = `sha512-${hash('sha512', 'packed', 'base64')}`;
  const lock = (manifest: object) => ({
    packages: {
      '': manifest,
      'node_modules/release-index': { version: programVersion, integrity },
    },
  });
  const pinned = readJsonIn<{ devDependencies: object }>(folder, 'package.json');
  const outdated = { ...pinned, devDependencies: { wrangler: '1.0.0' } };
  writeIn(folder, 'package.json', outdated);
  writeIn(folder, 'package-lock.json', lock(outdated));
  writeIn(program, 'npm-cli.js', 'process.exit(1)');
  const failed = await update();
  const lockText = JSON.stringify(lock(pinned));
  writeIn(
    program,
    'npm-cli.js',
    `require('node:fs').writeFileSync('package-lock.json', ${JSON.stringify(lockText)})`,
  );
  const installed = await update();
  const again = await update();

  expect([failed.status, installed.status, again.status]).toEqual([1, 0, 0]);
  expect(installed.stdout).toContain('package-lock.json');
  expect(installed.stdout).toContain('Next:');
  expect(failed.stdout).not.toContain('Next:');
  expect(JSON.stringify(readJsonIn(folder, 'package.json'))).toBe(JSON.stringify(pinned));
  expect(readJsonIn(folder, 'package-lock.json')).toEqual(lock(pinned));
  expect(again.stdout).toContain('Nothing to change');
});

test('--update pins no dependency whose name every object has', async () => {
  const folder = temporaryFolder();
  const program = temporaryFolder();
  await runHere(['init', folder, '--host', 'cloudflare']);
  const manifest = readJsonIn<{ devDependencies: object }>(folder, 'package.json');
  const devDependencies = { ...manifest.devDependencies, wrangler: '1.0.0', constructor: '1.0.0' };
  writeIn(folder, 'package.json', { ...manifest, devDependencies });
  writeIn(program, `release-index-${programVersion}.tgz`, '');

  const env = { PATH: '', npm_execpath: '' };
  await runHere(['init', folder, '--update', '--program', program], env);

  expect(readJsonIn(folder, 'package.json')).toMatchObject({
    devDependencies: { constructor: '1.0.0' },
  });
});
