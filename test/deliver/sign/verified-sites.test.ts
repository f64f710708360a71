import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StatementBundle } from '../../../src/core/schemas/published/statement.ts';
import { signStatement } from '../../../src/deliver/sign/dsse.ts';
import { readSigningKey, signFile } from '../../../src/deliver/sign/minisign.ts';
import { sha256 } from '../../../src/io/files/file-system.ts';
import { createRoot, temporaryFolder } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { makeSecretKey } from '../../harness/signing-key.ts';
import { startSite } from '../../harness/static-site.ts';
import { copyOf, edit, makeSignedSite, statementIn } from '../../harness/signed-site.ts';
import { covers } from '../../harness/covers.ts';

const day = '2026-11-20';
const { signed, site } = await makeSignedSite(day);

const otherKey = readSigningKey(makeSecretKey()).publicKey;
const verify = (where: string, ...args: string[]) =>
  run(['verify', where, '--as-of', day, ...args]);
const withKey = (where: string, ...args: string[]) =>
  verify(where, '--key', signed.publicKey, ...args);

describe('a sound site', () => {
  test('is accepted with the key of its repository, and reported with all that was signed', async () => {
    covers('They stand beside the files: SHA256SUMS, its signature, and signed statements.');
    const result = await run(['verify', '--root', signed.root.dir, '--out', site, '--as-of', day]);

    expect(result.status, result.stderr).toBe(0);
    expect(result.stdout).toMatch(
      /: the index as of 2026-11-20; \d+ files as SHA256SUMS lists them, and there is no other\./,
    );
    expect(result.stdout).toContain(
      'Signed for https://releases.example.com with the key of site/site.json: the list, and 2 statements about releases.\n',
    );
  });

  test('is accepted with a key that somebody kept, and reported to machines', async () => {
    const result = await verify(site, '--key', join(site, 'signing-key.pub'), '--json');

    expect(JSON.parse(result.stdout)).toMatchObject({
      verb: 'verify',
      site,
      isVouchedFor: true,
      asOf: day,
      signature: { baseUrl: 'https://releases.example.com', statements: 2 },
    });
  });

  test('is of unknown origin without a key from elsewhere, although it brings one', async () => {
    const result = await verify(site, '--root', createRoot().dir);

    expect(result.status).toBe(1);
    expect(result.stderr).toContain('the origin of the list is unknown without a public key');
    const integrity = await verify(site, '--digests-only');
    expect(integrity.status, integrity.stderr).toBe(0);
    expect(integrity.stdout).toContain('Their origin is unknown: only digests were compared.');
  });

  test('that is not there cannot be judged', async () => {
    const result = await verify(join(site, 'nowhere'));

    expect(result.status).toBe(3);
    expect(result.stderr).toContain('nowhere: no such folder');
  });

  test('of another day is accepted only where that day is asked for', async () => {
    const late = await run(['verify', site, '--key', signed.publicKey, '--as-of', '2026-12-01']);
    const early = await run(['verify', site, '--key', signed.publicKey, '--as-of', '2026-11-19']);

    expect(late.stderr).toBe(
      'error: status.json: is of 2026-11-20, more than 3 days before 2026-12-01: somebody may be serving an old state. To check it for that day: --as-of 2026-11-20\n',
    );
    expect(early.stderr).toContain(
      'error: status.json: is of 2026-11-20, which is after 2026-11-19.',
    );
    expect([late.status, early.status]).toEqual([1, 1]);
  });
});

test('a trial site passes for the site of the checkout only where its address is named', async () => {
  const trial = await signed.make(day, '--base-url', 'https://trial.example.com');
  const inCheckout = (...args: string[]) => verify(trial, '--root', signed.root.dir, ...args);

  const refused = await inCheckout();
  const withKeyInHand = await inCheckout('--key', signed.publicKey);
  const named = await inCheckout('--signed-for', 'https://trial.example.com/');
  const another = await withKey(site, '--signed-for', 'https://trial.example.com');

  expect([refused.status, withKeyInHand.status, named.status, another.status]).toEqual([
    1, 1, 0, 1,
  ]);
  expect(refused.stderr).toBe(
    'error: SHA256SUMS.minisig: is for https://trial.example.com, not for https://releases.example.com. To verify the site of that address: --signed-for https://trial.example.com\n',
  );
  expect(another.stderr).toContain(
    'is for https://releases.example.com, not for https://trial.example.com.',
  );
});

