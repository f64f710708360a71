import { expect, test } from 'vitest';
import { sha256 } from '../../../src/core/files.ts';
import { createIndex } from '../../harness/index-folder.ts';

function createProtected(CI = '') {
  const index = createIndex({}, { CI });
  index.write('site/access.json', {
    users: [{ username: 'anna', permissions: ['read', 'mcp'] }, { username: 'bot' }],
  });
  const make = (words: string) => index.run('key', 'new', ...words.split(' '));
  const readKeys = () => JSON.parse(index.read('.access/keys.json')) as { name: string }[];
  return { index, make, readKeys };
}

const anna = '--user anna --expires 2027-01-31';

test('a key is shown once, and its digest is kept', async () => {
  const { make, readKeys } = createProtected();

  const { status, stdout, stderr } = await make(`${anna} --permissions mcp`);
  const key = stdout.trim();

  expect(key).toMatch(/^release_index_[\w-]{43}$/);
  expect(stderr).toContain('anna: valid until the end of 2027-01-31, and shown only once.');
  const facts = { name: 'anna', user: 'anna', expires: '2027-01-31', permissions: ['mcp'] };
  expect(readKeys()).toEqual([{ ...facts, sha256: sha256(key) }]);
  expect(status).toBe(0);
});

test('a second key needs a name of its own, and keys that are over leave the list', async () => {
  const { make, readKeys } = createProtected();
  await make(anna);

  expect((await make(anna)).stderr).toContain('.access/keys.json: has a key "anna".');
  await make(`${anna} --name anna.laptop`);
  expect(readKeys().map(({ name }) => name)).toEqual(['anna', 'anna.laptop']);
  await make('--user bot --expires 2028-01-31 --as-of 2027-02-01');
  expect(readKeys().map(({ name }) => name)).toEqual(['bot']);
});

test.each([
  [anna, 'true', 1, 'key new: the log of a workflow would keep the key.'],
  ['--user eve --expires 2027-01-31', '', 1, 'users: there is no user "eve"'],
  [`${anna} --permissions export`, '', 1, 'site/access.json: users: anna has not export'],
  ['--user anna --expires 2026-11-19', '', 1, '--expires: expected a day from 2026-11-20 on;'],
])('"key new %s" is refused', async (words, ci, status, problem) => {
  const { index, make } = createProtected(ci);

  expect(await make(words)).toMatchObject({ status, stderr: expect.stringContaining(problem) });
  expect(index.read('.access/keys.json')).toBe('');
});
