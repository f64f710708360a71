import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkout, fixtureDay, fixtureIndex } from './harness/checkout.ts';
import { loadComponent } from '../src/site/load-component.ts';
import type { Component } from '../src/decide/component.ts';
import { openRoot } from '../src/io/files/root.ts';
import { linesOf, runCli } from './harness/cli.ts';
import { filesIn, readJsonIn, temporaryFolder } from './harness/root.ts';
import { covers } from './harness/covers.ts';

const root = openRoot(fixtureIndex, checkout);

function componentOn(day: string, name: string): Component {
  const { component, findings } = loadComponent(root, name, day);
  expect(findings).toEqual([]);
  return component!;
}

function deprecatedOn(day: string, name: string): string[] {
  return componentOn(day, name)
    .judgement.releases.filter(({ isDeprecated }) => isDeprecated)
    .map(({ version }) => version);
}

test('an ordinary index breaks no rule, with a warning and a notice', async () => {
  const out = join(temporaryFolder(), 'dist');

  const { status, stdout, stderr } = await runCli(['check', '--root', fixtureIndex, '--out', out]);

  expect(linesOf(stderr)).toEqual([
    expect.stringMatching(/^warning: data\/svc\.json: 2026\.3: the latest version has no day, /),
    expect.stringMatching(/^notice: data\/svcctl\.json: 1\.22: .* number of digit groups/),
  ]);
  expect(stdout).toContain('check: 7 components, 0 errors, 1 warning.');
  expect(status).toBe(0);
});

test('the schemas that editors read without a site are those of the site', async () => {
  const folder = temporaryFolder();

  const built = await runCli(['build', '--root', fixtureIndex, '--out', join(folder, 'dist')]);
  execFileSync(process.execPath, [join(checkout, '.ci/schemas.ts'), join(folder, 'schemas')]);

  expect(built.status, built.stderr).toBe(0);
  const { $defs } = readJsonIn<{ $defs: Record<string, object> }>(
    folder,
    'dist/schema/documents.json',
  );
  const written = filesIn(join(folder, 'schemas'));
  for (const [name, schema] of Object.entries(written)) {
    expect(JSON.parse(schema)).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...$defs[name.slice(0, -'.json'.length)],
    });
  }
  expect(filesIn(join(checkout, 'site/schema'))).toEqual(written);
});

test('the ends of lines and components come on their days, and a component may have no history', () => {
  covers(
    'changelogUrl of a release: absent for the oldest entries, never empty',
    'All of build-cache-node deprecated',
    'Server deprecated once outside support',
  );
  const before = deprecatedOn('2026-10-08', 'svc');
  const ended = componentOn('2026-11-01', 'build-cache-node').judgement;

  expect(componentOn('2026-10-08', 'svc').judgement.nextChangeOn).toBe('2026-10-09');
  expect(before).not.toContain('2025.1');
  expect(deprecatedOn('2026-10-09', 'svc')).toEqual([...before, '2025.1']);
  expect(ended.releases.length).toBeGreaterThan(5);
  expect(ended.releases.every(({ isDeprecated }) => isDeprecated)).toBe(true);
  expect(ended.latest).toBeUndefined();
  expect(componentOn(fixtureDay, 'dashboard-bundle').judgement.releases).toEqual([]);
});
