import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { Freshness } from '../../../src/core/schemas/recorded/freshness.ts';
import type { RecordedData } from '../../../src/core/schemas/recorded/recorded.ts';
import { lock } from '../../../src/io/files/lock.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { saveGathered } from '../../../src/record/gather/save-gathered.ts';
import { checkout } from '../../harness/checkout.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { npmIndex, packument, silence, type Answer } from '../../harness/npm-registry.ts';
import { unprivileged } from '../../harness/permissions.ts';
import { definition, filesIn, makeRoot, pathsIn, readJsonIn, writeIn } from '../../harness/root.ts';
import { answer } from '../../harness/upstream.ts';

const gather = ['gather', '--as-of', '2026-06-01'];
const old = { releases: [{ version: '0.9' }] };

function versionsIn(root: string, component: string): string[] {
  return readJsonIn<RecordedData>(root, `data/${component}.json`).releases.map(
    ({ version }) => version,
  );
}

/** A package with these versions and one more for each request. */
function growing(common: readonly string[]): Answer {
  let asked = 0;
  return (request, response) => {
    asked += 1;
    const versions = Object.fromEntries(
      [...common, `1.${asked}.0`].map((version) => [version, {}]),
    );
    answer(
      response,
      200,
      'application/json',
      JSON.stringify(packument(request.url!.slice(1), versions)),
    );
  };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends a run with %i: finished components are saved, and stuck ones delay no other',
  async (signal, status) => {
    const stuck = Array.from({ length: 250 }, (_, index) => `a${index}`);
    const slow = await npmIndex(Object.fromEntries(stuck.map((name) => [name, silence])), {
      'data/a0.json': old,
    });
    const quick = await npmIndex({ svc: { '1.0.0': {} } });
    const { root } = slow;
    writeIn(root, 'components/svc.json', definition({ sources: [quick.sourceOf('svc')] }));
    const before = readFileSync(`${root}/data/a0.json`, 'utf8');
    let isInterrupted = false;

    const run = await slow.run([...gather], {
      onStderr(text, child) {
        if (isInterrupted || !text.includes('gather 1/251 svc\n')) {
          return;
        }
        isInterrupted = true;
        child.kill(signal);
      },
    });

    expect(run).toMatchObject({ status, signal: null });
    expect(linesOf(run.stderr).at(-1)).toBe(
      'warning: gather: stopped after 1 of 251 components. Finished components are saved.',
    );
    expect(run.stderr).not.toContain('    at ');
    expect(versionsIn(root, 'svc')).toEqual(['1.0.0']);
    expect(readFileSync(`${root}/data/a0.json`, 'utf8')).toBe(before);
    expect(pathsIn(`${root}/data`)).toEqual(['a0.json', 'freshness/svc.json', 'svc.json']);
  },
);

