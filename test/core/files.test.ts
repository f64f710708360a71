import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  formatJson,
  listFiles,
  listLitter,
  readIfThere,
  readJsonFile,
  saveFile,
} from '../../src/core/files.ts';
import { createFolder } from '../harness/index-folder.ts';

test('saveFile replaces a file as a whole, and creates missing folders', () => {
  const folder = createFolder();
  const path = join(folder, 'a/b.json');

  expect(saveFile(path, 'first')).toBe(true);
  const first = statSync(path).ino;
  expect(saveFile(path, 'second')).toBe(true);

  // The inode is new, so a program that is reading the old file can read it to its end.
  expect(statSync(path).ino).not.toBe(first);
  expect(readFileSync(path, 'utf8')).toBe('second');
  expect(readdirSync(join(folder, 'a'))).toEqual(['b.json']);
});

test('saveFile keeps the mode of a file, unless the caller passes another mode', () => {
  const path = join(createFolder(), 'README.md');
  const readMode = () => (statSync(path).mode & 0o777).toString(8);
  saveFile(path, 'first');
  chmodSync(path, 0o640);
  saveFile(path, 'second');
  expect(readMode()).toBe('640');
  saveFile(path, 'third', 0o600);
  expect(readMode()).toBe('600');
});

test('saveFile does not write a file again if its bytes are the same', () => {
  const path = join(createFolder(), 'b.json');
  saveFile(path, 'ü');
  const { ino } = statSync(path);

  expect(saveFile(path, Buffer.from('ü'))).toBe(false);
  expect(statSync(path).ino).toBe(ino);
});

test('saveFile leaves no temporary file behind if it cannot replace a file', () => {
  const folder = createFolder();
  const path = join(folder, 'taken');
  mkdirSync(join(path, 'full'), { recursive: true });

  expect(() => saveFile(path, 'text')).toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
});

test.each([
  [
    '{\n\t"a": 1,\n\t"b": {\n\t\t"c": "{",\n\t\t"c": 2\n\t}\n}',
    'has the key "c" twice, the second time on line 5',
  ],
  [
    '\uFEFF{"a": 1,\r\n"\\u0061": 2}',
    String.raw`has the key "\u0061" twice, the second time on line 2`,
  ],
  ['{"a": [{"b": 1}, {"b": 1}], "c": {"a": "\\"a\\":"}, "__proto__": 1}', undefined],
  ['', 'is not JSON: Unexpected end of JSON input'],
])('readJsonFile rejects an object with a repeated key: %j', (text, message) => {
  const path = join(createFolder(), 'site.json');
  writeFileSync(path, text);

  let problem: string | undefined;
  try {
    readJsonFile(path, 'site.json');
  } catch (error) {
    problem = (error as Error).message;
  }
  expect(problem).toBe(message && `site.json ${message}`);
});

test('readJsonFile returns undefined for a missing file, and names a file that is not JSON', () => {
  const path = join(createFolder(), 'svc.json');
  expect(existsSync(path)).toBe(false);
  expect(readIfThere(path)).toBeUndefined();
  expect(readJsonFile(path)).toBeUndefined();

  writeFileSync(path, formatJson({ a: 1 }));
  expect(readJsonFile(path)).toEqual({ a: 1 });
  writeFileSync(path, '{');
  expect(() => readJsonFile(path, 'data/svc.json')).toThrow(/^data\/svc\.json is not JSON: /);
});

test.each([
  ['.', 'folder'],
  ['/dev/zero', 'device'],
])('readIfThere rejects a path that is not a file: the path %s is a %s', (path, kind) => {
  expect(() => readIfThere(path, 'data/svc.json')).toThrow(
    `data/svc.json: expected a file; got a ${kind}`,
  );
});

test('listFiles returns all files below a folder in order, and marks links', () => {
  const folder = createFolder();
  saveFile(join(folder, 'b/c'), '');
  saveFile(join(folder, 'a'), '');
  symlinkSync('a', join(folder, 'link'));
  symlinkSync('.', join(folder, 'loop'));

  expect(listFiles(folder)).toEqual([
    { path: 'a', isLink: false },
    { path: 'b/c', isLink: false },
    { path: 'link', isLink: true },
    { path: 'loop', isLink: true },
  ]);
});

test('listLitter lists files that a file manager adds, but no folders or links', () => {
  const folder = createFolder();
  for (const path of ['.DS_Store', 'a/desktop.ini', 'a/._b', '._c/d', '.DS_Store.html']) {
    saveFile(join(folder, path), '');
  }
  symlinkSync('a', join(folder, '._link'));

  expect(listFiles(folder)).toEqual([
    { path: '.DS_Store.html', isLink: false },
    { path: '._c/d', isLink: false },
    { path: '._link', isLink: true },
  ]);
  expect(listLitter(folder)).toEqual(['.DS_Store', 'a/._b', 'a/desktop.ini']);
});
