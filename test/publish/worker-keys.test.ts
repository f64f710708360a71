import { expect, test } from 'vitest';
import { readWorkerKeys } from '../../src/publish/worker-keys.ts';
import { createFolder, createIndex, today } from '../harness/index-folder.ts';

const key = (name: string, expires: string) => ({
  name,
  user: 'anna',
  expires,
  sha256: 'a'.repeat(64),
});
const valid = key('valid', today);
const index = createIndex();
index.write('site/access.json', { users: [{ username: 'anna' }] });
index.write('.access/keys.json', [valid, key('over', '2026-11-19')]);

test('an index without rules of access has neither rules nor keys for the Worker', () => {
  expect(readWorkerKeys(createFolder(), {}, today)).toEqual({});
});

test('keys that are over are not sent; the variable takes the place of the file', () => {
  const other = key('other', '2027-01-01');
  const env = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([other]) };

  expect(readWorkerKeys(index.root, {}, today)).toMatchObject({
    access: { users: [{ username: 'anna' }], mcpServer: { accessKeys: { enabled: true } } },
    secrets: { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([valid]) },
  });
  expect(readWorkerKeys(index.root, env, today).secrets).toEqual(env);
});

test.each([
  ['[', 'RELEASE_INDEX_ACCESS_KEYS: is no JSON: '],
  ['[{"name": "x"}]', 'RELEASE_INDEX_ACCESS_KEYS: [0].user: expected it'],
])('a list of keys that cannot be sent is named: %#', (list, problem) => {
  expect(() => readWorkerKeys(index.root, { RELEASE_INDEX_ACCESS_KEYS: list }, today)).toThrow(
    problem,
  );
});
