import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RecordedFreshness } from '../../../src/core/schemas/recorded/freshness.ts';
import type { RecordedData } from '../../../src/core/schemas/recorded/recorded.ts';
import { linesOf } from '../../harness/cli.ts';
import { npmIndex, status, type Answer } from '../../harness/npm-registry.ts';
import { definition, differences, filesIn, readJsonIn, writeIn } from '../../harness/root.ts';

const day = ['--as-of', '2026-06-01'];

const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/) as string;

/** Nothing listens there. */
const nobody = 'http://127.0.0.1:9/';

test('a component with three failing sources is updated from the fourth, and each reason is reported', async () => {
  const { root, sourceOf, registry, run } = await npmIndex({
    sound: { '1.0.0': { at: '2026-01-01T00:00:00.000Z' }, '1.1.0': {} },
    'login-page': (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Please sign in</title>'),
  });
  const sources = ['absent', 'login-page', 'sound'].map(sourceOf);
  const refused = { ...sourceOf('refused'), registryUrl: nobody };
  rmSync(`${root}/components/login-page.json`);
  writeIn(root, 'components/svc.json', definition({ sources: [refused, ...sources] }));
  writeIn(root, 'data/svc.json', {
    releases: [{ version: '0.9', releaseTimestamp: '2025-01-01' }],
  });

  const { status, stdout, stderr } = await run(['gather', ...day]);

  expect(status).toBe(0);
  expect(linesOf(stderr).filter((line) => line.startsWith('warning: svc'))).toEqual([
    expect.stringMatching(
      /^warning: svc \(npm:refused\): GET http:\/\/127\.0\.0\.1:9\/refused.* refused.* Recorded data stays\.$/,
    ),
    `warning: svc (npm:absent): GET ${registry.url}absent answered 404. Recorded data stays.`,
    expect.stringMatching(
      /^warning: svc \(npm:login-page\): GET .*login-page .*text\/html.* Recorded data stays\.$/,
    ),
  ]);
  expect(linesOf(stdout)).toEqual(
    ['sound 1.0.0', 'sound 1.1.0', 'svc 1.0.0', 'svc 1.1.0'].map((release) => `${release}: new`),
  );
  const first = { source: 'npm:sound', firstSeen: '2026-06-01' };
  expect(readJsonIn<RecordedData>(root, 'data/svc.json').releases).toEqual([
    { version: '0.9', releaseTimestamp: '2025-01-01' },
    {
      version: '1.0.0',
      releaseTimestamp: '2026-01-01T00:00:00Z',
      timestampKind: 'published',
      ...first,
    },
    { version: '1.1.0', releaseTimestamp: '2026-06-01', timestampKind: 'observed', ...first },
  ]);
});

test('gather leaves a file written by hand as it is until its data changes', async () => {
  const { root, run } = await npmIndex({ svc: { '1.0.0': {}, '1.1.0': {} } });
  await run(['gather', ...day]);
  const { releases } = readJsonIn<RecordedData>(root, 'data/svc.json');
  writeIn(root, 'data/svc.json', { releases: releases.toReversed() });
  const before = filesIn(root);

  await run(['gather', '--as-of', '2026-06-02']);

  expect(differences(before, filesIn(root))).toEqual([]);
});

test('a host that fails is one line of the log, and each component of the document of --json has its own reason', async () => {
  const names = ['lib-01', 'lib-02', 'lib-03', 'lib-04', 'lib-05'];
  const { registry, run } = await npmIndex({
    ...Object.fromEntries(names.map((name) => [name, status(403)])),
    other: { '1.0.0': { at: '2026-01-01T00:00:00.000Z' } },
  });
  const { host } = new URL(registry.url);

  const { stdout, stderr } = await run(['gather', ...day, '--json']);

  expect(linesOf(stderr).filter((line) => line.startsWith('warning: '))).toEqual([
    `warning: ${host} answers 403: 5 sources of 5 components failed: lib-01 (npm:lib-01), lib-02 (npm:lib-02), lib-03 (npm:lib-03) and 2 more. ` +
      `For lib-01 (npm:lib-01): GET ${registry.url}lib-01 answered 403. Recorded data stays.`,
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ verb: 'gather', asOf: '2026-06-01', requests: 6 },
    components: [
      ...names.map((name) => ({
        component: name,
        findings: [{ subject: `${name} (npm:${name})` }],
        sources: [{ kind: 'failed', reason: `GET ${registry.url}${name} answered 403` }],
      })),
      { component: 'other', releases: 1, changes: [{ kind: 'new', version: '1.0.0' }] },
    ],
  });
});