test('a site of a newer program is accepted with all that this program does not know', async () => {
  const copy = copyOf(site);
  edit(copy, 'details/svc.json', (text) => text.replace('{', '{"later": {"b": 1},'));
  const digest = (path: string) => sha256(readFileSync(join(copy, path)));
  edit(copy, 'SHA256SUMS', (text) =>
    text.replace(/^\S+(?= {2}details\/svc.json$)/m, digest('details/svc.json')),
  );
  const list = readFileSync(join(copy, 'SHA256SUMS'));
  const comment = `SHA256SUMS of https://releases.example.com as of ${day} with 4 events`;
  writeFileSync(join(copy, 'SHA256SUMS.minisig'), signFile(list, signed.key, comment));
  edit(copy, 'statements/svc.ndjson', (text) => {
    const statement = statementIn(JSON.parse(text) as StatementBundle);
    const predicate = { ...statement.predicate, later: true };
    return `${JSON.stringify(signStatement({ ...statement, predicate }, signed.key))}\n`;
  });

  const { status, stderr } = await withKey(copy, '--allow-older');

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('the list of digests has the file of headers, which a folder must have', async () => {
  const copy = copyOf(site);
  rmSync(join(copy, '_headers'));

  const copied = await withKey(copy);
  const built = await withKey(copy, '--out', copy);
  const unsigned = await verify(copy, '--digests-only');

  for (const { status, stderr } of [copied, built, unsigned]) {
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        'error: _headers: is missing. Hosts read it and do not serve it, so a download lacks it: verify the address, or copy the folder that was built\n',
    });
  }
});

test('a file whose name has a backslash is none of the listed files', async () => {
  const copy = copyOf(site);
  cpSync(join(copy, 'details/svc.json'), join(copy, String.raw`details\svc.json`));

  const { status, stderr } = await withKey(copy);

  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `error: ${String.raw`details\svc.json`}: is not listed in SHA256SUMS. Remove it\n`,
  });
});

test('the comment of the signature names the address, the day and the number of events', () => {
  expect(readFileSync(join(site, 'SHA256SUMS.minisig'), 'utf8').split('\n')[2]).toBe(
    'trusted comment: SHA256SUMS of https://releases.example.com as of 2026-11-20 with 4 events',
  );
});

const zeros = '0'.repeat(64);
test.each([
  [`${zeros}  ../outside\n`, 'line 1: "../outside" is not a path below the folder of the list'],
  [`${zeros}  a/../../outside\n`, 'is not a path below the folder of the list'],
  [`${zeros}  /etc/hostname\n`, 'is not a path below the folder of the list'],
  [String.raw`${zeros}  a\b`, 'is not a path below the folder of the list'],
  [`${zeros}  a//b\n`, 'is not a path below the folder of the list'],
  [`${zeros}  svc.json\r\n`, 'line 1: expected a digest and a path; got'],
  [`${zeros}  svc.json\n${zeros}  svc.json\n`, 'line 2: "svc.json" is listed a second time'],
  ['', 'does not list status.json'],
  [undefined, 'is missing. Is this the folder or address of a site?'],
])('verify rejects the list of digests %j', async (list, said) => {
  const folder = temporaryFolder();
  if (list !== undefined) {
    writeFileSync(join(folder, 'SHA256SUMS'), list);
  }

  const { status, stderr } = await verify(folder, '--digests-only');

  expect(status).toBe(1);
  expect(stderr).toContain('error: SHA256SUMS: ');
  expect(stderr).toContain(said);
});

test.each<[string, (copy: string) => void, string]>([
  ['a whole copy', () => undefined, ''],
  [
    'a copy without a file',
    (copy) => rmSync(join(copy, 'svc.json')),
    'error: svc.json: is missing.',
  ],
  [
    'a copy with a changed file',
    (copy) => edit(copy, 'index.html', (text) => `${text}<script src="more.js"></script>`),
    'error: index.html: was changed',
  ],
  ['no site', (copy) => rmSync(copy, { recursive: true }), 'error: SHA256SUMS: is missing.'],
])('verify checks a mirror at an address with %s', async (_what, damage, message) => {
  const copy = copyOf(site);
  damage(copy);
  const url = await startSite(copy);

  const { status, stdout, stderr } = await withKey(`${url}/`);

  expect(stderr).toContain(message);
  expect(status).toBe(message === '' ? 0 : 1);
  if (message !== '') {
    return;
  }
  expect(stdout).toContain(`${url}: the index as of 2026-11-20`);
  expect(stdout).toContain('Signed for https://releases.example.com with the key of --key');
});

test.each([
  [['--digests-only', '--key', otherKey], 'leave out --key'],
  [['--digests-only', '--signed-for', 'https://a.example'], 'leave out --signed-for'],
  [['--digests-only', '--state', 'state.json'], 'leave out --state'],
  [['--digests-only', '--allow-older'], 'leave out --allow-older'],
  [['--key', 'RWabc'], '--key: expected a public key of minisign'],
])('verify rejects the command line %j', async (args, said) => {
  const result = await verify(site, ...args);

  expect(result.status).toBe(2);
  expect(result.stderr).toContain(said);
});

test('verify names a folder in place of the file of a key', async () => {
  const folder = temporaryFolder();

  const { status, stderr } = await verify(site, '--key', folder);

  expect(status).toBe(3);
  expect(stderr).toContain(`${folder}: it is a folder, a device, a pipe or a socket`);
});
