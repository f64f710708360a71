import { expect, test } from 'vitest';
import { nameVariables, readCredentials } from '../../../src/sources/http/credentials.ts';

const noNpm = { findAuthorization: () => undefined };

test.each([
  ['https://my-npm.example.com:8443/x', 'RELEASE_INDEX_AUTH_MY__NPM_EXAMPLE_COM_8443'],
  ['https://[::1]/', 'RELEASE_INDEX_AUTH______1___'],
])('reads the credential for the address %s from the environment variable %s', (url, expected) => {
  expect(nameVariables([new URL(url)])).toBe(expected);
});

test('a credential is sent only to its own host', () => {
  const { find } = readCredentials(
    { RELEASE_INDEX_AUTH_REPO_EXAMPLE_COM: ' Bearer a ', GITHUB_TOKEN: 'g' },
    { ...noNpm, findAuthorization: () => 'Bearer npm' },
  );

  const read = (address: string, asNpm?: boolean) => find(new URL(address), asNpm);
  expect(read('https://repo.example.com/x')).toEqual({
    authorization: 'Bearer a',
    from: 'RELEASE_INDEX_AUTH_REPO_EXAMPLE_COM',
  });
  expect(read('https://repo.example.com:8443/x')).toBeUndefined();
  expect(read('https://api.github.com/repos')).toEqual({
    authorization: 'Bearer g',
    from: 'GITHUB_TOKEN',
  });
  expect(read('https://github.com/')).toBeUndefined();
  expect(read('https://github.com/', true)).toEqual({
    authorization: 'Bearer npm',
    from: '.npmrc',
  });
});

test('rejects a malformed credential without printing it', () => {
  const read = () => readCredentials({ RELEASE_INDEX_AUTH_A: 'top-secret' }, noNpm);

  expect(read).toThrow(/^RELEASE_INDEX_AUTH_A: expected "Bearer " and a token.*of user:password$/);
});
