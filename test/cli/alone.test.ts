import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { listen } from '../harness/listen.ts';
import { createFolder, openOperatedIndex } from '../harness/operated-index.ts';

test.each([
  ['start', process.platform],
  ['daily', process.platform],
  ['gather', 'darwin'],
])('a second run ends, and a killed one blocks nobody: %s, %s', async (verb, platform) => {
  const index = await openOperatedIndex();
  const link = join(createFolder(), 'link');
  symlinkSync(index.root, link);
  const set = `Object.defineProperty(process, 'platform', { value: '${platform}' })`;
  const start = (root: string) => {
    const args = ['--import', `data:text/javascript,${set}`, 'src/cli.js', verb, '--root', root];
    return spawn(process.execPath, verb === 'daily' ? [...args, '--skip-publish'] : args, {
      cwd: resolve(import.meta.dirname, '../..'),
      stdio: 'ignore',
    });
  };
  let second: Promise<unknown[]> | undefined;
  let left: string | undefined;
  const origin = await listen((_, response) => {
    if (second) {
      response.setHeader('content-type', 'application/json').end('{"releases":["1.0"]}');
      return;
    }
    second = once(start(link), 'exit');
    void second.then(() => {
      left = index.git('status', '--porcelain', '--ignored');
      first.kill('SIGKILL');
    });
  });
  index.define('svc', [], { sources: [{ datasource: 'json', url: `${origin}/` }] });
  index.commit();

  const first = start(index.root);

  expect(await once(first, 'exit')).toEqual([null, 'SIGKILL']);
  expect([await second, left]).toEqual([[1, null], '']);
  expect(await once(start(index.root), 'exit')).toEqual([0, null]);
});
