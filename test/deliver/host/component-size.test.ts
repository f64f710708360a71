import { expect, test } from 'vitest';
import { linesOf, runCli } from '../../harness/cli.ts';
import { npmRegistry } from '../../harness/npm-registry.ts';
import { definition, makeRoot, pathsIn, readJsonIn } from '../../harness/root.ts';

test('a component too large for the host keeps its recorded data, and the others are updated', async () => {
  const flood = Array.from({ length: 20_000 }, (_, index) => {
    return [`2.${Math.floor(index / 100)}.${index % 100}`, {}] as const;
  });
  const registry = await npmRegistry({ large: Object.fromEntries(flood), small: { '1.0.0': {} } });
  const template = `https://docs.example.com/${'x'.repeat(1_500)}/{version}`;
  const componentOf = (packageName: string) =>
    definition({
      sources: [{ datasource: 'npm', packageName, registryUrl: registry.url }],
      releaseChangelogUrl: { template },
    });
  const root = makeRoot({
    'components/large.json': componentOf('large'),
    'components/small.json': componentOf('small'),
    'data/large.json': { releases: [{ version: '1.0.0' }] },
  });

  const ran = await runCli(['gather', '--root', root, '--as-of', '2026-06-01']);

  expect(ran.status, ran.stderr).toBe(1);
  expect(linesOf(ran.stderr)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^error: large: with the gathered releases, \S+ would have \d+ MiB, too large for the host, which accepts 25 MiB per file\./,
      ),
    ]),
  );
  expect(readJsonIn(root, 'data/large.json')).toEqual({ releases: [{ version: '1.0.0' }] });
  expect(readJsonIn(root, 'data/small.json')).toMatchObject({ releases: [{ version: '1.0.0' }] });

  const built = await runCli(['build', '--root', root, '--as-of', '2026-06-01']);

  expect(built.status).toBe(0);
  expect(pathsIn(`${root}/dist`)).toEqual(expect.arrayContaining(['large.json', 'small.json']));
});
