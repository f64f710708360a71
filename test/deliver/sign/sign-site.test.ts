import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serveFolder } from '../../../src/deliver/host/static-server.ts';
import { readSigningKey, signFile } from '../../../src/deliver/sign/minisign.ts';
import { temporaryFolder } from '../../harness/root.ts';
import { makeSecretKey } from '../../harness/signing-key.ts';
import { run } from '../../harness/run.ts';
import { openPublication, type TestPublication } from '../publish/publication.ts';

const body = Buffer.from('the list of digests\n');
const secret = makeSecretKey();
const key = readSigningKey(secret);

test.each([
  ['', 'is not the content of a minisign secret key file'],
  ['untrusted comment: x\nRWQ=', 'is not the content of a minisign secret key file'],
  [
    secret.replace(/\n.*\n$/, (line) => `\n${protect(line.trim())}\n`),
    'is protected by a password',
  ],
  [damageKey(secret), 'is damaged: its two halves do not belong together'],
])('sign rejects an unusable key: %#', (text, message) => {
  expect(() => readSigningKey(text)).toThrow(message);
});

const minisign = spawnSync('minisign', ['-v']).error === undefined;
if (!minisign && process.env['CI'] !== undefined) {
  throw new Error('minisign is not installed; the tests of signatures need it');
}
if (!minisign) {
  console.warn(
    'minisign is not installed: not checked against it. Debian has it: apt-get install minisign',
  );
}

describe.runIf(minisign)('minisign itself', () => {
  const folder = temporaryFolder();
  const verify = () =>
    execFileSync('minisign', ['-Vm', 'SHA256SUMS', '-P', key.publicKey], {
      cwd: folder,
      encoding: 'utf8',
    });

  test('accepts our signature, and rejects it over a changed file', () => {
    writeFileSync(join(folder, 'SHA256SUMS'), body);
    writeFileSync(join(folder, 'SHA256SUMS.minisig'), signFile(body, key, 'as of 2026-11-20'));
    expect(verify()).toContain(
      'Signature and comment signature verified\nTrusted comment: as of 2026-11-20',
    );

    writeFileSync(join(folder, 'SHA256SUMS'), 'another list\n');
    expect(verify).toThrow('Signature verification failed');
  });

  test('makes keys that we can read, with the public half that it states', () => {
    execFileSync('minisign', ['-G', '-W', '-f', '-p', 'key.pub', '-s', 'key.sec'], { cwd: folder });

    const made = readSigningKey(readFileSync(join(folder, 'key.sec'), 'utf8'));

    expect(readFileSync(join(folder, 'key.pub'), 'utf8').trim().split('\n')[1]).toBe(
      made.publicKey,
    );
  });
});

describe('a publication', () => {
  let publication: TestPublication;
  beforeAll(async () => {
    publication = await openPublication();
    publication.root.configure({ signingPublicKey: key.publicKey });
    await publication.build();
  });
  afterAll(() => publication.close());

  test('with a damaged status.json is not signed, and the file is named', async () => {
    const { dir } = publication.root;
    writeFileSync(join(dir, 'dist/status.json'), '{');

    const { status, stderr } = await run(['sign', '--root', dir], {
      RELEASE_INDEX_SIGNING_KEY: secret,
    });

    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: \S+status\.json: not JSON/);
  });

  test('is signed, and verified at its address', async () => {
    const served = temporaryFolder();
    const server = await serveFolder(served);
    onTestFinished(() => server.close());
    publication.root.configure({ hosting: 'files', releasesUrl: server.url });
    await publication.build();
    const result = await publication.publishWith(
      { RELEASE_INDEX_SIGNING_KEY: secret },
      '--to',
      served,
    );

    expect(result.status, result.stderr).toBe(0);
    expect(result.stdout + result.stderr).not.toContain(secret.split('\n')[1]);
    const verified = await run([
      'verify',
      server.url,
      '--key',
      key.publicKey,
      '--as-of',
      '2026-11-20',
    ]);
    expect(verified.status, verified.stderr).toBe(0);
    expect(verified.stdout).toContain(`Signed for ${server.url} with the key of --key: the list.`);
  });
});

function protect(line: string): string {
  const bytes = Buffer.from(line, 'base64');
  bytes.write('Sc', 2);
  return bytes.toString('base64');
}

function damageKey(text: string): string {
  const bytes = Buffer.from(text.split('\n')[1]!, 'base64');
  bytes.fill(7, 62, 70);
  return `untrusted comment: damaged\n${bytes.toString('base64')}\n`;
}
