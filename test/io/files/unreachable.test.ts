import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linesOf, runCli } from '../../harness/cli.ts';
import { unprivileged } from '../../harness/permissions.ts';
import { definition, makeRoot, pathsIn, writeIn } from '../../harness/root.ts';

const recorded = { releases: [{ version: '1.0' }] };

function rootOfTwo(): string {
  return makeRoot({
    'components/cli.json': definition(),
    'components/svc.json': definition(),
    'data/cli.json': recorded,
  });
}

describe.each(['build', 'check', 'gather'])('%s does not treat as empty', (verb) => {
  const entries = [
    {
      name: 'a recorded file that is a link to nowhere',
      make: (path: string) => symlinkSync('nowhere', path),
      says: 'it is a link to nowhere, which does not exist',
    },
    {
      name: 'a recorded file whose links form a circle',
      make: (path: string) => symlinkSync('svc.json', path),
      says: 'too many symbolic links encountered',
    },
    {
      name: 'a pipe, which it would wait for',
      make: (path: string) => execFileSync('mkfifo', [path]),
      says: 'it is a folder, a device, a pipe or a socket, not a regular file',
    },
    {
      name: 'a device without an end',
      make: (path: string) => symlinkSync('/dev/zero', path),
      says: 'it is a folder, a device, a pipe or a socket, not a regular file',
    },
  ];

  test.skipIf(process.platform === 'win32').each(entries)('$name', async ({ make, says }) => {
    const root = rootOfTwo();
    make(join(root, 'data/svc.json'));

    const run = await runCli([verb, '--root', root]);

    expect(run.status).toBe(1);
    expect(linesOf(run.stderr).filter((line) => line.startsWith('error'))).toEqual([
      `error: data/svc.json: cannot be read: ${says}. The file was left as it is`,
    ]);
  });

  test('a folder that is a broken link', async () => {
    const root = rootOfTwo();
    rmSync(join(root, 'data'), { recursive: true });
    symlinkSync('nowhere', join(root, 'data'));

    const run = await runCli([verb, '--root', root]);

    expect(run.status).toBe(1);
    expect(run.stderr).toContain(`${root}/data`);
    expect(run.stderr).toContain('is a link to nowhere, which does not exist.');
  });

  test('a definition that is a broken link', async () => {
    const root = rootOfTwo();
    symlinkSync('nowhere', join(root, 'components/edge.json'));

    const run = await runCli([verb, '--root', root]);

    expect(run.status).toBe(1);
    expect(linesOf(run.stderr)).toContain(
      'error: components/edge.json: cannot be read: it is a link to nowhere, which does not exist',
    );
  });

  test.skipIf(!unprivileged)('a link into a folder without permission', async () => {
    const root = rootOfTwo();
    writeIn(root, 'secret/svc.json', recorded);
    symlinkSync('../secret/svc.json', join(root, 'data/svc.json'));
    chmodSync(join(root, 'secret'), 0);

    const run = await runCli([verb, '--root', root], { through: unprivileged! });
    chmodSync(join(root, 'secret'), 0o755);

    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(
      /^error: data\/svc\.json: cannot be read: permission denied\. The file was left as it is$/m,
    );
  });
});

test('reports an output folder that is a broken link, and writes nothing', async () => {
  const root = rootOfTwo();
  symlinkSync('nowhere', join(root, 'dist'));

  const run = await runCli(['build', '--root', root]);

  expect(run.status).toBe(1);
  expect(run.stderr).toBe(
    `error: release-index: ${root}/dist: it is a link to nowhere, which does not exist. Earlier content is unchanged.\n`,
  );
});

test.skipIf(!unprivileged)('a read-only root is reported in a sentence', async () => {
  const root = rootOfTwo();
  const before = pathsIn(root);
  chmodSync(root, 0o555);

  const built = await runCli(['build', '--root', root], { through: unprivileged! });
  const gathered = await runCli(['gather', '--root', root], { through: unprivileged! });
  chmodSync(root, 0o755);

  expect([built.status, gathered.status]).toEqual([1, 1]);
  expect(built.stderr).toBe(
    `error: release-index: ${root}: permission denied. Earlier content is unchanged.\n`,
  );
  expect(gathered.stderr).toBe(
    `error: release-index: ${root}/.cache: permission denied. Earlier content is unchanged.\n`,
  );
  expect(pathsIn(root)).toEqual(before);
});

test.skipIf(process.platform !== 'linux')('a folder where nothing can be made is reported, too', async () => {
  const run = await runCli(['schemas', '/proc/x']);

  expect(run).toMatchObject({ status: 1, signal: null });
  expect(run.stderr).toContain('/proc/x: no such file or directory');
});

test('rejects a component name that is an invalid file name, on every system', async () => {
  const long = 'x'.repeat(201);
  const names = ['con', 'nul', 'com1', 'search', long];
  const root = makeRoot(
    Object.fromEntries(
      [...names, 'x'.repeat(200), 'console'].map((name) => [`components/${name}.json`, definition()]),
    ),
  );
  mkdirSync(join(root, 'data'));

  const run = await runCli(['check', '--root', root]);

  expect(run.status).toBe(1);
  expect(linesOf(run.stderr).toSorted()).toEqual([
    ...['com1', 'con', 'nul'].map(
      (name) =>
        `error: components/${name}.json: Windows cannot have a file of the name "${name}", which is a device there; rename the component`,
    ),
    'error: components/search.json: the name "search" belongs to a published path; rename the component',
    `error: components/${long}.json: expected a name of at most 200 characters; got 201`,
  ]);
});
