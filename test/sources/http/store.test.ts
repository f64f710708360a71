/** Checks the folder in which the HTTP cache keeps answers. */
import { chmodSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/sources/http/kept.ts';
import { createFolder } from '../../harness/index-folder.ts';

test('the store keeps the most recently used answers, up to a limit', () => {
  const folder = createFolder();
  const store = openStore(folder, '', 2500);
  for (const key of ['a', 'b', 'c']) {
    store.keep(key, new Headers(), Buffer.alloc(1000));
  }
  for (const name of readdirSync(folder)) {
    utimesSync(join(folder, name), 1, 1);
  }
  store.find('b');
  store.find('c');
  store.close();

  expect(['a', 'b', 'c'].map((key) => store.find(key) !== undefined)).toEqual([false, true, true]);
});

test('the store removes only its own files, however large and old other files are', () => {
  const folder = createFolder();
  const name = 'a'.repeat(64);
  mkdirSync(join(folder, name));
  for (const path of ['backup.tar', 'B'.repeat(64), `${name}/b`, `${name}.part`]) {
    writeFileSync(join(folder, path), 'x'.repeat(1000));
    utimesSync(join(folder, path), 1, 1);
  }
  const before = readdirSync(folder, { recursive: true });

  openStore(folder, '', 10).close();

  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});

test('the store lets only the owner of the folder read kept answers', () => {
  const folder = createFolder();
  const store = openStore(folder);
  const readMode = () => {
    const [name = ''] = readdirSync(folder);
    return (statSync(join(folder, name)).mode & 0o777).toString(8);
  };
  store.keep('a', new Headers(), Buffer.alloc(10));
  expect(readMode()).toBe('600');

  for (const use of [
    () => store.find('a'),
    () => store.keep('a', new Headers(), Buffer.alloc(1)),
  ]) {
    chmodSync(join(folder, readdirSync(folder)[0]!), 0o644);
    use();
    expect(readMode()).toBe('600');
  }
});
