import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { npmRegistry, silence, type NpmRegistry } from '../../harness/npm-registry.ts';
import { definition, makeRoot, pathsIn } from '../../harness/root.ts';

const day = ['--as-of', '2026-06-01'];

function componentOf(registry: NpmRegistry, packageName: string): object {
  return definition({ sources: [{ datasource: 'npm', packageName, registryUrl: registry.url }] });
}

function names(count: number, prefix = 'c'): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);
}

test('components of a registry that never answers leave room for those of another', async () => {
  const [slow, quick] = [await npmRegistry({}), await npmRegistry({ svc: { '1.0.0': {} } })];
  const stuck = names(250, 'a');
  for (const name of stuck) slow.packages.set(name, silence);
  const root = makeRoot({
    ...Object.fromEntries(stuck.map((name) => [`components/${name}.json`, componentOf(slow, name)])),
    'components/svc.json': componentOf(quick, 'svc'),
  });
  let isInterrupted = false;

  const run = await runCli(['gather', '--root', root, ...day], {
    onStderr(text, child) {
      if (isInterrupted || !text.includes('gather 1/251 svc: 1 release')) return;
      isInterrupted = true;
      child.kill('SIGINT');
    },
  });

  expect(run.status).toBe(130);
  expect(pathsIn(join(root, 'data'))).toEqual(['freshness/svc.json', 'svc.json']);
}, 60_000);
