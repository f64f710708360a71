import { existsSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openRoot } from '../../src/io/files/root.ts';
import { buildSite, buildUnlessStopped } from '../../src/site/build-site.ts';
import { checkout } from '../harness/checkout.ts';
import { linesOf, ownProgram, runCli } from '../harness/cli.ts';
import {
  definition,
  differences,
  filesIn,
  identitiesIn,
  pathsIn,
  readJsonIn,
  temporaryFolder,
  writeIn,
  smallRoot,
} from '../harness/root.ts';

const day = ['--as-of', '2026-06-01'];

test('a build removes the files of a component that is gone', async () => {
  const root = smallRoot({ 'components/empty.json': definition() });
  await runCli(['build', '--root', root, ...day]);
  const before = pathsIn(`${root}/dist`).filter((path) => /\bempty\b/.test(path));
  await runCli(['build', '--root', smallRoot(), '--out', `${root}/dist`, ...day]);

  expect(before.length).toBeGreaterThan(3);
  expect(pathsIn(`${root}/dist`).filter((path) => /\bempty\b/.test(path))).toEqual([]);
  expect(readJsonIn(root, 'dist/index.json')).toEqual(['svc']);
});

test('a build rejects an output folder with files from elsewhere, and names them', async () => {
  const root = smallRoot();
  await runCli(['build', '--root', root, ...day]);
  for (const path of ['notes.txt', 'feeds/mine.atom', 'mine/deep/file']) {
    writeIn(`${root}/dist`, path, 'mine');
  }
  const before = filesIn(`${root}/dist`);

  const run = await runCli(['build', '--root', root, '--as-of', '2026-06-02']);

  expect(run.status).toBe(1);
  expect(linesOf(run.stderr)).toEqual([
    `error: --out: ${root}/dist: a build did not make feeds/mine.atom, mine/, notes.txt. Move it away, or choose another --out. Nothing was written.`,
  ]);
  expect(filesIn(`${root}/dist`)).toEqual(before);
  expect(pathsIn(root).filter((path) => path.startsWith('.dist'))).toEqual([]);
});

test.each([
  [
    'a folder with files',
    { 'site/readme': 'mine' },
    'without the SHA256SUMS of a build, it is unknown who made readme.',
  ],
  [
    'a list of digests that is not of a site',
    { 'site/SHA256SUMS': `${'0'.repeat(64)}  image.iso\n`, 'site/image.iso': 'mine' },
    'it is unknown who made SHA256SUMS, image.iso.',
  ],
  [
    'a list of something else',
    { 'site/SHA256SUMS': 'none\n' },
    'it is unknown who made SHA256SUMS.',
  ],
  ['a file', { site: 'mine' }, 'is a file. Choose another --out. Nothing was written.'],
])('a build rejects %s as its output folder', async (_what, files, message) => {
  const root = smallRoot();
  const out = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    writeIn(out, path, content);
  }
  const before = filesIn(out);

  const run = await runCli(['build', '--root', root, '--out', `${out}/site`, ...day]);

  expect(run.status).toBe(1);
  expect(run.stderr).toContain(message);
  expect(filesIn(out)).toEqual(before);
});

test('a build accepts an empty folder and a new path', async () => {
  const root = smallRoot();
  const out = temporaryFolder();
  mkdirSync(`${out}/empty`);

  const runs = await Promise.all(
    ['empty', 'a/b/c'].map((path) =>
      runCli(['build', '--root', root, '--out', `${out}/${path}`, ...day]),
    ),
  );

  expect(runs.map(({ status }) => status)).toEqual([0, 0]);
  expect(filesIn(`${out}/empty`)).toEqual(filesIn(`${out}/a/b/c`));
});

test('a build switches the folder behind a link, and keeps the link', async () => {
  const root = smallRoot();
  mkdirSync(`${root}/served`);
  symlinkSync('served', `${root}/dist`);

  await runCli(['build', '--root', root, ...day]);
  const run = await runCli(['build', '--root', root, '--as-of', '2026-06-02']);

  expect(run.status).toBe(0);
  expect(readlinkSync(`${root}/dist`)).toBe('served');
  expect(readJsonIn(root, 'served/status.json')).toMatchObject({ asOf: '2026-06-02' });
  expect(pathsIn(root).filter((path) => /^\.(?!cache\/)/.test(path))).toEqual([]);
});

test('a build removes what stopped builds left, but nothing of a running one', async () => {
  const root = smallRoot();
  const abandoned = [
    `.dist.next-999999999-AbCdEf/svc.json`,
    `.dist.next-${process.pid}-GhIjKl/svc.json`,
    '.dist.next-mine/notes.txt',
    '.dist.next-999999999-mine/notes.txt',
  ];
  for (const path of abandoned) {
    writeIn(root, path, '{}');
  }

  await runCli(['build', '--root', root, ...day], { program: ownProgram });

  // This very process is alive, and made its folder just now. The last two are of no build.
  expect(
    pathsIn(root)
      .filter((path) => path.startsWith('.dist'))
      .sort(),
  ).toEqual(abandoned.slice(1).sort());
});

test('a site that a stopped build moved aside comes back, even if the next build fails', async () => {
  const root = smallRoot();
  const aside = `${root}/.dist.next-999999999-AbCdEf.aside`;
  await runCli(['build', '--root', root, '--out', aside, ...day]);
  const before = identitiesIn(aside);
  writeIn(root, 'components/svc.json', {});

  const run = await runCli(['build', '--root', root, ...day]);

  expect(run.status).toBe(1);
  expect(differences(before, identitiesIn(`${root}/dist`))).toEqual([]);
  expect(existsSync(aside)).toBe(false);
});

test.each([
  ['a link', [['served', 'dist']]],
  [
    'a link to a link',
    [
      ['served', 'current'],
      ['current', 'dist'],
    ],
  ],
])('a site behind %s that a stopped build moved aside comes back', async (_, links) => {
  const root = smallRoot();
  const aside = `${root}/.served.next-999999999-AbCdEf.aside`;
  await runCli(['build', '--root', root, '--out', aside, ...day]);
  for (const [target, link] of links) {
    symlinkSync(target!, `${root}/${link}`);
  }

  const run = await runCli(['build', '--root', root, ...day]);

  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
  expect(readlinkSync(`${root}/dist`)).toBe(links.at(-1)![0]);
  expect(readJsonIn(root, 'served/status.json')).toMatchObject({ asOf: '2026-06-01' });
});

test('a build that is stopped leaves the earlier site as it was', async () => {
  const dir = smallRoot();
  const out = `${dir}/dist`;
  const options = { root: openRoot(dir, checkout), out, day: '2026-06-01' };
  buildSite(options);
  const before = filesIn(out);
  const controller = new AbortController();

  const stopped = buildUnlessStopped({ ...options, day: '2026-06-02' }, controller.signal);
  controller.abort(new Error('stopped'));

  await expect(stopped).rejects.toThrow('stopped');
  expect(filesIn(out)).toEqual(before);
  expect(pathsIn(dir).filter((path) => path.startsWith('.dist'))).toEqual([]);
});
