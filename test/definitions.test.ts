import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkout } from './harness/checkout.ts';
import { loadComponent } from '../src/site/load-component.ts';
import type { Component } from '../src/policy/component.ts';
import { listComponents, openRoot } from '../src/store/root.ts';
import { runCli } from './harness/cli.ts';
import { filesIn, temporaryFolder } from './harness/root.ts';

const root = openRoot(checkout, checkout);

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

test('the definitions and the recorded data of the project hold to every rule', async () => {
  const { status, stdout, stderr } = await runCli(['check', '--out', join(temporaryFolder(), 'dist')]);

  expect(stderr).toBe('');
  expect(stdout).toContain('check: 16 components, 0 errors, 0 warnings.');
  expect(status).toBe(0);
});

test('every component of the product has a definition', () => {
  expect(listComponents(root)).toEqual({
    names: [
      'build-agent-docker',
      'build-agent-gradle',
      'build-agent-maven',
      'build-agent-npm',
      'build-agent-npm-loader',
      'build-agent-python',
      'build-agent-sbt',
      'build-cache-node',
      'dashboard-bundle',
      'edge-node',
      'svc',
      'svc-artifact-cache-cli',
      'svc-provenance-governor',
      'svc-reporting-kit',
      'svcctl',
      'test-distribution-agent',
    ],
    findings: [],
  });
});

test('every definition names the schema that editors find beside it, once there is a site', () => {
  for (const name of listComponents(root).names) {
    const text = readFileSync(join(checkout, 'components', `${name}.json`), 'utf8');
    expect(JSON.parse(text), name).toMatchObject({ $schema: '../dist/schema/definition.json' });
  }
});

test('the schemas that editors read without a site are those of the site', async () => {
  const folder = temporaryFolder();

  const built = await runCli(['build', '--out', join(folder, 'dist'), '--as-of', '2026-11-01']);
  const written = await runCli(['schemas', join(folder, 'schemas')]);

  expect([built.status, written.status]).toEqual([0, 0]);
  const inSite = filesIn(join(folder, 'dist/schema'));
  expect(Object.keys(inSite)).toContain('definition.json');
  expect(filesIn(join(folder, 'schemas'))).toEqual(inSite);
});

describe('on a day, from the real data', () => {
  test('a release line of svc ends 18 months after its first release', () => {
    const before = deprecatedOn('2026-10-07', 'svc');
    const then = deprecatedOn('2026-10-08', 'svc');

    expect(before).not.toContain('2025.1');
    expect(then).toEqual([...before, '2025.1']);
    expect(componentOn('2026-10-07', 'svc').judgement.nextChangeOn).toBe('2026-10-08');
  });

  test('svc of long ago knew nothing of what came later', () => {
    const { judgement } = componentOn('2024-09-01', 'svc');

    expect(judgement.latest?.version).toBe('2024.2');
    expect(judgement.releases.map(({ version }) => version)).not.toContain('2025.1');
  });

  test('the build cache node is deprecated as a whole, and has no latest version', () => {
    const { judgement } = componentOn('2026-11-01', 'build-cache-node');

    expect(judgement.releases.length).toBeGreaterThan(5);
    expect(judgement.releases.every(({ isDeprecated }) => isDeprecated)).toBe(true);
    expect(judgement.latest).toBeUndefined();
  });

  test('svcctl is deprecated before 1.19', () => {
    expect(deprecatedOn('2026-11-01', 'svcctl')).toEqual(['1.14', '1.15', '1.16', '1.17', '1.18']);
  });

  test.each(['build-agent-docker', 'dashboard-bundle'])('%s has no public history', (name) => {
    expect(componentOn('2026-11-01', name).judgement.releases).toEqual([]);
  });
});
