import { expect, test } from 'vitest';
import type { RecordedData } from '../../../src/core/schemas/recorded.ts';
import { linesOf, runCli, type Ran } from '../../harness/cli.ts';
import { npmRegistry, type Listing, type NpmRegistry } from '../../harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';

function listing(...versions: string[]): Listing {
  return Object.fromEntries(versions.map((version) => [version, { at: '2026-01-01T00:00:00.000Z' }]));
}

const five = ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0'];

interface Index {
  registry: NpmRegistry;
  root: string;
  gather(day: string, ...args: string[]): Promise<Ran>;
  withdrawn(component: string): string[];
}

/** Three components of five versions each. */
async function gathered(): Promise<Index> {
  const names = ['a', 'b', 'c'];
  const registry = await npmRegistry(Object.fromEntries(names.map((name) => [name, listing(...five)])));
  const root = makeRoot(
    Object.fromEntries(
      names.map((packageName) => [
        `components/${packageName}.json`,
        definition({ sources: [{ datasource: 'npm', packageName, registryUrl: registry.url }] }),
      ]),
    ),
  );
  const gather = (day: string, ...args: string[]) =>
    runCli(['gather', ...args, '--root', root, '--as-of', day]);
  await gather('2026-06-01');
  return {
    registry,
    root,
    gather,
    withdrawn: (component) =>
      readJsonIn<RecordedData>(root, `data/${component}.json`)
        .releases.filter(({ withdrawnSince }) => withdrawnSince !== undefined)
        .map(({ version }) => version),
  };
}

test('a pulled release is no longer the latest, but its replacement is', async () => {
  const { registry, root, gather } = await gathered();
  registry.packages.set('a', listing(...five, '1.5.0'));
  await gather('2026-06-02');
  registry.packages.set('a', listing(...five, '1.4.1'));

  const run = await gather('2026-06-03');
  await runCli(['build', '--root', root, '--as-of', '2026-06-03']);

  expect(linesOf(run.stdout)).toEqual(
    expect.arrayContaining(['a 1.4.1: new', 'a 1.5.0: withdrawn (npm:a no longer lists it)']),
  );
  expect(linesOf(run.stderr)).toContain(
    'warning: a: npm:a no longer lists 1.5.0, the greatest version it listed. Withdrawn at once, as upstream pulled it; ' +
      'it stays recorded, and returns when it is listed again.',
  );
  expect(readJsonIn(root, 'dist/a.json')).toMatchObject({ tags: { latest: '1.4.1' } });
});

test("the times of a mirror are ignored, and replaced by the registry's", async () => {
  const registry = await npmRegistry({
    agent: (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"name":"agent","versions":{"1.0.0":{}},"time":{"1.0.0":"2026-05-19T08:00:00Z"}}'),
  });
  const root = makeRoot({
    'components/svc.json': definition({
      sources: [{ datasource: 'npm', packageName: 'agent', registryUrl: registry.url }],
    }),
  });
  const release = async (day: string) => {
    await runCli(['gather', '--root', root, '--as-of', day]);
    return readJsonIn<RecordedData>(root, 'data/svc.json').releases[0];
  };

  expect(await release('2026-06-01')).toMatchObject({
    releaseTimestamp: '2026-06-01',
    timestampKind: 'observed',
  });
  registry.packages.set('agent', { '1.0.0': { at: '2020-01-01T00:00:00.000Z' } });
  expect(await release('2026-06-02')).toMatchObject({
    releaseTimestamp: '2020-01-01T00:00:00Z',
    timestampKind: 'published',
  });
});
