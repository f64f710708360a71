import {
  existsSync,
  lutimesSync,
  readFileSync,
  mkdirSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AccessKey } from '../../../src/core/schemas/access/access-keys.ts';
import { changeKeys, readAccessKeys } from '../../../src/io/files/settings-files.ts';
import { inputError } from '../../../src/core/schemas/finding.ts';
import { lock } from '../../../src/io/files/lock.ts';
import { appendLines } from '../../../src/io/files/save.ts';
import { temporaryFolder, writeIn } from '../../harness/root.ts';

test('the release of a lock that went stale leaves the lock of the next holder', async () => {
  const dir = temporaryFolder();
  const root = { dir, siteDir: '', siteDirs: [] };
  const file = join(dir, '.cache/data.lock');
  const suspended = await lock(root, 'data');
  utimesSync(file, 0, 0);
  const current = await lock(root, 'data');

  suspended[Symbol.dispose]();
  expect(existsSync(file)).toBe(true);

  current[Symbol.dispose]();
  expect(existsSync(file)).toBe(false);
});

test('a lock of the future goes stale, too', async () => {
  const root = { dir: temporaryFolder(), siteDir: '', siteDirs: [] };
  const file = join(root.dir, '.cache/data.lock');
  await lock(root, 'data');
  const inOneHour = new Date(Date.now() + 3_600_000);
  utimesSync(file, inOneHour, inOneHour);

  (await lock(root, 'data'))[Symbol.dispose]();

  expect(existsSync(file)).toBe(false);
});

test('a key that another run saves meanwhile stays', async () => {
  const root = { dir: temporaryFolder(), siteDir: '', siteDirs: [] };
  const createKey = (name: string): AccessKey => ({
    name,
    user: 'jane',
    expires: '2027-03-31',
    sha256: '0'.repeat(64),
  });
  let count = 0;

  await changeKeys(root, (savedKeys = []) => {
    count += 1;
    if (count === 1) {
      writeIn(root.dir, '.access/keys.json', [createKey('other')]);
    }

    return { keys: [...savedKeys, createKey('own')], result: undefined };
  });

  expect(readAccessKeys(root).value?.map(({ name }) => name)).toEqual(['other', 'own']);
});

test('lines that another run appends meanwhile stay, and the file is named', () => {
  const dir = temporaryFolder();
  const path = join(dir, 'runs.ndjson');
  appendLines(path, { values: [], text: '' }, [{ run: 1 }]);

  expect(() => appendLines(path, { values: [], text: '' }, [{ run: 2 }])).toThrow(
    inputError(path, 'another run wrote the file meanwhile. Nothing was appended. Run it again'),
  );
  expect(readFileSync(path, 'utf8')).toBe('{"run":1}\n');
});

test('a link in place of a lock goes stale, too', async () => {
  const dir = temporaryFolder();
  const file = join(dir, '.cache/data.lock');
  mkdirSync(join(dir, '.cache'));
  symlinkSync('nowhere', file);
  lutimesSync(file, 0, 0);

  (await lock({ dir, siteDir: '', siteDirs: [] }, 'data'))[Symbol.dispose]();

  expect(existsSync(file)).toBe(false);
});

test('a renewed lock is as good as new, and a lost one cannot be renewed', async () => {
  const root = { dir: temporaryFolder(), siteDir: '', siteDirs: [] };
  const file = join(root.dir, '.cache/data.lock');
  const slow = await lock(root, 'data');
  utimesSync(file, 0, 0);
  slow.renew();
  expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(3_000);

  utimesSync(file, 0, 0);
  using _other = await lock(root, 'data');
  expect(() => slow.renew()).toThrow(
    inputError('data', 'the run was suspended, and another has taken over its lock. Run it again'),
  );
});
