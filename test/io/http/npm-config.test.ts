import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readNpmConfig, type NpmConfig } from '../../../src/io/http/npm-config.ts';
import { makeRoot } from '../../harness/root.ts';

/** npm's configuration of a person who works in `project/inner`. */
function read(files: Record<string, string>, env: Record<string, string> = {}): NpmConfig {
  const home = makeRoot({ 'project/package.json': '{}', 'project/inner/file': '', ...files });
  return readNpmConfig(
    { HOME: home, PREFIX: join(home, 'machine'), ...env },
    join(home, 'project/inner'),
  );
}

test("npm's order of precedence: environment, project, user, machine", () => {
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

test('replaces variables of the environment in keys and values, and drops a value with an unset one', () => {
  const npm = read(
    { '.npmrc': 'a=x-${TOKEN}\nb=${MISSING}\nc=${MISSING?}y\n//${HOST}/:_authToken=${TOKEN}' },
    { TOKEN: 't', HOST: 'npm.example' },
  );

  expect(['a', 'b', 'c', '//npm.example/:_authToken'].map(npm.get)).toEqual([
    'x-t',
    undefined,
    'y',
    't',
  ]);
  expect(npm.registryKeys).toEqual(['//npm.example/:_authToken']);
});

test('expands and trims values of the environment, too', () => {
  const npm = read({}, { 'npm_config_//npm.example/:_authToken': ' ${TOKEN} ', TOKEN: 't' });

  expect(npm.get('//npm.example/:_authToken')).toBe('t');
});

test('only the environment may name other files for user and machine', () => {
  const home = makeRoot({ 'elsewhere/rc': 'a=elsewhere', '.npmrc': 'userconfig=other' });
  const npm = readNpmConfig(
    { HOME: home, NPM_CONFIG_USERCONFIG: join(home, 'elsewhere/rc') },
    '/nowhere',
  );

  expect(npm.get('a')).toBe('elsewhere');
});

test('a relative path of a file begins at the folder of the project', () => {
  const files = { 'project/inner/rc': 'a=relative' };

  expect(read(files, { npm_config_userconfig: 'rc' }).get('a')).toBe('relative');
});

test('treats null, as npm writes it, as not set', () => {
  expect(read({ '.npmrc': 'a=null\nregistry=' }).get('a')).toBeUndefined();
});
