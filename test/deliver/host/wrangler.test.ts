import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { cloudflare } from '../../../src/deliver/host/cloudflare.ts';
import { describeHosting } from '../../../src/deliver/host/worker-config.ts';
import { openWorkspace } from '../../../src/deliver/host/wrangler.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { mountFullDisk } from '../../harness/full-disk.ts';
import { createRoot, temporaryFolder } from '../../harness/root.ts';

const { execPath } = process;

afterEach(() => {
  process.execPath = execPath;
});

/** Deploys with this shell script in place of wrangler: `$3` and `$4` are its command. */
async function deploy(script: string, apiToken = 'token', objection?: string) {
  const program = join(temporaryFolder(), 'wrangler.sh');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  process.execPath = program;

  const { dir } = createRoot();
  return cloudflare.deploy({
    root: openRoot(dir, checkout),
    out: join(dir, 'dist'),
    env: {
      ...process.env,
      CLOUDFLARE_API_TOKEN: apiToken,
      CLOUDFLARE_ACCOUNT_ID: 'account',
    },
    hosting: describeHosting('http://127.0.0.1:1'),
    secrets: { KEYS: '[]' },
    message: 'Release index as of 2026-11-20',
    isFirst: true,
    signal: new AbortController().signal,
    findObjection: async () => objection,
  });
}

test('a workspace that finds no room on the disk leaves no folder', (context) => {
  const { dir } = createRoot();
  const parent = join(dir, '.cache/wrangler');
  mountFullDisk(parent, context);
  const input = { hosting: describeHosting('http://127.0.0.1:1'), out: join(dir, 'dist') };

  expect(() => openWorkspace(openRoot(dir, checkout), input)).toThrow('no space left on device');
  expect(readdirSync(parent)).toEqual(['other']);
});

const noWorker = '[ "$3" = deploy ] || { echo "This Worker does not yet exist"; exit 1; }';
const sent = 'echo "Sent"';

test('a first deployment that does not name its version is live', async () => {
  expect(await deploy(`${noWorker}\n${sent}`)).toEqual({
    kind: 'live',
    versionId: undefined,
  });
});

test('a first deployment is not made against an objection', async () => {
  expect(await deploy(`${noWorker}\n${sent}`, 'token', 'Another publication is newer.')).toEqual({
    kind: 'failed',
    reason: 'Another publication is newer.',
  });
});

test('a first deployment that fails may be live', async () => {
  const event = '{"type":"deploy","version_id":"v1"}';

  expect(
    await deploy(
      `${noWorker}\n${sent}\necho '${event}' > "$WRANGLER_OUTPUT_FILE_PATH"\necho "No route"\nexit 1`,
    ),
  ).toEqual({ kind: 'uncertain', reason: 'No route.', versionId: 'v1' });
});

test('the note of the host and the remedy are sentences of their own', async () => {
  const deployment = await deploy(
    `${noWorker}\n${sent}\necho "Authentication error [code: 10000]"\necho "No route"\nexit 1`,
  );

  expect(deployment).toMatchObject({
    reason: expect.stringContaining('No route. Authentication error (code 10000). CLOUDFLARE_API_'),
  });
});

test('a Worker that serves something else gets no secrets', async () => {
  const event = '{"type":"version-upload","version_id":"v1"}';
  const refuseSecrets = 'case "$*" in *--secrets-file*) echo "Got secrets"; exit 1; esac';

  expect(
    await deploy(`${refuseSecrets}\necho '${event}' > "$WRANGLER_OUTPUT_FILE_PATH"`),
  ).toMatchObject({ kind: 'failed', reason: expect.stringContaining('serves something else') });
});

test('an upload that does not name its version leaves the old one live', async () => {
  expect(await deploy(sent)).toEqual({
    kind: 'failed',
    reason: 'wrangler did not name the new version.',
  });
});

test('the reason of a failure is not the note about a log that is removed', async () => {
  const log = '🪵  Logs were written to \\"$WRANGLER_LOG_PATH/wrangler.log\\"';

  expect(await deploy(`echo "Unknown argument: x"; echo "${log}"; exit 1`)).toEqual({
    kind: 'failed',
    reason: 'Unknown argument: x.',
  });
});

test('a run without a token has its reason unchanged', async () => {
  expect(await deploy('echo "No token"; exit 1', '')).toEqual({
    kind: 'failed',
    reason: 'No token.',
  });
});

test('a line of output that was cut off is skipped', async () => {
  const lines = '{"type":"command-failed","message":"no space"}\\n{"type":"version-up';

  expect(await deploy(`printf '${lines}' > "$WRANGLER_OUTPUT_FILE_PATH"; exit 1`)).toEqual({
    kind: 'failed',
    reason: 'no space.',
  });
});

test('no part of the token is in the reason of a failure, also where a long message is cut', async () => {
  const token = 'secret'.repeat(10);
  const event = JSON.stringify({ type: 'command-failed', message: `${'x'.repeat(970)} ${token}` });

  const { reason } = (await deploy(
    `echo '${event}' > "$WRANGLER_OUTPUT_FILE_PATH"; exit 1`,
    token,
  )) as { reason: string };
  expect(reason).toContain('(token)');
  expect(reason).not.toContain('secret');
});
