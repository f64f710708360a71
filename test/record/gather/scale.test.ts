import { cpSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseShard, takeShard } from '../../../src/record/gather/gather-all.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { npmRegistry, silence, status, type Answer, type NpmRegistry } from '../../harness/npm-registry.ts';
import { definition, filesIn, makeRoot, pathsIn, temporaryFolder } from '../../harness/root.ts';

const day = ['--as-of', '2026-06-01'];

function componentOf(registry: NpmRegistry, packageName: string): object {
  return definition({ sources: [{ datasource: 'npm', packageName, registryUrl: registry.url }] });
}

function names(count: number, prefix = 'c'): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);
}

function makeIndex(registry: NpmRegistry, components: readonly string[]): string {
  const files = components.map((name) => [`components/${name}.json`, componentOf(registry, name)]);
  return makeRoot(Object.fromEntries(files));
}

test('the shards of a gather write together the same bytes as one run', async () => {
  const components = names(11);
  const listing = (index: number): Answer => ({
    [`1.${index}.0`]: { at: '2026-01-01T00:00:00.000Z' },
    '1.0.0': {},
  });
  const registry = await npmRegistry(
    Object.fromEntries(components.map((name, index) => [name, listing(index)])),
  );
  registry.packages.set('c004', status(404));
  const whole = makeIndex(registry, components);
  const united = temporaryFolder();

  await runCli(['gather', '--record-freshness', '--root', whole, ...day]);
  const counts: number[] = [];
  for (const shard of ['1/3', '2/3', '3/3']) {
    const root = makeIndex(registry, components);
    const run = await runCli(['gather', '--record-freshness', '--root', root, '--shard', shard, ...day]);
    expect(run.status).toBe(0);
    counts.push(pathsIn(join(root, 'data/freshness')).length);
    cpSync(join(root, 'data'), join(united, 'data'), { recursive: true });
  }

  expect(counts).toEqual([4, 4, 3]);
  expect(filesIn(join(united, 'data'))).toEqual(filesIn(join(whole, 'data')));
}, 60_000);

test('every component is in exactly one shard, and no shard is longer than another by more than one', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.integer({ min: 1, max: 12 }), (count, of) => {
      const all = names(count);

      const shards = Array.from({ length: of }, (_, index) => takeShard(all, { index: index + 1, of }));

      expect(shards.flat().sort()).toEqual(all);
      const lengths = shards.map((shard) => shard.length);
      expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
    }),
  );
});

test.each(['0/2', '3/2', '2', '1/', 'a/b', '1/2/3', '-1/2', '01/2', '1/99999'])(
  '%s is no shard',
  async (text) => {
    expect(parseShard(text)).toBeUndefined();
  },
);

test('a shard that there is not is an error of the command line', async () => {
  const root = makeRoot({ 'components/svc.json': definition({}) });

  const run = await runCli(['gather', '--root', root, '--shard', '9/8']);

  expect(run.status).toBe(2);
  expect(linesOf(run.stderr)[0]).toBe(
    '--shard: expected the number of a part and of all parts, such as 2/8; got "9/8"',
  );
});

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
  expect(pathsIn(join(root, '.cache/freshness'))).toEqual(['svc.json']);
}, 60_000);
