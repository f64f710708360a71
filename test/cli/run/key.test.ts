import { readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../../src/core/files.ts';
import { createFolder, createIndex } from '../../harness/index-folder.ts';
import { startPreview } from '../../publish/preview.ts';

/** User names that an identity provider may give. */
const names = ['Jane', 'ci_bot', 'jane@example.com', "o'brien", '$HOME', 'x'.repeat(100), 'Žofie'];
const people = names.map((username) => ({ username }));

function createProtected(CI = '') {
  const index = createIndex({}, { CI });
  index.write('site/access.json', {
    users: [{ username: 'anna', permissions: ['read', 'mcp'] }, { username: 'bot' }, ...people],
  });
  const make = (words: string) => index.run('key', 'new', ...words.split(' '));
  const readKeys = () => JSON.parse(index.read('.access/keys.json')) as { name: string }[];
  return { index, make, readKeys };
}

const anna = '--user anna --expires 2027-01-31';

test('"key new" prints a key once, and stores only the digest of the key', async () => {
  const { index, make, readKeys } = createProtected();

  const { status, stdout, stderr } = await make(`${anna} --permissions mcp`);
  const key = stdout.trim();

  expect(key).toMatch(/^release_index_[\w-]{43}$/);
  expect(stderr).toContain(
    'anna is valid until the end of 2027-01-31, and is shown only once. To apply it: npx wrangler secret put RELEASE_INDEX_ACCESS_KEYS --name releases-example-com < .access/keys.json\n',
  );
  const facts = { name: 'anna', user: 'anna', expires: '2027-01-31', permissions: ['mcp'] };
  expect(readKeys()).toEqual([{ ...facts, sha256: sha256(key) }]);
  expect(statSync(join(index.root, '.access/keys.json')).mode & 0o777).toBe(0o600);
  expect(status).toBe(0);
});

test('"key new" and "build" print a notice that access.json does not hide releases', async () => {
  const { index, make } = createProtected();
  const scope =
    "notice: site/access.json decides who may use the Worker's processor time. It does not hide releases, because the files of the site are public.";

  expect((await make(anna)).stderr).toContain(scope);
  expect((await index.run('build')).stderr).toContain(scope);
  index.write('site/access.json', undefined);
  expect((await index.run('build')).stderr).not.toContain('access.json');
});

test('"key new" requires a unique name, and removes expired keys from the list', async () => {
  const { make, readKeys } = createProtected();
  await make(anna);

  expect((await make(anna)).stderr).toContain('.access/keys.json has a key "anna".');
  await make(`${anna} --name anna.laptop`);
  expect(readKeys().map(({ name }) => name)).toEqual(['anna', 'anna.laptop']);
  await make('--user bot --expires 2027-01-31 --as-of 2027-01-31');
  expect(readKeys().map(({ name }) => name)).toEqual(['anna', 'anna.laptop', 'bot']);
  await make('--user bot --expires 2028-01-31 --as-of 2027-02-01');
  expect(readKeys().map(({ name }) => name)).toEqual(['bot']);
});

test('a preview accepts the key of every user, and rejects an unknown key', async () => {
  const { index, make } = createProtected();
  await index.run('build');
  const keys = await Array.fromAsync(names, async (name) => {
    const { stdout } = await make(`--user ${name} --expires 2027-01-31`);
    return stdout.trim();
  });
  const origin = await startPreview(index.root);
  const ask = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${origin}/api/components/svc`, { headers })).status;
  };

  expect(await Array.fromAsync(keys, ask)).toEqual(names.map(() => 200));
  expect(await ask('release_index_x')).toBe(401);
});

test.each([
  [`${anna} --name a:b`, '', 1, '.access/keys.json: [0].name: expected a text like'],
  [anna, 'true', 1, 'key new: the log of a workflow would keep the key.'],
  ['--user eve --expires 2027-01-31', '', 1, 'users: there is no user "eve"'],
  [
    `${anna} --permissions read,export`,
    '',
    1,
    '--permissions: expected only what site/access.json grants "anna"; got export',
  ],
  ['--user anna --expires 2026-11-19', '', 1, '--expires: expected a day from 2026-11-20 on;'],
])('"key new %s" is rejected, and makes no key', async (words, ci, status, problem) => {
  const { index, make } = createProtected(ci);

  expect(await make(words)).toMatchObject({ status, stderr: expect.stringContaining(problem) });
  expect(index.read('.access/keys.json')).toBe('');
});

test('"key new" makes no key if .access is a symbolic link', async () => {
  const { index, make } = createProtected();
  const outside = createFolder();
  symlinkSync(outside, join(index.root, '.access'));

  const { status, stderr } = await make(anna);

  expect(stderr).toBe('error: .access is a symbolic link. Put the file itself there\n');
  expect(status).toBe(1);
  expect(readdirSync(outside)).toEqual([]);
});
