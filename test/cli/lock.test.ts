import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../harness/example.ts';
import { listen } from '../harness/listen.ts';
import { createFolder, openOperatedIndex } from '../harness/operated-index.ts';

test.each(['start', 'daily --skip-publish', 'gather'])(
  'a second run ends, and a killed one blocks nobody: %s',
  async (verb) => {
    const index = await openOperatedIndex();
    const link = join(createFolder(), 'link');
    symlinkSync(index.root, link);
    const start = (root: string) => {
      const args = ['src/cli.js', ...verb.split(' '), '--root', root];
      return spawn(process.execPath, args, { cwd: program, stdio: 'ignore' });
    };
    let second: unknown[] | undefined;
    let left: string | undefined;
    const origin = await listen(async (_, response) => {
      if (second) {
        response.setHeader('content-type', 'application/json').end('{"releases":["1.0"]}');
        return;
      }
      second = await once(start(link), 'exit');
      left = index.git('status', '--porcelain', '--ignored');
      first.kill('SIGKILL');
    });
    index.define('svc', [], { sources: [{ datasource: 'json', url: `${origin}/` }] });
    index.commit();

    const first = start(index.root);

    expect(await once(first, 'exit')).toEqual([null, 'SIGKILL']);
    expect([second, left]).toEqual([[1, null], '']);
    expect(await once(start(index.root), 'exit')).toEqual([0, null]);
  },
);
