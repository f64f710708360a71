import { expect, test } from 'vitest';
import { readAccess } from '../../src/core/read-access.ts';
import { createFolder, openIndex } from '../harness/index-folder.ts';

test('an index without site/access.json is public, and a wrong file is rejected', () => {
  const { root, write } = openIndex(createFolder());

  expect(readAccess(root)).toBeUndefined();
  write('site/access.json', { unknown: 1 });
  expect(() => readAccess(root)).toThrow('site/access.json: ');
  write('site/access.json', {});
  expect(() => readAccess(root)).toThrow('site/access.json: ');
});
