import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { createIndex, today } from '../../harness/index-folder.ts';

const hold = {
  id: 'svc-1b4e28ba7c',
  component: 'svc',
  kind: 'loss',
  since: today,
  reason: 'the latest release would fall from 2026.1.4 to none',
  versions: ['2026.1.4'],
  command: 'npx release-index accept svc-1b4e28ba7c',
};

test('the status page shows who accepted a hold, when and why', async () => {
  const index = createIndex({}, { GITHUB_ACTOR: 'jane' });
  index.write('data/held.json', { held: [hold] });
  await index.run('build');
  expect(index.read('dist/status.html')).toContain('npx release-index accept svc-1b4e28ba7c');

  const { status } = await index.run('accept', hold.id, '--reason', ' The makers\nsaid so ');
  await index.run('build');

  expect(status).toBe(0);
  expect(JSON.parse(index.read('data/decisions.ndjson'))).toMatchObject({
    by: 'jane',
    reason: 'The makers said so',
  });
  const page = index.read('dist/status.html').replaceAll(/<[^>]+>/g, '');
  const decision = String.raw`On \d+ \w+ \d{4}, jane accepted 2026\.1\.4\. The makers said so\.`;
  expect(page).toMatch(RegExp(`${decision} The next run applies it`));
  expect(page).toMatch(RegExp(String.raw`Decisions\s*svc ${decision}\n`));
  expect(page).not.toContain('npx release-index accept');
});

test('accept rejects an empty reason', async () => {
  const { status, stderr } = await createIndex().run('accept', hold.id, '--reason', ' ');

  expect([status, stderr]).toEqual([2, expect.stringContaining('Expected some words.')]);
});

test('accept names the user of the machine if the variable of GitHub is empty', async () => {
  const index = createIndex({}, { GITHUB_ACTOR: '' });
  index.write('data/held.json', { held: [hold] });
  expect(await index.run('accept', hold.id)).toMatchObject({ status: 0 });

  expect(JSON.parse(index.read('data/decisions.ndjson')).by).toBe(userInfo().username);
});

test('accept says that nothing was written if the hold was accepted already', async () => {
  const index = createIndex();
  index.write('data/held.json', { held: [hold] });
  const first = await index.run('accept', hold.id);
  const decisions = index.read('data/decisions.ndjson');

  const again = await index.run('accept', hold.id);

  expect(first.stdout).toBe('svc-1b4e28ba7c: accepted 1 version. Commit data/decisions.ndjson.\n');
  expect(again.stdout).toMatch(
    /^svc-1b4e28ba7c: .+\.\nNothing was written, because the next run uses the former decision\.\n$/,
  );
  expect(index.read('data/decisions.ndjson')).toBe(decisions);
});
