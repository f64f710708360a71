import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles, sha256 } from '../../../src/core/files.ts';
import { formatDigests } from '../../../src/core/sha256sums.ts';
import { readSigningKey, signFile } from '../../../src/publish/minisign.ts';
import { runCli } from '../../harness/cli.ts';
import {
  copyFolder,
  createFolder,
  createIndex,
  enterFolder,
  openIndex,
  publicKey,
} from '../../harness/index-folder.ts';
import { createSecretKey } from '../../harness/minisign-keys.ts';

const index = createIndex();
await index.prepare('build', 'sign');
const elsewhere = createFolder();
const otherSecretKey = createSecretKey();
const { publicKey: otherKey } = readSigningKey(otherSecretKey);
const keyFile = join(elsewhere, 'key.pub');
writeFileSync(keyFile, `untrusted comment: minisign public key\n${publicKey}\n`);

test.each([
  [
    '',
    0,
    `Signed for https://releases.example.com by the key ${publicKey} of ${index.root}/site/site.json, with 12 statements about releases.`,
  ],
  [`--key ${keyFile} --root ${elsewhere}`, 0, `by the key ${publicKey} of ${keyFile}, with 12 `],
  [`--key ${publicKey} --root ${elsewhere}`, 0, `by the key ${publicKey} of --key, with 12 `],
  [
    `--digests-only --root ${elsewhere}`,
    0,
    'Only digests were compared, so the origin of the site is unproven.',
  ],
  [
    `--root ${elsewhere}`,
    1,
    'no key was given, so its origin is unproven. Give the "signingPublicKey"',
  ],
  ['--signed-for https://a.example', 1, 'is of https://releases.example.com, not of https://a.'],
  ['--as-of 2026-12-24', 1, 'To check it for that day: --as-of 2026-11-20'],
  ['--key RW', 2, 'Expected a public key of minisign, RW and 54 more characters'],
  ['http://127.0.0.1:1', 3, 'http://127.0.0.1:1/SHA256SUMS cannot be read: '],
])('"verify %s" exits with %i', async (line, status, output) => {
  const args = line.split(' ').filter(Boolean);

  const ended = await index.run('verify', ...(line.startsWith('http') ? [] : [index.out]), ...args);

  expect(ended.stdout + ended.stderr).toContain(output);
  expect(ended.status).toBe(status);
});

test('verify never takes the public key from the site that is verified', async () => {
  const forged = openIndex(copyFolder(index.root));
  forged.edit('site/site.json', { signingPublicKey: otherKey });
  writeFileSync(join(forged.out, 'signing-key.pub'), otherKey);

  expect((await forged.run('verify', index.out)).status).toBe(1);
  const args = [forged.out, '--key', publicKey];
  expect((await index.run('verify', ...args)).stderr).toContain('signing-key.pub was changed: ');
});

/** Returns a site that contains settings with a stranger's key, and is signed with that key. */
function forgeSite(): string {
  const forged = openIndex(copyFolder(index.root), { RELEASE_INDEX_SIGNING_KEY: otherSecretKey });
  const site = join(forged.root, 'dist');
  for (const path of ['site.json', 'site/site.json', 'more/site/site.json']) {
    forged.edit('site/site.json', { signingPublicKey: otherKey });
    forged.write(`dist/${path}`, forged.read('site/site.json'));
  }
  writeFileSync(join(site, 'key.pub'), otherKey);
  const paths = listFiles(site).map(({ path }) => path);
  const listed = paths.filter((path) => !path.startsWith('SHA256SUMS'));
  const digests = listed.map((path) => [path, sha256(readFileSync(join(site, path)))] as const);
  const list = formatDigests(new Map(digests));
  writeFileSync(join(site, 'SHA256SUMS'), list);
  const signature = signFile(Buffer.from(list), readSigningKey(otherSecretKey), 'SHA256SUMS');
  writeFileSync(join(site, 'SHA256SUMS.minisig'), signature);
  return site;
}

const forgedSite = forgeSite();

test.each([
  ['', '', 'no key was given, so its origin is unproven.'],
  ['more', '', 'no key was given, so its origin is unproven.'],
  ['..', '', 'no key was given, so its origin is unproven.'],
  ['', ' --key key.pub', 'is inside the folder that is verified, so it proves nothing.'],
  ['more', ' --key ../key.pub', 'is inside the folder that is verified, so it proves nothing.'],
])(
  'verify uses no key from the verified site: in the folder %j, the command "verify SITE%s"',
  async (...row) => {
    const [folder, option, output] = row;
    const site = join(createFolder(), 'site');
    renameSync(copyFolder(forgedSite), site);
    enterFolder(join(site, folder));

    const ended = await runCli(['verify', site, ...option.split(' ').filter(Boolean)]);

    expect(ended.stderr).toContain(output);
    expect(ended.status).toBe(1);
  },
);

/** Creates a folder with a signed site in `index/` and settings next to it. */
function createDownload(site: string, settings: object): string {
  const folder = createFolder();
  renameSync(site, join(folder, 'index'));
  const other = openIndex(folder);
  other.write('site/site.json', { ...JSON.parse(index.read('site/site.json')), ...settings });
  other.write('sub/empty', '');
  symlinkSync(join(folder, 'index'), join(folder, 'sub/link'));
  return folder;
}

test.each([
  ['', 'index'],
  ['', './index/'],
  ['', 'sub/link'],
  ['sub', '../index --root ..'],
  ['sub', 'link --root ..'],
])(
  'verify uses no key from settings next to the site: in the folder %j, the command "verify %s"',
  async (cwd, line) => {
    const folder = createDownload(copyFolder(forgedSite), { signingPublicKey: otherKey });
    enterFolder(join(folder, cwd));

    const { status, stderr } = await runCli(['verify', ...line.split(' ')]);

    expect(stderr).toContain('no key was given, so its origin is unproven.');
    expect(status).toBe(1);
  },
);

test('verify ignores staleAfterDays in the settings next to a downloaded site', async () => {
  const folder = createDownload(copyFolder(index.out), { staleAfterDays: 10_000 });
  const args = [join(folder, 'index'), '--key', publicKey, '--root', folder];

  expect(await index.run('verify', ...args)).toMatchObject({ status: 0 });
  expect((await index.run('verify', ...args, '--as-of', '2026-12-24')).stderr).toContain(
    'is of 2026-11-20, not of the 3 days up to 2026-12-24',
  );
});

test('verify treats a link to the built site like the built site itself', async () => {
  const link = join(createFolder(), 'link');
  symlinkSync(index.out, link);

  expect(await index.run('verify', link)).toMatchObject({ status: 0 });
});

test('verify only warns about a file that a file manager added', async () => {
  const site = copyFolder(index.out);
  writeFileSync(join(site, '._evil.html'), '');
  expect(await index.run('verify', site, '--key', publicKey)).toMatchObject({
    status: 0,
    stderr: 'warning: ._evil.html is not in SHA256SUMS, so it was not checked\n',
  });

  mkdirSync(join(site, '.DS_Store'));
  writeFileSync(join(site, '.DS_Store/evil.html'), '');
  const withFolder = await index.run('verify', site, '--key', publicKey);
  expect(withFolder.stderr).toContain('.DS_Store/evil.html is not listed in SHA256SUMS');
  rmSync(join(site, '.DS_Store'), { recursive: true });

  symlinkSync('svc.json', join(site, '._link'));
  const withLink = await index.run('verify', site, '--key', publicKey);
  expect(withLink.stderr).toContain('._link is not listed in SHA256SUMS');
  expect([withFolder.status, withLink.status]).toEqual([1, 1]);
});
