import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RecordedData } from '../../../src/core/schemas/recorded.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { npmRegistry, silence, type Answer, type NpmRegistry } from '../../harness/npm-registry.ts';
import { unprivileged } from '../../harness/permissions.ts';
import { definition, filesIn, makeRoot, pathsIn, readJsonIn, writeIn } from '../../harness/root.ts';

const day = ['--as-of', '2026-06-01'];

function componentOf(registry: NpmRegistry, packageName: string): object {
  return definition({ sources: [{ datasource: 'npm', packageName, registryUrl: registry.url }] });
}

function versionsIn(root: string, component: string): string[] {
  return readJsonIn<RecordedData>(root, `data/${component}.json`).releases.map(({ version }) => version);
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends a run cleanly with %i: what is finished is kept, and what was under way has not failed',
  async (signal, status) => {
    const registry = await npmRegistry({ quick: { '1.0.0': {} }, slow: silence });
    const root = makeRoot({
      'components/edge-node.json': componentOf(registry, 'quick'),
      'components/svc.json': componentOf(registry, 'slow'),
      'data/svc.json': { releases: [{ version: '0.9' }] },
    });
    const before = readFileSync(`${root}/data/svc.json`, 'utf8');
    let isInterrupted = false;

    const run = await runCli(['gather', '--record-freshness', '--root', root, ...day], {
      onStderr(text, child) {
        if (isInterrupted || !text.includes('edge-node: 1 release')) return;
        isInterrupted = true;
        child.kill(signal);
      },
    });

    expect(run).toMatchObject({ status, signal: null });
    expect(linesOf(run.stderr).at(-1)).toBe(
      'warning: gather: stopped after 1 of 2 components. Finished components are saved.',
    );
    expect(run.stderr).not.toContain('    at ');
    expect(versionsIn(root, 'edge-node')).toEqual(['1.0.0']);
    expect(readFileSync(`${root}/data/svc.json`, 'utf8')).toBe(before);
    expect(pathsIn(`${root}/data`)).toEqual(['edge-node.json', 'freshness/edge-node.json', 'svc.json']);
  },
);

test('concurrent runs lose none of their results', async () => {
  const common = Array.from({ length: 30 }, (_, index) => `2.${index}.0`);
  let asked = 0;
  const differently: Answer = (_request, response) => {
    asked += 1;
    const listed = [...common, `1.${asked}.0`];
    const document = { name: 'agent', versions: Object.fromEntries(listed.map((version) => [version, {}])) };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  };
  const registry = await npmRegistry({ agent: differently });
  const names = ['a', 'b', 'c', 'd'];
  const root = makeRoot(
    Object.fromEntries(names.map((name) => [`components/${name}.json`, componentOf(registry, 'agent')])),
  );

  const runs = await Promise.all([1, 2, 3].map(() => runCli(['gather', '--root', root, ...day])));

  expect(runs.map(({ status }) => status)).toEqual([0, 0, 0]);
  for (const name of names) {
    expect(versionsIn(root, name)).toEqual(['1.1.0', '1.2.0', '1.3.0', ...common]);
  }
});

test('a recorded file that is damaged during a run is not overwritten', async () => {
  let breakIt: (() => void) | undefined;
  const registry = await npmRegistry({
    agent: (_request, response) => {
      breakIt?.();
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"name":"agent","versions":{"1.0.0":{}}}');
    },
    other: { '2.0.0': {} },
  });
  const root = makeRoot({
    'components/edge-node.json': componentOf(registry, 'other'),
    'components/svc.json': componentOf(registry, 'agent'),
    'data/svc.json': { releases: [{ version: '0.9' }] },
  });
  const conflict = '<<<<<<< HEAD\n{"releases":[]}\n';
  breakIt = () => writeFileSync(`${root}/data/svc.json`, conflict);

  const run = await runCli(['gather', '--root', root, ...day]);

  expect(run.status).toBe(1);
  expect(linesOf(run.stderr)).toContain(
    "error: data/svc.json: line 1: an unfinished merge of git. Keep the published branch's version of the file, then run: npx release-index gather svc. The file was left as it is",
  );
  expect(readFileSync(`${root}/data/svc.json`, 'utf8')).toBe(conflict);
  expect(versionsIn(root, 'edge-node')).toEqual(['2.0.0']);
});

if (!unprivileged)
  console.log('Nothing is read-only to this user: the test with a read-only data/ is skipped.');