test('the cause of a failure is the host and how it fails', async () => {
  const index = await npmIndex({
    a: (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome</p>'),
    b: (_, response) => response.writeHead(401).end(),
  });

  await index.run([...gather]);

  const causes = ['a', 'b'].map((name) => {
    const { sources } = readJsonIn<Freshness>(index.root, `data/freshness/${name}.json`);
    return Object.values(sources)[0]!.cause?.replace(/:\d+/, '');
  });
  expect(causes).toEqual(['127.0.0.1 sends other content', '127.0.0.1 answers 401']);
});

test('concurrent runs lose none of their results', async () => {
  const common = Array.from({ length: 30 }, (_, index) => `2.${index}.0`);
  const names = ['a', 'b', 'c', 'd'];
  const index = await npmIndex(Object.fromEntries(names.map((name) => [name, growing(common)])));

  const runs = await Promise.all([1, 2, 3].map(() => index.run(gather)));

  expect(runs.map(({ status }) => status)).toEqual([0, 0, 0]);
  for (const name of names) {
    expect(versionsIn(index.root, name)).toEqual(['1.1.0', '1.2.0', '1.3.0', ...common]);
  }
});

test('a run that is suspended until its lock has expired loses nothing that another has recorded', async () => {
  const root = openRoot(
    makeRoot({ 'components/svc.json': definition(), 'data/svc.json': old }),
    checkout,
  );
  const rest = {
    component: 'svc',
    ...{ before: old, changes: [], sources: [], findings: [] },
    rejectedDays: new Map(),
    shortLists: [],
    decisions: [],
    expectedLosses: [],
    ...{ advisories: undefined, lines: undefined },
  };
  let attempts = 0;
  await lock(root, 'data');
  utimesSync(`${root.dir}/.cache/data.lock`, 0, 0);

  await saveGathered({ root }, 'svc', ({ releases, freshness }) => {
    attempts += 1;
    if (attempts === 1) {
      writeIn(root.dir, 'data/svc.json', { releases: [...releases, { version: '1.0' }] });
    }
    return { ...rest, freshness, releases: [...releases, { version: '1.1' }] };
  });

  expect([attempts, versionsIn(root.dir, 'svc')]).toEqual([2, ['0.9', '1.0', '1.1']]);
});

test('a recorded file that is damaged during a run is not overwritten', async () => {
  const conflict = '<<<<<<< HEAD\n{"releases":[]}\n';
  const { root, run } = await npmIndex(
    {
      'edge-node': { '2.0.0': {} },
      svc: (_request, response) => {
        writeFileSync(`${root}/data/svc.json`, conflict);
        answer(
          response,
          200,
          'application/json',
          JSON.stringify(packument('svc', { '1.0.0': {} })),
        );
      },
    },
    { 'data/svc.json': old },
  );

  const { status, stderr } = await run(gather);

  expect(status).toBe(1);
  expect(linesOf(stderr)).toContain(
    "error: data/svc.json: line 1: an unfinished merge of git. Keep the published branch's version of the file, then run: npx release-index gather svc",
  );
  expect(readFileSync(`${root}/data/svc.json`, 'utf8')).toBe(conflict);
  expect(versionsIn(root, 'edge-node')).toEqual(['2.0.0']);
});

if (!unprivileged) {
  console.log('Nothing is read-only to this user: the tests of read-only files are skipped.');
}

test.skipIf(!unprivileged)(
  'a read-only data/ is named at once, before anything is asked, and changes nothing',
  async () => {
    const { registry, root, run } = await npmIndex(
      { svc: { '1.0.0': {} } },
      { 'data/svc.json': old },
    );
    const before = filesIn(`${root}/data`);
    chmodSync(`${root}/data`, 0o555);

    const { status, stderr } = await run(gather, { through: unprivileged! });
    chmodSync(`${root}/data`, 0o755);

    expect(status).toBe(1);
    expect(linesOf(stderr)).toEqual([
      `error: ${root}/data: cannot be written: permission denied. No source was asked`,
    ]);
    expect([registry.requests, filesIn(`${root}/data`)]).toEqual([[], before]);
  },
);

test('a full disk leaves the complete old file and no temporary file', async (context) => {
  const versions = Array.from({ length: 1500 }, (_, index) => [`1.${index}.0`, {}] as const);
  const { root, run } = await npmIndex({ svc: Object.fromEntries(versions) });
  mkdirSync(`${root}/data`);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', `${root}/data`]);
  if (mounted.status !== 0) {
    console.log(`Skipped: no small disk can be mounted here. ${String(mounted.stderr)}`);
    context.skip();
  }
  onTestFinished(() => void spawnSync('umount', [`${root}/data`]));
  writeIn(root, 'data/svc.json', old);

  const { status, stderr } = await run(gather);

  expect(status).toBe(1);
  expect(linesOf(stderr).filter((line) => line.startsWith('error'))).toEqual([
    `error: svc: ${root}/data/svc.json: no space left on device. Not saved; what was recorded before is unchanged.`,
  ]);
  expect(readJsonIn(root, 'data/svc.json')).toEqual(old);
  expect(pathsIn(`${root}/data`)).toEqual(['svc.json']);
});

test('the next run removes temporary files of a killed run in data/', async () => {
  const root = makeRoot({
    'components/svc.json': definition(),
    'data/.svc.json.saving-4711': '{"relea',
    'data/freshness/.svc.json.saving-4711': '',
    'data/.keep': '',
  });

  const run = await runCli([...gather, '--root', root]);

  expect(run.status).toBe(0);
  expect(pathsIn(`${root}/data`)).toEqual(['.keep', 'svc.json']);
});
