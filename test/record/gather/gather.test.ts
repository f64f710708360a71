import { expect, test } from 'vitest';
import type { Freshness } from '../../../src/core/schemas/freshness.ts';
import type { RecordedData } from '../../../src/core/schemas/recorded.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { npmRegistry, status, type NpmRegistry } from '../../harness/npm-registry.ts';
import { definition, differences, filesIn, makeRoot, readJsonIn, writeIn } from '../../harness/root.ts';

const day = ['--as-of', '2026-06-01'];

function npm(registry: Pick<NpmRegistry, 'url'>, packageName: string, more: object = {}): object {
  return { datasource: 'npm', packageName, registryUrl: registry.url, ...more };
}

const anyFingerprint = expect.stringMatching(/^[0-9a-f]{64}$/) as string;

/** The freshness of a source after its first sound answer. */
const soundOn = (day: string) => ({
  answeredOn: day,
  definition: anyFingerprint,
  listed: anyFingerprint,
});

/** A registry that has stopped listening. */
const nobody = { url: 'http://127.0.0.1:9/' };

test('a component with five sources of which four fail is updated from the fifth, and all four reasons are reported', async () => {
  const registry = await npmRegistry({
    forbidden: status(403),
    'login-page': (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Please sign in</title>'),
    sound: { '1.0.0': { at: '2026-01-01T00:00:00.000Z' }, '1.1.0': {} },
  });
  const sources = ['absent', 'forbidden', 'login-page'].map((name) => npm(registry, name));
  const root = makeRoot({
    'components/svc.json': definition({
      sources: [...sources, npm(nobody, 'refused'), npm(registry, 'sound')],
    }),
    'components/edge-node.json': definition({ sources: [npm(registry, 'sound')] }),
    'data/svc.json': { releases: [{ version: '0.9', releaseTimestamp: '2025-01-01' }] },
  });

  const run = await runCli(['gather', '--root', root, ...day]);

  expect(run.status).toBe(0);
  const warnings = linesOf(run.stderr).filter((line) => line.startsWith('warning: svc'));
  expect(warnings).toEqual([
    `warning: svc (npm:absent): GET ${registry.url}absent answered 404. Kept the recorded release.`,
    expect.stringMatching(
      /^warning: svc \(npm:forbidden\): GET .*forbidden answered 403\b.* Kept the recorded release\.$/,
    ),
    expect.stringMatching(
      /^warning: svc \(npm:login-page\): GET .*login-page .*text\/html.* Kept the recorded release\.$/,
    ),
    expect.stringMatching(
      /^warning: svc \(npm:refused\): GET http:\/\/127\.0\.0\.1:9\/refused.* refused.* Kept the recorded release\.$/,
    ),
  ]);
  expect(linesOf(run.stdout)).toEqual([
    'edge-node 1.0.0: new',
    'edge-node 1.1.0: new',
    'svc 1.0.0: new',
    'svc 1.1.0: new',
  ]);
  expect(readJsonIn<RecordedData>(root, 'data/svc.json').releases).toEqual([
    { version: '0.9', releaseTimestamp: '2025-01-01' },
    {
      version: '1.0.0',
      releaseTimestamp: '2026-01-01T00:00:00Z',
      timestampKind: 'published',
      source: 'npm:sound',
      firstSeen: '2026-06-01',
    },
    {
      version: '1.1.0',
      releaseTimestamp: '2026-06-01',
      timestampKind: 'observed',
      source: 'npm:sound',
      firstSeen: '2026-06-01',
    },
  ]);
});

test('a second run asks conditionally and changes no byte of data/', async () => {
  const registry = await npmRegistry({
    one: { '1.0.0': { at: '2026-01-01T00:00:00.000Z' }, '1.0.1': { deprecated: 'use 1.0.0' } },
    two: { '2.0.0': {} },
  });
  const root = makeRoot({
    'components/svc.json': definition({
      sources: [npm(registry, 'one'), npm(registry, 'absent'), npm(nobody, 'refused')],
    }),
    'components/edge-node.json': definition({
      sources: [npm(registry, 'two'), { datasource: 'static', releases: [{ version: '1.0' }] }],
    }),
  });

  const args = ['gather', '--record-freshness', '--root', root, ...day];
  await runCli(args);
  // Hand-written.
  writeIn(root, 'data/svc.json', JSON.stringify(readJsonIn(root, 'data/svc.json')));
  const before = filesIn(`${root}/data`);
  registry.requests.length = 0;
  const again = await runCli(args);

  expect(again.status).toBe(0);
  expect(Object.keys(before)).toEqual([
    'edge-node.json',
    'freshness/edge-node.json',
    'freshness/svc.json',
    'svc.json',
  ]);
  expect(differences(before, filesIn(`${root}/data`))).toEqual([]);
  expect(registry.requests.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: '/absent', status: 404, isConditional: false },
    { path: '/one', status: 304, isConditional: true },
    { path: '/two', status: 304, isConditional: true },
  ]);
});

