import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkout } from '../../harness/checkout.ts';
import { readJsonIn, temporaryFolder, writeIn } from '../../harness/root.ts';
import { openIndex, type TestIndex } from './index-of-three.ts';

interface Data {
  releases: { version: string; releaseTimestamp?: string }[];
}

let index: TestIndex;

beforeAll(async () => {
  index = await openIndex();
  await index.runDay('2026-11-10');
});

afterAll(() => index.close());

test('a person’s commit to the same file ends the run, and costs nothing recorded', async () => {
  index.packages.svc.push('2026.6');
  index.packages.svcctl.push('3.1');
  index.upstream.meanwhile = () =>
    index.elsewhere('Record a release by hand', (folder) => {
      const data = readJsonIn<Data>(folder, 'data/svc.json');
      writeIn(folder, 'data/svc.json', { releases: [{ version: '2025.9' }, ...data.releases] });
    });

  const day = await index.runDay('2026-11-11');

  expect(day.status).toBe(1);
  expect(day.stderr).toContain(
    'others have pushed changes of data/svc.json meanwhile. Run it again: it drops unpushed data and gathers it again. Nothing was published.',
  );
  expect(index.versions('svc')).not.toContain('2026.6');

  const again = await index.runDay('2026-11-11');

  expect(again.status, again.stderr).toBe(0);
  expect(index.versions('svc')).toEqual(expect.arrayContaining(['2025.9', '2026.6']));
  expect(index.versions('svcctl')).toContain('3.1');
  expect(index.git('rev-parse', 'HEAD')).toBe(index.git('rev-parse', 'origin/main'));
  expect(index.git('status', '--porcelain')).toBe('');
});

test('a person’s unpushed edit stays, and what an earlier run could not push is gathered again', async () => {
  index.root.write('README.md', 'Ours.');
  index.git('add', 'README.md');
  index.git('commit', '--quiet', '--message', 'Describe the index');
  index.packages.svc.push('2026.61');
  index.upstream.meanwhile = () =>
    index.elsewhere('Record a release by hand', (folder) => {
      const data = readJsonIn<Data>(folder, 'data/svc.json');
      writeIn(folder, 'data/svc.json', { releases: [{ version: '2025.8' }, ...data.releases] });
    });
  const raced = await index.runDay('2026-11-12');

  const again = await index.runDay('2026-11-12');

  expect([raced.status, again.status], again.stderr).toEqual([1, 0]);
  expect(index.versions('svc')).toEqual(expect.arrayContaining(['2025.8', '2026.61']));
  expect(index.root.read('README.md')).toBe('Ours.');
  expect(index.git('rev-parse', 'HEAD')).toBe(index.git('rev-parse', 'origin/main'));
});

test('a person’s commit to a definition ends the run: nothing is published before it was judged', async () => {
  const other = await openIndex();
  await other.runDay('2026-11-10');
  other.upstream.meanwhile = () =>
    other.elsewhere('Admit one version', (folder) => {
      const file = 'components/svc.json';
      const { sources, ...rest } = readJsonIn<{ sources: object[] }>(folder, file);
      const narrowed = sources.map((source) => ({ ...source, allowedVersions: '/^2026.1$/' }));
      writeIn(folder, file, { ...rest, sources: narrowed });
    });

  const day = await other.runDay('2026-11-11');

  expect(other.versions('svc')).toContain('2026.5');
  expect([day.status, day.stderr]).toEqual([
    1,
    expect.stringContaining('others have pushed changes of components/svc.json meanwhile.'),
  ]);
  await other.close();
});

test('commits that the remote lost are not pushed back, on no later day', async () => {
  const other = await openIndex();
  await other.runDay('2026-11-10');
  const before = other.git('rev-parse', 'HEAD~1');
  execFileSync('git', ['-C', other.remote, 'update-ref', 'refs/heads/main', before]);

  const days = [await other.runDay('2026-11-11'), await other.runDay('2026-11-12')];

  for (const { status, stderr } of days) {
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('the remote lost commits that this checkout has'),
    ]);
  }
  expect(other.git('ls-remote', 'origin', 'main').split('\t')[0]).toBe(before);
  await other.close();
});

