import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockCheckout } from '../../src/cli/lock.ts';
import { runCli, spawnCli } from '../harness/cli.ts';
import { createFolder } from '../harness/index-folder.ts';
import { listen } from '../harness/listen.ts';
import { createCopies, openDefined } from '../harness/operated-index.ts';

const open = createCopies(await openDefined([{ version: '1.0' }]));

test('gather rejects a second run during the first, but not after the first run was killed', async () => {
  const index = open();
  const link = join(createFolder(), 'link');
  symlinkSync(index.root, link);
  let second: unknown[] | undefined;
  let left: string | undefined;
  const origin = await listen(async (_, response) => {
    if (second) {
      response.setHeader('content-type', 'application/json').end('{"releases":["1.0"]}');
      return;
    }
    // Use another TMPDIR, as a run in another container would.
    const env = { ...process.env, TMPDIR: createFolder() };
    second = await spawnCli(['gather', '--root', link], { env }).ended;
    left = index.git('status', '--porcelain', '--ignored');
    first.child.kill('SIGKILL');
  });
  index.define('svc', [], { sources: [{ datasource: 'json', url: `${origin}/` }] });
  index.commit();

  const first = spawnCli(['gather', '--root', index.root]);

  expect(await first.ended).toEqual([null, 'SIGKILL']);
  expect([second, left]).toEqual([[1, null], '!! .cache/']);
  expect(await index.run('gather')).toMatchObject({ status: 0 });
});

test('during a run, every other command that writes data fails', async () => {
  const index = open();
  const lock = lockCheckout(index.root);
  const message = 'data: another run is writing it now, so nothing was changed. Try again later';

  for (const verb of ['start', 'gather', 'daily', 'accept x']) {
    expect(await index.run(verb), verb).toMatchObject({ status: 1, stderr: `error: ${message}\n` });
  }
  expect(index.git('status', '--porcelain', '--ignored')).toBe('!! .cache/');
  lock.close();
});

test.each([
  ['.cache', '.cache/lock cannot be locked: EEXIST: file already exists, '],
  ['.cache/lock/folder', '.cache/lock cannot be locked: unable to open database file. Nothing'],
])(
  'gather sends no request if the lock cannot be created: the file %s exists',
  async (path, output) => {
    const index = open();
    index.write(path, '');

    const { status, stderr } = await index.run('gather', '2026-11-20');

    expect([status, stderr]).toEqual([1, expect.stringContaining(`error: ${output}`)]);
    expect(index.requests).toEqual([]);
  },
);

test('gather writes nothing into a folder that is not an index', async () => {
  const root = createFolder();

  expect(await runCli(['gather', '--root', root])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Is this the folder of an index?') as string,
  });
  expect(readdirSync(root)).toEqual([]);
});
