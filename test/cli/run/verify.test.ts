import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSigningKey } from '../../../src/publish/minisign.ts';
import {
  copyFolder,
  createFolder,
  createIndex,
  openIndex,
  publicKey,
} from '../../harness/index-folder.ts';
import { createSecretKey } from '../../harness/minisign-keys.ts';

const index = createIndex();
await index.prepare('build', 'sign');
const elsewhere = createFolder();
const { publicKey: otherKey } = readSigningKey(createSecretKey());
const keyFile = join(elsewhere, 'key.pub');
writeFileSync(keyFile, `untrusted comment: minisign public key\n${publicKey}\n`);

test.each([
  ['', 0, 'Signed for https://releases.example.com, with 12 statements about releases.'],
  [`--key ${keyFile} --root ${elsewhere}`, 0, 'with 12 statements'],
  [`--digests-only --root ${elsewhere}`, 0, 'Their origin is unknown: only digests were compared.'],
  [`--root ${elsewhere}`, 1, 'no key vouches for it. Give the "signingPublicKey"'],
  ['--signed-for https://a.example', 1, 'is of https://releases.example.com, not of https://a.'],
  ['--as-of 2026-12-24', 1, 'To check it for that day: --as-of 2026-11-20'],
  ['--key RW', 2, 'Expected a public key of minisign, RW and 54 more characters'],
  ['http://127.0.0.1:1', 3, 'http://127.0.0.1:1/SHA256SUMS: cannot be read: '],
])('verify %s ends with %i', async (line, status, said) => {
  const args = line.split(' ').filter(Boolean);

  const ended = await index.run('verify', ...(line.startsWith('http') ? [] : [index.out]), ...args);

  expect(ended.stdout + ended.stderr).toContain(said);
  expect(ended.status).toBe(status);
});

test('the key never comes from the site that it judges', async () => {
  const forged = openIndex(copyFolder(index.root));
  forged.edit('site/site.json', { signingPublicKey: otherKey });
  writeFileSync(join(forged.out, 'signing-key.pub'), otherKey);

  expect((await forged.run('verify', index.out)).status).toBe(1);
  expect((await index.run('verify', forged.out)).stderr).toContain('signing-key.pub: ');
});