test('a day commits no foreign files in data/', async () => {
  index.packages.svc.push('2026.7');
  index.root.write('data/notes.txt', 'mine');
  index.root.write('data/stranger.json', '{}');

  const day = await index.runDay('2026-11-12');

  expect(day.status, day.stderr).toBe(0);
  expect(index.git('log', '-1', '--format=%s')).toBe('Record svc 2026.7');
  expect(index.git('status', '--porcelain')).toBe('?? data/notes.txt\n?? data/stranger.json');
  index.git('clean', '--quiet', '--force');
});

test('a day on which git ignores a file of the index publishes nothing', async () => {
  index.packages.svc.push('2026.8');
  const ignore = join(temporaryFolder(), 'ignore');
  writeFileSync(ignore, 'held.json\n');
  index.git('config', 'core.excludesFile', ignore);

  const day = await index.runDay('2026-11-13');

  expect(day.status).toBe(1);
  expect(day.stderr).toContain('data/held.json: git ignores files of this name');
  expect(index.versions('svc')).not.toContain('2026.8');
  index.git('config', '--unset', 'core.excludesFile');
});

test('a day starts again where others have changed the program', async () => {
  const other = await openIndex();
  const { dir } = other.root;
  // The index and its program in one repository, as in a fork.
  for (const part of ['src', 'package.json']) {
    cpSync(join(checkout, part), join(dir, part), { recursive: true });
  }
  mkdirSync(join(dir, 'site'), { recursive: true });
  const ofSite = ['templates', 'assets', 'snippets', 'styles', 'built-in-policies.json'];
  for (const part of ofSite) {
    cpSync(join(checkout, 'site', part), join(dir, 'site', part), { recursive: true });
  }
  symlinkSync(join(checkout, 'node_modules'), join(dir, 'node_modules'));
  appendFileSync(join(dir, '.gitignore'), 'node_modules\n');
  other.git('add', '--all');
  other.git('commit', '--quiet', '--message', 'Bring the program along');
  other.git('push', '--quiet');
  other.upstream.meanwhile = () =>
    other.elsewhere('Rework the program', (folder) => {
      appendFileSync(join(folder, 'src/site/render/paths.ts'), '\n// As others want it.\n');
    });

  const program = join(dir, 'src/cli.js');
  const ended = await other.runDay('2026-11-11', {}, { program });
  const day = await other.runDay('2026-11-11', {}, { program });

  expect([ended.status, ended.stderr]).toEqual([
    1,
    expect.stringContaining(
      'others have pushed changes of src/site/render/paths.ts meanwhile. Run it again',
    ),
  ]);
  expect(day.status, day.stderr).toBe(0);
  expect(day.stdout).toContain(
    'daily: a commit of others changed the program meanwhile; starting again.\n',
  );
  expect(other.git('log', '-2', '--format=%s', 'origin/main')).toContain('\nRework the program');
  expect(other.versions('svc')).toContain('2026.5');
  const runs = other.root.read('data/runs/2026.ndjson').trim().split('\n');
  expect(JSON.parse(runs.at(-1)!)).toMatchObject({
    requested: ['daily', '--push', '--root', '--to', '--as-of'],
  });

  // A signal to the first process also ends the second, before it commits.
  other.elsewhere('Rework the program again', (folder) => {
    appendFileSync(join(folder, 'src/site/render/paths.ts'), '\n// As others want it.\n');
  });
  other.upstream.isHanging = true;
  const stopped = await other.runDay(
    '2026-11-12',
    {},
    {
      program,
      onStart: (child) => void other.upstream.asked.then(() => child.kill('SIGTERM')),
    },
  );

  expect([stopped.status, stopped.stderr]).toEqual([143, expect.stringContaining('SIGTERM')]);
  expect(other.git('log', '-1', '--format=%s')).toBe('Rework the program again');
  await other.close();
});
