import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { StatusFile } from '../../src/model/published/status-file.ts';
import { freshnessPath, openRoot } from '../../src/store/root.ts';
import { checkout } from '../harness/checkout.ts';
import { runCli } from '../harness/cli.ts';
import { npmRegistry, type Answer } from '../harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn } from '../harness/root.ts';

const listing =
  (versions: readonly string[], before: () => void = () => undefined): Answer =>
  (_, response) => {
    before();
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        name: 'agent',
        versions: Object.fromEntries(versions.map((version) => [version, {}])),
      }),
    );
  };

test.skipIf(process.platform === 'win32')(
  'a run that is killed between its two files loses neither the release nor the day on which the component changed',
  async () => {
    const registry = await npmRegistry({ agent: listing(['1.0.0']) });
    const source = { datasource: 'npm', packageName: 'agent', registryUrl: registry.url };
    const root = makeRoot({ 'components/svc.json': definition({ sources: [source] }) });
    const gather = (day: string) => runCli(['gather', '--record-freshness', '--root', root, '--as-of', day]);
    await gather('2026-06-01');

    const killed = await killBetweenFiles('2026-06-02');
    const known = readJsonIn<{ releases: object[] }>(root, 'data/svc.json').releases;
    const freshness = readJsonIn(root, 'data/freshness/svc.json');
    await gather('2026-06-03');
    const built = await runCli(['build', '--root', root, '--as-of', '2026-06-03']);

    expect(killed.signal).toBe('SIGKILL');
    expect(known).toHaveLength(2);
    expect(freshness).toMatchObject({ checkedOn: '2026-06-01' });
    expect(built.status, built.stderr).toBe(0);
    expect(readJsonIn<StatusFile>(root, 'dist/status.json').components['svc']).toMatchObject({
      lastChecked: '2026-06-03',
      lastChanged: '2026-06-02',
      releases: 2,
    });

    /** The second file is written beside its place first. A pipe in that place stops the program there. */
    async function killBetweenFiles(day: string) {
      const file = freshnessPath(openRoot(root, checkout), 'svc');
      return runCli(['gather', '--record-freshness', '--root', root, '--as-of', day], {
        onStart(child) {
          const pipe = join(dirname(file), `.${basename(file)}.saving-${child.pid}`);
          const block = () => existsSync(pipe) || execFileSync('mkfifo', [pipe]);
          registry.packages.set('agent', listing(['1.0.0', '1.1.0'], block));
          const timer = setInterval(() => {
            if (readJsonIn<{ releases: object[] }>(root, 'data/svc.json').releases.length > 1)
              child.kill('SIGKILL');
          }, 20);
          child.on('exit', () => clearInterval(timer));
        },
      });
    }
  },
);

test('the day of the last change is the last that the releases tell of, up to the day of the site', async () => {
  const releases = [
    { version: '1.0', firstSeen: '2026-01-01' },
    { version: '1.1', firstSeen: '2026-02-01', withdrawnSince: '2026-03-01' },
    {
      version: '1.2',
      firstSeen: '2026-02-01',
      corrections: [{ on: '2026-04-01', field: 'deprecated', to: 'bad', reason: 'upstream says so' }],
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