test.skipIf(!unprivileged)(
  'a read-only data/ is named at once, before anything is asked, and changes nothing',
  async () => {
    const registry = await npmRegistry({ agent: { '1.0.0': {} } });
    const root = makeRoot({
      'components/edge-node.json': componentOf(registry, 'agent'),
      'components/svc.json': componentOf(registry, 'agent'),
      'data/svc.json': { releases: [{ version: '0.9' }] },
    });
    const before = filesIn(`${root}/data`);
    chmodSync(`${root}/data`, 0o555);

    const run = await runCli(['gather', '--root', root, ...day], { through: unprivileged! });
    chmodSync(`${root}/data`, 0o755);

    expect(run.status).toBe(1);
    expect(linesOf(run.stderr)).toEqual([
      `error: ${root}/data: cannot be written: permission denied. No source was asked`,
    ]);
    expect(registry.requests).toEqual([]);
    expect(filesIn(`${root}/data`)).toEqual(before);
  },
);

test.skipIf(!unprivileged)('a component that cannot be saved does not affect others', async () => {
  const registry = await npmRegistry({ agent: { '1.0.0': {} } });
  const root = makeRoot(
    Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [`components/${name}.json`, componentOf(registry, 'agent')]),
    ),
  );
  writeIn(root, 'elsewhere/b.json', { releases: [] });
  mkdirSync(`${root}/data`);
  symlinkSync('../elsewhere/b.json', `${root}/data/b.json`);
  chmodSync(`${root}/elsewhere`, 0o555);

  const run = await runCli(['gather', '--root', root, ...day, '--json'], { through: unprivileged! });
  chmodSync(`${root}/elsewhere`, 0o755);

  expect(run.status).toBe(1);
  expect(JSON.parse(run.stdout)).toMatchObject({
    components: [{ component: 'a' }, { component: 'c' }],
    findings: [
      {
        subject: 'b',
        message: `${root}/elsewhere/b.json: permission denied. Not saved; what was recorded before is unchanged.`,
      },
    ],
  });
  expect(['a', 'b', 'c'].map((name) => versionsIn(root, name))).toEqual([['1.0.0'], [], ['1.0.0']]);
});

/** Runs a command with data/ on a nearly full disk, and copies the disk's content at the end. */
function smallDisk(root: string): string[] {
  const script =
    'mount -t tmpfs -o size=64k none "$0/data" && cp "$0/before.json" "$0/data/svc.json" && "$@"; ' +
    'status=$?; cp -r "$0/data" "$0/after"; exit $status';
  return ['unshare', '--mount', '--map-root-user', 'sh', '-c', script, root];
}

function canMount(): boolean {
  const root = mkdtempSync(join(tmpdir(), 'release-index-'));
  try {
    mkdirSync(`${root}/data`);
    writeFileSync(`${root}/before.json`, '');
    const [command, ...rest] = smallDisk(root);
    execFileSync(command!, [...rest, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const hasSmallDisk = canMount();
if (!hasSmallDisk) console.log('No disk of its own can be mounted here: the test of a full disk is skipped.');

test.skipIf(!hasSmallDisk)('a full disk leaves the complete old file and no temporary file', async () => {
  const versions = Array.from({ length: 1500 }, (_, index) => `1.${index}.0`);
  const registry = await npmRegistry({ agent: Object.fromEntries(versions.map((version) => [version, {}])) });
  const before = { releases: [{ version: '0.9' }] };
  const root = makeRoot({ 'components/svc.json': componentOf(registry, 'agent'), 'before.json': before });
  mkdirSync(`${root}/data`);

  const run = await runCli(['gather', '--root', root, ...day], { through: smallDisk(root) });

  expect(run.status).toBe(1);
  expect(linesOf(run.stderr).filter((line) => line.startsWith('error'))).toEqual([
    `error: svc: ${root}/data/svc.json: no space left on device. Not saved; what was recorded before is unchanged.`,
  ]);
  expect(readJsonIn(root, 'after/svc.json')).toEqual(before);
  expect(pathsIn(`${root}/after`)).toEqual(['svc.json']);
});

test('the next run removes temporary files of a killed run in data/', async () => {
  const root = makeRoot({
    'components/svc.json': definition(),
    'data/.svc.json.saving-4711': '{"relea',
    'data/freshness/.svc.json.saving-4711': '',
    'data/.keep': '',
  });

  const run = await runCli(['gather', '--root', root, ...day]);

  expect(run.status).toBe(0);
  expect(pathsIn(`${root}/data`)).toEqual(['.keep', 'svc.json']);
});
