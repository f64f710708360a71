import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createIndex, today } from '../../harness/index-folder.ts';

test('check counts errors and warnings, and exits with 1 only for errors', async () => {
  const index = createIndex();
  const sound = await index.run('check');
  index.edit('components/svc.json', {
    deprecated: [{ versions: ['2025.1.9'], reason: 'Broken.' }],
  });
  const warned = await index.run('check');
  index.edit('components/svc.json', { replacedBy: 'server' });
  const failed = await index.run('check', '--json');

  expect(sound).toMatchObject({ status: 0, stdout: '2 components: 0 errors, 0 warnings.\n' });
  expect(warned).toMatchObject({ status: 0, stdout: '2 components: 0 errors, 1 warning.\n' });
  expect(failed.status).toBe(1);
  expect(JSON.parse(failed.stdout)).toMatchObject({
    ...{ verb: 'check', asOf: today },
    problems: [{}, {}],
  });
});

test('check warns of a release list that git ignores, unless a step of the workflow writes that list', async () => {
  const index = createIndex();
  execFileSync('git', ['init', '--quiet', index.root]);
  index.write('.gitignore', 'lists/\n*.local.json\n');
  const files = ['lists/kept.json', 'lists/step.json', 'lists/missing.json', 'site/own/kept.json'];
  const sources = [...files, 'site/a.local.json'].map((file) => ({ datasource: 'json', file }));
  index.edit('components/svc.json', { sources });
  for (const path of ['lists/kept.json', 'site/own/kept.json', 'site/a.local.json']) {
    index.write(path, ['1.0']);
  }
  index.write('lists/step.json', { releases: ['1.0'], writtenAt: '2026-11-20' });

  const warn = async () => {
    const { stderr } = await index.run('check');
    return Array.from(
      stderr.matchAll(/sources\[(\d)\]\.file: git ignores (\S+),/g),
      ([, ...found]) => found.join(' '),
    );
  };
  expect(await warn()).toEqual(['0 lists/kept.json', '4 site/a.local.json']);

  execFileSync('git', ['-C', index.root, 'add', '--force', 'lists/kept.json']);
  expect(await warn()).toEqual(['4 site/a.local.json']);
});
