import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../../src/core/files.ts';
import { createIndex, openIndex, type IndexFolder } from '../../harness/index-folder.ts';

function createProtected(): IndexFolder {
  const index = createIndex();
  index.write('site/access.json', {
    users: [{ username: 'anna', permissions: ['read', 'mcp'] }, { username: 'bot' }],
  });
  return openIndex(index.root, { CI: '' });
}

const anna = ['new', '--user', 'anna', '--expires', '2027-01-31'];

test('a key is shown once, and its digest is kept', async () => {
  const index = createProtected();

  const { status, stdout, stderr } = await index.run('key', ...anna, '--permissions', 'mcp');
  const key = stdout.trim();

  expect(key).toMatch(/^release_index_[\w-]{43}$/);
  expect(stderr).toContain('anna: valid until the end of 2027-01-31, and shown only once.');
  expect(JSON.parse(index.read('.access/keys.json'))).toEqual([
    {
      name: 'anna',
      user: 'anna',
      expires: '2027-01-31',
      sha256: sha256(key),
      permissions: ['mcp'],
    },
  ]);
  expect(status).toBe(0);
});

test('keys that are over leave the list with the next one', async () => {
  const index = createProtected();
  await index.run('key', ...anna);

  const bot = ['new', '--user', 'bot', '--expires', '2028-01-31'];
  await index.run('key', ...bot, '--as-of', '2027-02-01');

  const names = (JSON.parse(index.read('.access/keys.json')) as { name: string }[]).map(
    ({ name }) => name,
  );
  expect(names).toEqual(['bot']);
});

test.each<[args: string[], env: Record<string, string>, status: number, problem: string]>([
  [anna, { CI: 'true' }, 1, 'key new: the log of a workflow would keep the key.'],
  [
    ['new', '--user', 'eve', '--expires', '2027-01-31'],
    {},
    1,
    'site/access.json: users: there is no user "eve"',
  ],
  [[...anna, '--permissions', 'export'], {}, 1, 'site/access.json: users: anna has not export'],
  [
    ['new', '--user', 'anna', '--expires', '2026-11-19'],
    {},
    1,
    '--expires: expected a day from 2026-11-20 on; got 2026-11-19',
  ],
  [['new', '--user', 'anna'], {}, 2, "required option '--expires <day>' not specified"],
])('%j is refused', async (args, env, status, problem) => {
  const index = openIndex(createProtected().root, { CI: '', ...env });

  const ended = await index.run('key', ...args);

  expect(ended.stderr).toContain(problem);
  expect(ended.status).toBe(status);
  expect(statSync(join(index.root, '.access'), { throwIfNoEntry: false })).toBeUndefined();
});

test('a second key needs a name of its own', async () => {
  const index = createProtected();
  await index.run('key', ...anna);

  expect((await index.run('key', ...anna)).stderr).toContain(
    '.access/keys.json: has a key "anna". Choose another --name',
  );
  expect((await index.run('key', ...anna, '--name', 'anna.laptop')).status).toBe(0);
});
