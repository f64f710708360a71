import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StatusFile } from '../../../src/core/schemas/published/status-file.ts';
import { runCli } from '../../harness/cli.ts';
import { npmRegistry, type Answer } from '../../harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';

const listing =
  (versions: readonly string[]): Answer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        name: 'agent',
        versions: Object.fromEntries(versions.map((version) => [version, {}])),
      }),
    );
  };

test('a run that is killed between its two files loses neither the release nor the day of the change', async () => {
  const registry = await npmRegistry({ agent: listing(['1.0.0']) });
  const source = { datasource: 'npm', packageName: 'agent', registryUrl: registry.url };
  const root = makeRoot({ 'components/svc.json': definition({ sources: [source] }) });
  const gather = (day: string) => runCli(['gather', '--record-freshness', '--root', root, '--as-of', day]);
  const freshness = join(root, 'data/freshness/svc.json');
  await gather('2026-06-01');
  const before = readFileSync(freshness);
  registry.packages.set('agent', listing(['1.0.0', '1.1.0']));
  await gather('2026-06-02');

  // Freshness is the second file.
  writeFileSync(freshness, before);
  await gather('2026-06-03');
  const built = await runCli(['build', '--root', root, '--as-of', '2026-06-03']);

  expect(built.status, built.stderr).toBe(0);
  expect(readJsonIn<StatusFile>(root, 'dist/status.json').components['svc']).toMatchObject({
    lastChecked: '2026-06-03',
    lastChanged: '2026-06-02',
    releases: 2,
  });
});

test('the day of the last change comes from the releases, up to the day of the site', async () => {
  const releases = [
    { version: '1.0', firstSeen: '2026-01-01' },
    { version: '1.1', firstSeen: '2026-02-01', withdrawnSince: '2026-03-01' },
    {
      version: '1.2',
      firstSeen: '2026-02-01',
      deprecated: 'bad',
      deprecatedSince: '2026-04-01',
    },
  ];
  const root = makeRoot({ 'components/svc.json': definition(), 'data/svc.json': { releases } });

  const lastChanged = async (day: string) => {
    await runCli(['build', '--root', root, '--as-of', day]);
    return readJsonIn<StatusFile>(root, 'dist/status.json').components['svc']!.lastChanged;
  };

  expect(await lastChanged('2026-05-01')).toBe('2026-04-01');
  expect(await lastChanged('2026-03-15')).toBe('2026-03-01');
  expect(await lastChanged('2025-12-31')).toBeUndefined();
});
