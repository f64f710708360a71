import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSigningKey } from '../../../src/deliver/sign/signatures.ts';
import { temporaryFolder } from '../../harness/root.ts';
import { run, type Run } from '../../harness/run.ts';
import { makeSecretKey } from '../../harness/signing-key.ts';
import { copyOf, edit, openSignedSite, type SignedTestSite } from '../../harness/signed-site.ts';

const day = '2026-11-20';
let signed: SignedTestSite;
let site: string;
beforeAll(async () => {
  signed = openSignedSite();
  site = await signed.make(day);
});

const otherKey = readSigningKey(makeSecretKey()).publicKey;
const verify = (where: string, ...args: string[]) => run(['verify', where, '--as-of', day, ...args]);
const withKey = (where: string, ...args: string[]) => verify(where, '--key', signed.publicKey, ...args);

describe('a sound site', () => {
  test('is accepted with the key of its repository, and all that was signed is told', async () => {
    const result = await run(['verify', '--root', signed.root.dir, '--out', site, '--as-of', day]);

    expect(result.status, result.stderr).toBe(0);
    expect(result.stdout).toMatch(
      /: the index as of 2026-11-20; \d+ files as SHA256SUMS lists them, and there is no other\./,
    );
    expect(result.stdout).toContain(
      `Signed for https://releases.example.com with the key of site/site.json: the list, and 2 statements about components, made from the commit ${signed.commit}.\n`,
    );
  });

  test('is accepted with a key that somebody kept, and the result is there for machines', async () => {
    const result = await verify(site, '--key', join(site, 'signing-key.pub'), '--json');

    expect(JSON.parse(result.stdout)).toMatchObject({
      verb: 'verify',
      site,
      isVouchedFor: true,
      asOf: day,
      signature: { baseUrl: 'https://releases.example.com', statements: 2, commit: signed.commit },
    });
  });

  test('is of unknown origin without a key from elsewhere, although it brings one', async () => {
    const result = await verify(site);

    expect(result.status).toBe(1);
    expect(result.stderr).toContain('the origin of the list is unknown without a public key');
    const integrity = await verify(site, '--digests-only');
    expect(integrity.status, integrity.stderr).toBe(0);
    expect(integrity.stdout).toContain('Their origin is unknown: only digests were compared.');
  });

  test('of another day is accepted only where that day is asked for', async () => {
    const late = await run(['verify', site, '--key', signed.publicKey, '--as-of', '2026-12-01']);
    const early = await run(['verify', site, '--key', signed.publicKey, '--as-of', '2026-11-19']);

    expect(late.stderr).toBe(
      'error: status.json: is of 2026-11-20, more than 3 days before 2026-12-01: somebody may be serving an old state. To check it for that day: --as-of 2026-11-20\n',
    );
    expect(early.stderr).toContain('error: status.json: is of 2026-11-20, a day after 2026-11-19.');
    expect([late.status, early.status]).toEqual([1, 1]);
  });
});

describe('one key for two sites', () => {
  test('a trial site does not pass for the one of the checkout, unless its address is named', async () => {
    const trial = await signed.make(day, '--base-url', 'https://trial.example.com');
    const inCheckout = (...args: string[]) =>
      run(['verify', trial, '--root', signed.root.dir, '--as-of', day, ...args]);

    const refused = await inCheckout();
    const withKeyInHand = await inCheckout('--key', signed.publicKey);
    const named = await inCheckout('--signed-for', 'https://trial.example.com/');
    const another = await verify(
      site,
      '--key',
      signed.publicKey,
      '--signed-for',
      'https://trial.example.com',
    );

    expect([refused.status, withKeyInHand.status, named.status, another.status]).toEqual([1, 1, 0, 1]);
    expect(refused.stderr).toBe(
      'error: SHA256SUMS.minisig: is for https://trial.example.com, not for https://releases.example.com. To verify the site of that address: --signed-for https://trial.example.com\n',
    );
    expect(another.stderr).toContain(
      'is for https://releases.example.com, not for https://trial.example.com.',
    );
  });
});

