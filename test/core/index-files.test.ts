import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRecorded, listIndexFiles, listLinks, listNames } from '../../src/core/index-files.ts';
import { createFolder, openIndex } from '../harness/index-folder.ts';

function open() {
  const index = openIndex(createFolder());
  for (const path of [
    'components/svc.json',
    'components/agent.json',
    'data/svc.json',
    '.cache/a',
  ]) {
    index.write(path, {});
  }
  index.write('elsewhere/a.json', {});
  return index;
}

test('listIndexFiles lists the files of the index, without the files of the CLI and other folders', () => {
  const { root } = open();

  expect(listIndexFiles(root).sort()).toEqual([
    'components/agent.json',
    'components/svc.json',
    'data/svc.json',
  ]);
  expect(listIndexFiles(join(root, 'missing'))).toEqual([]);
});

test('listIndexFiles rejects a symbolic link, unless it is below components/', () => {
  const { root } = open();
  symlinkSync('svc.json', join(root, 'components/link.json'));

  expect(listIndexFiles(root)).not.toContain('components/link.json');
  expect(listLinks(root)).toEqual(['components/link.json']);
  symlinkSync('elsewhere', join(root, 'data/linked'));
  expect(() => listIndexFiles(root)).toThrow('data/linked is a symbolic link');
  symlinkSync('/', join(root, '.cache/link'));
  expect(() => listIndexFiles(root)).toThrow('.cache/link is a symbolic link');
});

test('listNames sorts the names of JSON files', () => {
  const { root, write } = open();
  write('components/notes.txt', 'x');
  write('components/zebra.json', {});
  write('components/b.json', {});

  // No file system lists files that were created in this order in the order of their names.
  for (const name of ['m', 'c', 'x', 'e', 'k']) {
    write(`components/${name}.json`, {});
  }

  expect(listNames(join(root, 'components')).join(' ')).toBe('agent b c e k m svc x zebra');
  expect([isRecorded(root, 'svc'), isRecorded(root, 'agent')]).toEqual([true, false]);
});
