import { expect, test } from 'vitest';
import { readNpmConfig } from '../../../src/sources/http/credentials.ts';
import { enterProject } from '../../harness/npm-project.ts';

/** Reads npm's configuration in a project with this `.npmrc`. */
function readNpmrc(text: string) {
  enterProject(text);
  return readNpmConfig();
}

test("reads the registry of each scope and the token of each registry from npm's configuration", () => {
  const npm = readNpmrc(
    'registry=https://npm.example.com/\n@team:registry=https://team.example.com/npm/\n' +
      '//team.example.com/npm/:_authToken=t\n_auth=dTpw\n',
  );

  expect(npm.findRegistry('agent')).toBe('https://npm.example.com/');
  expect(npm.findRegistry('@team/agent')).toBe('https://team.example.com/npm/');
  expect(npm.findAuthorization(new URL('https://team.example.com/npm/@team%2fagent'))).toBe(
    'Bearer t',
  );
  // `_auth` without a host is ignored, because it would be sent to every registry.
  expect(npm.findAuthorization(new URL('https://npm.example.com/agent'))).toBeUndefined();
});

test('accepts an npm configuration without a registry', () => {
  expect(() => readNpmrc('registry=null').findRegistry('agent')).toThrow('expected an address');
});

test('rejects an npm configuration with a variable that is not set', () => {
  expect(() => readNpmrc('//a.example/:_authToken=${MISSING_TOKEN}').findRegistry('agent')).toThrow(
    /^\.npmrc.*MISSING_TOKEN/,
  );
});
