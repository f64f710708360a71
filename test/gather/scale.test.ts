import { cpSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseShard, takeShard } from '../../src/gather/shard.ts';
import { createTurns, upstreamOf } from '../../src/gather/turns.ts';
import { timeLeft } from '../../src/commands/time-left.ts';
import { linesOf, runCli } from '../harness/cli.ts';
import { npmRegistry, silence, status, type Answer, type NpmRegistry } from '../harness/npm-registry.ts';
import { definition, filesIn, makeRoot, pathsIn, temporaryFolder } from '../harness/root.ts';

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

  await runCli(['gather', '--root', whole, ...day]);
  const counts: number[] = [];
  for (const shard of ['1/3', '2/3', '3/3']) {
    const root = makeIndex(registry, components);
    const run = await runCli(['gather', '--root', root, '--shard', shard, ...day]);
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
    '--shard: expected the number of a part and how many there are, such as 2/8; got "9/8"',
  );
});

test('a run that goes on asks only for what has not answered soundly on the day', async () => {
  const registry = await npmRegistry({ cli: { '1.0.0': {} }, svc: status(404), agent: { '2.0.0': {} } });
  const root = makeIndex(registry, ['agent', 'cli', 'svc']);
  await runCli(['gather', '--root', root, ...day]);
  registry.packages.set('svc', { '3.0.0': {} });
  registry.requests.length = 0;

  const run = await runCli(['gather', '--root', root, '--resume', ...day]);

  expect(run.status).toBe(0);
  expect(registry.requests.map(({ path }) => path)).toEqual(['/svc']);
  expect(run.stderr).toContain('gather 1/1 svc: 1 release');
});

test('a run that goes on asks again for a package of which one of two registries has not answered', async () => {
  const [sound, failing] = [
    await npmRegistry({ svc: { '1.0.0': {} } }),
    await npmRegistry({ svc: status(403) }),
  ];
  const sources = [sound, failing].map(({ url }) => ({
    datasource: 'npm',
    packageName: 'svc',
    registryUrl: url,
  }));
  const root = makeRoot({ 'components/svc.json': definition({ sources }) });
  await runCli(['gather', '--root', root, ...day]);
  failing.packages.set('svc', { '2.0.0': {} });

  const run = await runCli(['gather', '--root', root, '--resume', ...day]);

  expect(linesOf(run.stdout)[0]).toBe('svc 2.0.0: new');
});

test('a run that goes on on another day asks for all', async () => {
  const registry = await npmRegistry({ cli: { '1.0.0': {} }, svc: { '3.0.0': {} } });
  const root = makeIndex(registry, ['cli', 'svc']);
  await runCli(['gather', '--root', root, ...day]);
  registry.requests.length = 0;

  await runCli(['gather', '--root', root, '--resume', '--as-of', '2026-06-02']);

  expect(registry.requests.map(({ path }) => path).sort()).toEqual(['/cli', '/svc']);
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
  expect(pathsIn(join(root, 'data/freshness'))).toEqual(['svc.json']);
}, 60_000);

test('components of one upstream wait for each other, and for no other', async () => {
  const takeTurn = createTurns();
  const started: string[] = [];
  const open: (() => void)[] = [];
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => open.push(resolve));
  };

  const turns = [...names(100, 'a').map((name) => takeTurn('a', work(name))), takeTurn('b', work('b'))];
  await new Promise(setImmediate);

  expect(started.length).toBeLessThan(30);
  expect(started).toContain('b');
  while (started.length < 101) {
    for (const finish of open.splice(0)) finish();
    await new Promise(setImmediate);
  }
  for (const finish of open.splice(0)) finish();
  await Promise.all(turns);
});

test('the upstream of a component is what its sources are asked from', () => {
  const npm = { datasource: 'npm', packageName: 'svc' } as const;
  const base = { title: 'Service', homepage: 'https://example.com/', changelogUrl: 'https://example.com/' };

  expect(upstreamOf({ ...base, sources: [npm] })).toBe('npm');
  expect(upstreamOf({ ...base, sources: [{ ...npm, registryUrl: 'https://npm.example.com/a/' }, npm] })).toBe(
    'npm npm.example.com',
  );
});

test('the time that is left is told once there is a pace', () => {
  expect(timeLeft(4_000, 10, 100)).toBe('');
  expect(timeLeft(10_000, 10, 20)).toBe('about 10 s left');
  expect(timeLeft(60_000, 10, 100)).toBe('about 9 min left');
  expect(timeLeft(3_600_000, 10, 100)).toBe('about 9 h left');
  expect(timeLeft(60_000, 100, 100)).toBe('');
});
