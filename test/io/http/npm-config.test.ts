import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readNpmConfig, type NpmConfig } from '../../../src/io/http/npm-config.ts';
import { makeRoot, removeTemporaryFolders } from '../../harness/root.ts';

afterAll(removeTemporaryFolders);

/** npm's configuration of a person who stands in `project/inner`. */
function read(files: Record<string, string>, env: Record<string, string> = {}): NpmConfig {
  const home = makeRoot({ 'project/package.json': '{}', 'project/inner/file': '', ...files });
  return readNpmConfig({ HOME: home, PREFIX: join(home, 'machine'), ...env }, join(home, 'project/inner'));
}

test('the environment takes precedence over the project, that over the user, and that over the machine', () => {
  const npm = read(
    {
      'project/.npmrc': 'a=project\nb=project\nc=project',
      '.npmrc': 'a=user\nb=user\nd=user',
      'machine/etc/npmrc': 'a=machine\nd=machine\ne=machine',
    },
    { npm_config_a: 'environment' },
  );

  expect(['a', 'b', 'c', 'd', 'e', 'f'].map(npm.get)).toEqual([
    'environment',
    'project',
    'project',
    'user',
    'machine',
    undefined,
  ]);
});

test('a value holds variables of the environment, and one that is not set leaves nothing to send', () => {
  const npm = read(
    { '.npmrc': 'a=x-${TOKEN}\nb=${MISSING}\nc=${MISSING?}y\n//${HOST}/:_authToken=${TOKEN}' },
    { TOKEN: 't', HOST: 'npm.example' },
  );

  expect(['a', 'b', 'c', '//npm.example/:_authToken'].map(npm.get)).toEqual(['x-t', undefined, 'y', 't']);
  expect(npm.registryKeys).toEqual(['//npm.example/:_authToken']);
});

test('the files of user and machine can lie elsewhere, but no file says where', () => {
  const home = makeRoot({ 'elsewhere/rc': 'a=elsewhere', '.npmrc': 'userconfig=other' });
  const npm = readNpmConfig({ HOME: home, NPM_CONFIG_USERCONFIG: join(home, 'elsewhere/rc') }, '/nowhere');

  expect(npm.get('a')).toBe('elsewhere');
});

test('null is what npm writes for nothing', () => {
  expect(read({ '.npmrc': 'proxy=null\nhttps-proxy=\nregistry=' }).get('proxy')).toBeUndefined();
});

test('reports settings that are not followed or cannot be used, without any value', () => {
  const npm = read({
    '.npmrc':
      'strict-ssl=false\n_authToken=top-secret\ncafile=/nowhere/ca.pem\nca="no certificate: top-secret"',
  });

  expect(npm.warnings).toEqual([
    '"_authToken" without a registry before it ("//host/:_authToken") is sent to none',
    expect.stringMatching(/^strict-ssl=false is not followed: certificates are verified all the same\. /),
    'ca holds no certificate that can be read; it is left out',
    'cafile /nowhere/ca.pem cannot be read (ENOENT); it is left out',
  ]);
  expect(npm.certificates).toEqual([]);
});
