import { existsSync, lutimesSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lock } from '../../../src/io/files/save.ts';
import { temporaryFolder } from '../../harness/root.ts';

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

test('a link in place of a lock goes stale, too', async () => {
  const dir = temporaryFolder();
  const file = join(dir, '.cache/data.lock');
  mkdirSync(join(dir, '.cache'));
  symlinkSync('nowhere', file);
  lutimesSync(file, 0, 0);

  (await lock({ dir, siteDir: '', siteDirs: [] }, 'data'))[Symbol.dispose]();

  expect(existsSync(file)).toBe(false);
});
