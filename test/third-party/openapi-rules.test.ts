import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyOfFixtureIndex, temporaryFolder, writeIn } from '../harness/root.ts';
import { siteOf } from '../harness/site.ts';
import { spectral } from './install.ts';

interface Problem {
  code: string;
  path: string[];
  /** 0 for an error, 1 for a warning. */
  severity: number;
}

/** The errors that Spectral finds in a document by its rules for OpenAPI. */
function errorsIn(document: string): string[] {
  const folder = temporaryFolder();
  writeIn(folder, 'rules.json', { extends: ['spectral:oas'] });
  const program = join(spectral.dir, 'dist/index.js');
  const options = ['--ruleset', join(folder, 'rules.json'), '--format', 'json', '--quiet'];
  const { stdout, stderr } = spawnSync(process.execPath, [program, 'lint', document, ...options], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  expect(stderr).toBe('');
  const problems = JSON.parse(stdout) as Problem[];
  return problems
    .filter(({ severity }) => severity === 0)
    .map(({ code, path }) => `${code}: ${path.join(' ')}`);
}

test.each(['public', 'private'])(
  'Spectral finds no error in openapi.json of a %s index',
  (kind) => {
    const root = copyOfFixtureIndex();
    if (kind === 'private') {
      const access = {
        protect: 'everything',
        users: [{ username: 'ann', email: 'ann@example.com' }],
        accessKeys: { enabled: true },
      };
      writeIn(root, 'site/access.json', access);
    }

    expect(errorsIn(join(siteOf(root), 'openapi.json'))).toEqual([]);
  },
);

test('Spectral finds an array without items', () => {
  const folder = temporaryFolder();
  writeIn(folder, 'openapi.json', {
    openapi: '3.1.0',
    info: { title: 'x', version: '1', contact: { url: 'https://example.com' }, description: 'x' },
    servers: [{ url: 'https://example.com' }],
    paths: {},
    components: { schemas: { list: { type: 'array' } } },
  });

  expect(errorsIn(join(folder, 'openapi.json'))).toContain('array-items: components schemas list');
});
