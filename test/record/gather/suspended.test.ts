import { existsSync, utimesSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RecordedData } from '../../../src/core/schemas/recorded.ts';
import { runCli } from '../../harness/cli.ts';
import { npmRegistry, type Answer } from '../../harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';

/** Stops the loading process during its first save, after flushing and before renaming. */
const stopper = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { fsyncSync } = fs;
fs.fsyncSync = (file) => {
  fsyncSync(file);
  if (fs.existsSync(process.env.STOPPED)) return;
  fs.writeFileSync(process.env.STOPPED, '');
  process.kill(process.pid, 'SIGSTOP');
};
syncBuiltinESMExports();
`;

test.skipIf(process.platform === 'win32')(
  'a run that is suspended while it saves, until its lock has expired, loses nothing that another has recorded',
  async () => {
    let asked = 0;
    const differently: Answer = (_request, response) => {
      asked += 1;
      const versions = { '1.0.0': {}, [`1.${asked}.0`]: {} };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ name: 'agent', versions }));
    };
    const registry = await npmRegistry({ agent: differently });
    const sources = [{ datasource: 'npm', packageName: 'agent', registryUrl: registry.url }];
    const root = makeRoot({ 'components/svc.json': definition({ sources }), 'stopper.mjs': stopper });
    const command = ['gather', '--root', root, '--as-of', '2026-06-01'];
    let suspended: ChildProcess | undefined;

    const first = runCli(command, {
      env: { NODE_OPTIONS: `--import=${root}/stopper.mjs`, STOPPED: `${root}/stopped` },
      onStart: (child) => (suspended = child),
    });
    while (!existsSync(`${root}/stopped`)) await sleep(20);
    // As after a long suspension.
    utimesSync(`${root}/.cache/data.lock`, 0, 0);
    const second = await runCli(command);
    suspended!.kill('SIGCONT');
    const resumed = await first;

    expect(second.status).toBe(0);
    expect(resumed, resumed.stderr).toMatchObject({
      status: 0,
      stderr: expect.not.stringContaining('    at '),
    });
    const { releases } = readJsonIn<RecordedData>(root, 'data/svc.json');
    expect(releases.map(({ version }) => version)).toEqual(['1.0.0', '1.1.0', '1.2.0']);
  },
  60_000,
);
