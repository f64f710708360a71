import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import {
  computePublicKey,
  copyFolder,
  createFolder,
  createIndex,
  createSecretKey,
  openIndex,
  publicKey,
  today,
} from '../../harness/index-folder.ts';
import { serveAnswers } from '../../harness/upstream.ts';
import { listen } from '../../harness/listen.ts';

const index = createIndex();
for (const verb of ['build', 'sign']) {
  expect(await index.run(verb)).toMatchObject({ status: 0 });
}
const elsewhere = createFolder();
const otherKey = computePublicKey(createSecretKey());
const keyFile = join(elsewhere, 'key.pub');
writeFileSync(keyFile, `untrusted comment: minisign public key\n${publicKey}\n`);

test.each<[args: string[], status: number, said: string]>([
  [[], 0, 'Signed for https://releases.example.com, with 12 statements about releases.'],
  [['--key', publicKey, '--root', elsewhere], 0, 'with 12 statements'],
  [['--key', keyFile, '--root', elsewhere], 0, 'with 12 statements'],
  [
    ['--digests-only', '--root', elsewhere],
    0,
    'Their origin is unknown: only digests were compared.',
  ],
  [
    ['--root', elsewhere],
    1,
    'no key vouches for it. Give the "signingPublicKey" of its repository',
  ],
  [['--key', otherKey], 1, 'SHA256SUMS.minisig: is by the key '],
  [
    ['--signed-for', 'https://example.org'],
    1,
    'is of https://releases.example.com, not of https://example.org.',
  ],
  [['--as-of', '2026-12-24'], 1, 'To check it for that day: --as-of 2026-11-20'],
  [['--key', 'RW'], 2, 'Expected a public key of minisign, RW and 54 more characters'],
])('verify %j ends with %s', async (args, status, said) => {
  const ended = await index.run('verify', index.out, ...args);

  expect(ended.stdout + ended.stderr).toContain(said);
  expect(ended.status).toBe(status);
});

test('the key never comes from the site that it judges', async () => {
  const forged = openIndex(copyFolder(index.root));
  forged.edit('site/site.json', (settings) => (settings.signingPublicKey = otherKey));
  writeFileSync(join(forged.out, 'signing-key.pub'), otherKey);

  expect((await forged.run('verify', index.out)).status).toBe(1);
  expect((await index.run('verify', forged.out)).stderr).toContain('signing-key.pub: ');
});

test('an address without an answer is exit status 3, one without a site 1', async () => {
  const url = await serveAnswers({});

  const silent = await runCli(['verify', 'http://127.0.0.1:1', '--key', publicKey]);
  const empty = await runCli(['verify', url, '--key', publicKey]);

  expect(silent.stderr).toContain('http://127.0.0.1:1/SHA256SUMS: cannot be read: ');
  expect(silent.status).toBe(3);
  expect(empty.stderr).toContain('SHA256SUMS: is missing.');
  expect(empty.status).toBe(1);
});

test('an address is asked through the proxy of the environment', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer().on('connect', ({ url }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  const HTTPS_PROXY = await listen(proxy);

  const cli = resolve(import.meta.dirname, '../../../src/cli.js');
  const args = [cli, 'verify', 'https://releases.example.com', '--key', publicKey];
  const env = { ...process.env, HTTPS_PROXY, NO_PROXY: '' };
  const [status] = (await once(
    spawn(process.execPath, [...args, '--as-of', today], { env, stdio: 'ignore' }),
    'close',
  )) as [number];

  expect(asked).toContain('releases.example.com:443');
  expect(status).toBe(3);
});