test('a second run asks conditionally and changes no byte of data/', async () => {
  const { registry, root, sourceOf, run } = await npmIndex({
    one: { '1.0.0': { at: '2026-01-01T00:00:00.000Z' }, '1.0.1': { deprecated: 'use 1.0.0' } },
    two: { '2.0.0': {} },
  });
  const stated = { datasource: 'static', releases: [{ version: '1.0' }] };
  const refused = { ...sourceOf('refused'), registryUrl: nobody };
  const inComponents = (name: string, ...sources: object[]) =>
    writeIn(root, `components/${name}.json`, definition({ sources }));
  inComponents('one', sourceOf('one'), sourceOf('absent'), refused);
  inComponents('two', sourceOf('two'), stated);

  const args = ['gather', ...day];
  await run(args);
  // Hand-written.
  writeIn(root, 'data/one.json', JSON.stringify(readJsonIn(root, 'data/one.json')));
  const before = filesIn(`${root}/data`);
  registry.requests.length = 0;
  const again = await run(args);

  expect(again.status).toBe(0);
  expect(Object.keys(before)).toEqual([
    'freshness/one.json',
    'freshness/two.json',
    'one.json',
    'two.json',
  ]);
  expect(differences(before, filesIn(`${root}/data`))).toEqual([]);
  expect(registry.requests.map(({ path, status }) => [path, status]).sort()).toEqual([
    ['/absent', 404],
    ['/one', 304],
    ['/two', 304],
  ]);
});

test('a source that fails changes its state once, and again when it answers', async () => {
  const { registry, root, run } = await npmIndex({ agent: status(404) });
  const state = () =>
    readJsonIn<RecordedFreshness>(root, 'data/freshness/agent.json').sources['npm:agent'];
  const reason = `GET ${registry.url}agent answered 404`;
  const gather = (on: string) => run(['gather', '--as-of', on]);

  await gather('2026-06-01');
  await gather('2026-06-02');
  expect(state()).toEqual({ since: '2026-06-01', reason });
  registry.packages.set('agent', { '1.0.0': {} });
  await gather('2026-06-03');
  const answering = {
    since: '2026-06-03',
    definition: fingerprint,
    listed: fingerprint,
  };
  expect(state()).toEqual(answering);
  await gather('2026-06-04');
  expect(state()).toEqual(answering);
  registry.packages.set('agent', status(404));
  await gather('2026-06-05');
  expect(state()).toEqual({
    ...answering,
    since: '2026-06-05',
    reason,
    lastAnswered: '2026-06-03',
  });
});

test('reports the last reason of a day, unless it differs only in duration', async () => {
  const { registry, root, run } = await npmIndex({ agent: status(403) });
  const reasonAfter = async (answer: Answer) => {
    registry.packages.set('agent', answer);
    await run(['gather', ...day]);
    return readJsonIn<RecordedFreshness>(root, 'data/freshness/agent.json').sources['npm:agent']!
      .reason;
  };
  const waiting =
    (seconds: string): Answer =>
    (_request, response) =>
      void response.writeHead(429, { 'retry-after': seconds }).end();

  expect(await reasonAfter(status(403))).toContain('answered 403');
  const asked = await reasonAfter(waiting('3000'));
  expect(asked).toContain('asks to wait longer than');
  expect(await reasonAfter(waiting('2900'))).toBe(asked);
});