test('a package from two registries has a different source name for each', async () => {
  const [one, other] = [
    await npmRegistry({ agent: { '1.0.0': { at: '2026-01-01T00:00:00.000Z' } } }),
    await npmRegistry({ agent: { '1.0.0': { at: '2026-02-02T00:00:00.000Z' }, '1.1.0': {} } }),
  ];
  const root = makeRoot({
    'components/svc.json': definition({ sources: [npm(one, 'agent'), npm(other, 'agent')] }),
  });

  const run = await runCli(['gather', '--root', root, ...day]);

  expect(run.status).toBe(0);
  const { releases } = readJsonIn<RecordedData>(root, 'data/svc.json');
  expect(releases.map(({ version, source, alsoListedBy }) => [version, source, alsoListedBy])).toEqual([
    ['1.0.0', 'npm:agent', [`npm:agent at ${other.url}`]],
    ['1.1.0', `npm:agent at ${other.url}`, undefined],
  ]);
  expect(releases[0]!.releaseTimestamp).toBe('2026-01-01T00:00:00Z');
});

test('failures are counted by day, and reset when the source answers', async () => {
  const registry = await npmRegistry({});
  const root = makeRoot({ 'components/svc.json': definition({ sources: [npm(registry, 'agent')] }) });
  const freshness = () => readJsonIn(root, 'data/freshness/svc.json');
  const reason = `GET ${registry.url}agent answered 404`;

  await runCli(['gather', '--record-freshness', '--root', root, '--as-of', '2026-06-01']);
  await runCli(['gather', '--record-freshness', '--root', root, '--as-of', '2026-06-01']);
  expect(freshness()).toEqual({ sources: { 'npm:agent': { failures: 1, failedOn: '2026-06-01', reason } } });

  await runCli(['gather', '--record-freshness', '--root', root, '--as-of', '2026-06-02']);
  expect(freshness()).toEqual({ sources: { 'npm:agent': { failures: 2, failedOn: '2026-06-02', reason } } });

  registry.packages.set('agent', { '1.0.0': {} });
  await runCli(['gather', '--record-freshness', '--root', root, '--as-of', '2026-06-03']);
  expect(freshness()).toEqual({
    checkedOn: '2026-06-03',
    sources: { 'npm:agent': soundOn('2026-06-03') },
  });
});

test('reports the last reason of a day, unless it differs only in duration', async () => {
  const registry = await npmRegistry({ agent: status(403) });
  const root = makeRoot({ 'components/svc.json': definition({ sources: [npm(registry, 'agent')] }) });
  const reason = () =>
    readJsonIn<Freshness>(root, 'data/freshness/svc.json').sources['npm:agent']?.reason ?? 'none';
  await runCli(['gather', '--record-freshness', '--root', root, ...day]);
  expect(reason()).toContain('answered 403');
  registry.packages.set('agent', (_request, response) =>
    response.writeHead(429, { 'retry-after': '3000' }).end(),
  );
  await runCli(['gather', '--record-freshness', '--root', root, ...day]);
  const asked = reason();
  expect(asked).toContain('asks to wait longer than');
  registry.packages.set('agent', (_request, response) =>
    response.writeHead(429, { 'retry-after': '2900' }).end(),
  );

  await runCli(['gather', '--record-freshness', '--root', root, ...day]);

  expect(reason()).toBe(asked);
});

test('with --json there is one document on standard output, and nothing else', async () => {
  const registry = await npmRegistry({ agent: { '1.0.0': {} } });
  const root = makeRoot({
    'components/svc.json': definition({ sources: [npm(registry, 'agent'), npm(registry, 'absent')] }),
  });

  const run = await runCli(['gather', '--root', root, '--json', ...day]);

  expect(run.status).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({
    verb: 'gather',
    asOf: '2026-06-01',
    requests: 2,
    components: [
      {
        component: 'svc',
        releases: 1,
        changes: [{ kind: 'new', version: '1.0.0' }],
        sources: [
          { id: 'npm:agent', kind: 'answered' },
          { id: 'npm:absent', kind: 'failed', reason: `GET ${registry.url}absent answered 404` },
        ],
      },
    ],
  });
});
