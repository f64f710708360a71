import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyOfFixtureIndex, temporaryFolder, writeIn } from '../harness/root.ts';
import { siteOf } from '../harness/site.ts';
import { spectral } from './install.ts';

interface Problem {
  code: string;
  path: string[];
}

/** The problems that Spectral finds in a document by its rules for OpenAPI, warnings included. */
function problemsIn(document: string): string[] {
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
  return problems.map(({ code, path }) => `${code}: ${path.join(' ')}`);
}

/** This endpoint only says that the host signs nothing. */
const withoutSuccess = [
  'operation-success-response: paths /packages/{type}/{namespace}/{name}/{version}/attestations post responses',
  'operation-success-response: paths /packages/{type}/{name}/{version}/attestations post responses',
];

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

    expect(problemsIn(join(siteOf(root), 'openapi.json'))).toEqual(withoutSuccess);
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

  expect(problemsIn(join(folder, 'openapi.json'))).toContain(
    'array-items: components schemas list',
  );
});
