import { expect, onTestFinished, test, vi } from 'vitest';
import {
  nameVariable,
  parseChallenge,
  readCredentials,
  readNpmConfig,
  readToken,
} from '../../../src/sources/http/authorization.ts';
import { enterProject } from '../../harness/npm-project.ts';

const noNpm = { findRegistry: () => undefined, findAuthorization: () => undefined };

test.each([
  ['https://my-npm.example.com:8443/x', 'RELEASE_INDEX_AUTH_MY__NPM_EXAMPLE_COM_8443'],
  ['https://[::1]/', 'RELEASE_INDEX_AUTH______1___'],
])('the credential for %s is in %s', (url, expected) => {
  expect(nameVariable(new URL(url))).toBe(expected);
});

test('credentials are for their own host, and the token of GitHub for its API', () => {
  const { find } = readCredentials(
    { RELEASE_INDEX_AUTH_REPO_EXAMPLE_COM: ' Bearer a ', GITHUB_TOKEN: 'g' },
    { ...noNpm, findAuthorization: () => 'Bearer npm' },
  );

  expect(find(new URL('https://repo.example.com/x'))).toBe('Bearer a');
  expect(find(new URL('https://repo.example.com:8443/x'))).toBeUndefined();
  expect(find(new URL('https://api.github.com/repos'))).toBe('Bearer g');
  expect(find(new URL('https://github.com/'))).toBeUndefined();
  expect(find(new URL('https://github.com/'), true)).toBe('Bearer npm');
});

test('a credential of another form is refused by its name alone', () => {
  const read = () => readCredentials({ RELEASE_INDEX_AUTH_A: 'top-secret' }, noNpm);

  expect(read).toThrow(/^RELEASE_INDEX_AUTH_A: expected "Bearer " and a token.*of user:password$/);
});

/** npm's configuration of a project with this file. */
function readNpmrc(text: string) {
  enterProject(text);
  return readNpmConfig();
}

test("npm's configuration names registries by scope, and tokens by registry", () => {
  const npm = readNpmrc(
    'registry=https://npm.example.com/\n@team:registry=https://team.example.com/npm/\n' +
      '//team.example.com/npm/:_authToken=t\n_auth=dTpw\n',
  );

  expect(npm.findRegistry('agent')).toBe('https://npm.example.com/');
  expect(npm.findRegistry('@team/agent')).toBe('https://team.example.com/npm/');
  expect(npm.findAuthorization(new URL('https://team.example.com/npm/@team%2fagent'))).toBe(
    'Bearer t',
  );
  // `_auth` without a host would go to every registry.
  expect(npm.findAuthorization(new URL('https://npm.example.com/agent'))).toBeUndefined();
});

test('a configuration may name no registry', () => {
  expect(() => readNpmrc('registry=null').findRegistry('agent')).toThrow('expected an address');
});

test.each([
  ['@other:registry=https://a.example', { datasource: 'npm' }, false],
  ['@team:registry=https://a.example', { datasource: 'npm' }, true],
  ['', { datasource: 'maven', registryUrl: 'https://repo.maven.apache.org/maven2' }, false],
  ['', { datasource: 'maven', registryUrl: 'https://maven.example.com/' }, true],
])('with the configuration "%s", a package of %j is private: %s', (npmrc, source, expected) => {
  vi.stubEnv('npm_config_userconfig', '/dev/null');
  onTestFinished(() => void vi.unstubAllEnvs());

  expect(readNpmrc(npmrc).isPrivate({ ...source, packageName: '@team/agent' })).toBe(expected);
});

const realm = 'https://auth.example/token';
test.each([
  [`Basic realm="other", bearer realm=${realm}`, { realm }],
  ['Basic realm="Bearer"', undefined],
  [null, undefined],
])('the challenge %j is %j', (header, expected) => {
  expect(parseChallenge(header)).toEqual(expected);
});

test.each([
  ['{"token":"","access_token":"g"}', 'g'],
  ['{"token":"a b"}', undefined],
])('the token of %s is %s', (text, expected) => {
  expect(readToken(text)).toBe(expected);
});
