import { expect, test } from 'vitest';
import { linesOf, runCli } from '../../harness/cli.ts';
import { npmRegistry } from '../../harness/npm-registry.ts';
import { definition, makeRoot } from '../../harness/root.ts';

/** The findings for a package that lists these names under these rules. */
async function warnings(names: readonly string[], rules: object = {}, time: object = {}): Promise<string[]> {
  const versions = Object.fromEntries(names.map((name) => [name, {}]));
  const registry = await npmRegistry({
    agent: (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ name: 'agent', versions, time })),
  });
  const root = makeRoot({
    'components/svc.json': definition({
      sources: [{ datasource: 'npm', packageName: 'agent', registryUrl: registry.url, ...rules }],
    }),
  });
  const run = await runCli(['gather', '--root', root, '--as-of', '2026-06-01']);
  expect(run.status).toBe(0);
  return linesOf(run.stderr).filter((line) => line.startsWith('warning: '));
}

test('reports the first of many unusable names, and their number', async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `x${index}`);

  const said = await warnings(['1.0', ...names]);

  expect(said).toEqual([
    ...[0, 1, 2, 3, 4].map(
      (index) => `warning: svc: npm:agent: "x${index}" has no place in the version order. Left out.`,
    ),
    'warning: svc: 19995 more like this: npm:agent: "x0" has no place in the version order. Left out.',
  ]);
});

test('reports long names and strange days in short lines, and their number', async () => {
  const long = Array.from({ length: 50 }, (_, index) => `${index}.${'9'.repeat(100_000)}`);
  const quoting = Array.from(
    { length: 300 },
    (_, index) => `x"${'\\'.repeat(index)}" ${'y '.repeat(index % 90)}`,
  );
  const dated = Array.from({ length: 50 }, (_, index) => `1.${index}`);
  const time = Object.fromEntries(dated.map((name, index) => [name, `${'soon, '.repeat(50)}${index}`]));

  const said = await warnings([...long, ...quoting, ...dated], {}, time);

  expect(said.length).toBeGreaterThan(10);
  expect(said.length).toBeLessThan(30);
  for (const line of said) expect(line.length).toBeLessThan(700);
});

test('reports the rule that leaves out all listed names', async () => {
  const names = ['1.0.0', '1.1.0', '2.0.0-rc.1'];

  expect(await warnings(names, { extractVersion: '^release-(?<version>.+)$' })).toEqual([
    'warning: svc (npm:agent): npm:agent lists 3 names, none of which the definition admits: extractVersion leaves out 3. No release of it is recorded yet.',
  ]);
  expect(await warnings(names, { allowedVersions: '/^2/' })).toEqual([
    'warning: svc (npm:agent): npm:agent lists 3 names, none of which the definition admits: allowedVersions leaves out 2, prereleases leaves out 1. No release of it is recorded yet.',
  ]);
  expect(await warnings(names)).toEqual([]);
});
