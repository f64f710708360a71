import { expect, onTestFinished, test, vi } from 'vitest';
import { createPrivacyTest } from '../../src/sources/index.ts';
import { enterProject } from '../harness/npm-project.ts';

test.each([
  ['@other:registry=https://a.example', { datasource: 'npm' }, false],
  ['@team:registry=https://a.example', { datasource: 'npm' }, true],
  ['', { datasource: 'maven', registryUrl: 'https://repo.maven.apache.org/maven2' }, false],
  ['', { datasource: 'maven', registryUrl: 'https://maven.example.com/' }, true],
])(
  'a package is private if its registry is not public: .npmrc "%s", source %j, private %s',
  (npmrc, source, expected) => {
    vi.stubEnv('npm_config_userconfig', '/dev/null');
    onTestFinished(() => void vi.unstubAllEnvs());

    enterProject(npmrc);
    expect(createPrivacyTest()({ ...source, packageName: '@team/agent' })).toBe(expected);
  },
);