describe('the headers, which a host reads and does not serve', () => {
  test('may be missing in a copy of what is served, and not in the site that is to be uploaded', async () => {
    const copy = copyOf(site);
    rmSync(join(copy, '_headers'));

    const served = await withKey(copy);
    const built = await withKey(copy, '--out', copy);

    expect(served.status).toBe(0);
    expect(served.stderr).toBe(
      'warning: _headers: is missing, as in every copy of a served site. A host needs it to send security headers\n',
    );
    expect(built.status).toBe(1);
    expect(built.stderr).toContain('error: _headers: is missing.');
  });

  test('are signed beside the list, which sha256sum checks in full without them', async () => {
    const copy = copyOf(site);
    rmSync(join(copy, '_headers'));
    const comment = readFileSync(join(site, 'SHA256SUMS.minisig'), 'utf8').split('\n')[2];

    expect(comment).toMatch(
      /^trusted comment: SHA256SUMS of https:\/\/releases\.example\.com as of 2026-11-20 with 0 events, _headers [0-9a-f]{64}$/,
    );
    expect(spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: copy }).status).toBe(0);
  });
});

describe('a hostile list of digests', () => {
  const zeros = '0'.repeat(64);
  test.each([
    ['../outside', `line 1: "../outside" is not a path below the folder of the list`],
    ['a/../../outside', 'is not a path below the folder of the list'],
    ['/etc/hostname', 'is not a path below the folder of the list'],
    [String.raw`a\b`, 'is not a path below the folder of the list'],
    ['a//b', 'is not a path below the folder of the list'],
    ['svc.json\r', 'line 1: expected a digest and a path; got'],
    [`svc.json\n${zeros}  svc.json`, 'line 2: "svc.json" is listed a second time'],
  ])('with %j is not followed', async (path, said) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'SHA256SUMS'), `${zeros}  ${path}\n`);

    const result = await verify(folder, '--digests-only');

    expect(result.status).toBe(1);
    expect(result.stderr).toContain(`error: SHA256SUMS: `);
    expect(result.stderr).toContain(said);
  });

  test('is named where it is none, or not there', async () => {
    const folder = temporaryFolder();
    expect((await verify(folder, '--digests-only')).stderr).toContain(
      'error: SHA256SUMS: is missing. Is this the folder or address of a site?',
    );
    writeFileSync(join(folder, 'SHA256SUMS'), '');
    expect((await verify(folder, '--digests-only')).stderr).toContain(
      'error: SHA256SUMS: does not list status.json',
    );
  });
});

describe('at an address', () => {
  let served: string;
  let url: string;
  const server = createServer((request, response) => {
    const path = join(served, decodeURIComponent(request.url!.replace('/mirror/', '/')));
    const isThere = existsSync(path);
    response.writeHead(isThere ? 200 : 404, { 'Content-Type': 'application/octet-stream' });
    response.end(isThere ? readFileSync(path) : 'nothing');
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mirror`;
  });
  afterAll(() => void server.close());

  async function verifyServed(folder: string): Promise<Run> {
    served = folder;
    return withKey(`${url}/`);
  }

  test('a mirror is accepted, and the address that was signed is told', async () => {
    const result = await verifyServed(site);

    expect(result.status, result.stderr).toBe(0);
    expect(result.stdout).toContain(`${url}: the index as of 2026-11-20`);
    expect(result.stdout).toContain('Signed for https://releases.example.com with the key of --key');
  });

  test('a mirror that lacks a file, has changed one or serves none is refused', async () => {
    const lacking = copyOf(site);
    rmSync(join(lacking, 'svc.json'));
    const changed = copyOf(site);
    edit(changed, 'index.html', (text) => `${text}<script src="more.js"></script>`);

    expect((await verifyServed(lacking)).stderr).toContain('error: svc.json: is missing.');
    expect((await verifyServed(changed)).stderr).toContain('error: index.html: was changed');
    expect((await verifyServed(temporaryFolder())).stderr).toContain('error: SHA256SUMS: is missing.');
  });
});

test.each([
  [['--digests-only', '--key', otherKey], 'leave out --key'],
  [['--digests-only', '--signed-for', 'https://a.example'], 'leave out --signed-for'],
  [['--key', 'RWabc'], '--key: expected a public key of minisign'],
])('the command line %j is refused', async (args, said) => {
  const result = await verify(site, ...args);

  expect(result.status).toBe(2);
  expect(result.stderr).toContain(said);
});
