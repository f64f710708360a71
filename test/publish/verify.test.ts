import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/core/files.ts';
import { addDays } from '../../src/core/day.ts';
import { openSite } from '../../src/core/site-reader.ts';
import { escapePattern } from '../../src/core/text.ts';
import { readSigningKey, signFile, type SigningKey } from '../../src/publish/minisign.ts';
import { signStatement } from '../../src/publish/release-statements.ts';
import { verifySite } from '../../src/publish/verify.ts';
import {
  copyFolder,
  createIndex,
  openIndex,
  publicKey,
  secretKey,
  today,
} from '../harness/index-folder.ts';
import { createSecretKey } from '../harness/minisign-keys.ts';

const key = readSigningKey(secretKey);
const baseUrl = 'https://releases.example.com';
const trust = { publicKey, baseUrl, day: today, maxAgeDays: 3 };
const ofSvc = 'statements/svc.ndjson';

const index = createIndex();

/**
 * Returns a signed attestation with any component and predicate type, as another version of the
 * program may have written it.
 */
function attest(signer: SigningKey, component?: string, predicateType?: string): string {
  const predicate = { id: 'svc/1/2020-01-01', component, version: '1' };
  const statement = { subject: [{ digest: { sha256: 'aa' } }], predicateType, predicate };
  return JSON.stringify(signStatement(statement as never, signer));
}

// An attestation by a former key, which nobody has any more.
const theirs = `${attest(readSigningKey(createSecretKey()))}\n`;
index.write(`site/${ofSvc}`, theirs);
await index.prepare('build', 'sign');

type Damage = (copy: string) => void;

const add =
  (path: string): Damage =>
  (copy) =>
    writeFileSync(join(copy, path), '');
const remove =
  (path: string): Damage =>
  (copy) =>
    rmSync(join(copy, path));
const replace =
  (path: string, from: string | RegExp, to: string): Damage =>
  (copy) => {
    const before = readFileSync(join(copy, path), 'utf8');
    const after = before.replace(from, to);
    expect(after, path).not.toBe(before);
    writeFileSync(join(copy, path), after);
  };

/** Writes the new digest of the attestations into SHA256SUMS, and signs it again. */
const relist: Damage = (copy) => {
  const digest = sha256(readFileSync(join(copy, ofSvc)));
  replace('SHA256SUMS', /^\S+(?= {2}statements\/svc)/m, digest)(copy);
  const list = readFileSync(join(copy, 'SHA256SUMS'));
  writeFileSync(join(copy, 'SHA256SUMS.minisig'), signFile(list, key, 'SHA256SUMS'));
};

const unsigned = `${ofSvc} has a statement that the key did not sign for this component of this index`;

test('verify accepts a signed site, and counts the statements that another key signed', async () => {
  expect(await verifySite(openSite(index.out), trust)).toEqual({
    asOf: today,
    files: expect.any(Number),
    signature: { baseUrl, events: 0, statements: 12, byOthers: 1 },
  });
  expect(index.read(`dist/${ofSvc}`).endsWith(theirs)).toBe(true);
});

test('verify accepts a mirror that lacks the header rules of the original host', async () => {
  const copy = copyFolder(index.out);
  remove('_headers')(copy);

  expect(await verifySite(openSite(copy), trust)).toEqual(
    await verifySite(openSite(index.out), trust),
  );
});

test.each<[fault: string, ...damage: Damage[]]>([
  ['svc.json was changed', replace('svc.json', '2026.1', '9')],
  ['_headers was changed', replace('_headers', 'nosniff', 'sniff')],
  ['statements/evil.html is not listed in SHA256SUMS', add('statements/evil.html')],
  [
    `${ofSvc}: expected a file; got a device`,
    (copy) => {
      rmSync(join(copy, ofSvc));
      symlinkSync('/dev/zero', join(copy, ofSvc));
    },
  ],
  [
    'SHA256SUMS.minisig is not the signature of this file',
    replace('SHA256SUMS', 'svc.json', 'svd.json'),
  ],
  ['SHA256SUMS is missing. Is this the folder or the address of an index?', remove('SHA256SUMS')],
  [
    'SHA256SUMS.minisig is missing, so the origin of the site is unproven',
    remove('SHA256SUMS.minisig'),
  ],
  [`${ofSvc} was changed`, replace(ofSvc, /^.*\n/, '')],
  [`${ofSvc} is missing`, remove(ofSvc)],
  [unsigned, replace(ofSvc, 'vnd.in-toto+json', 'json'), relist],
  [`${ofSvc}: line 1: expected a statement`, replace(ofSvc, '{', ''), relist],
  [unsigned, replace(ofSvc, /^.*/, attest(key, 'edge-node', `${baseUrl}/x`)), relist],
  [unsigned, replace(ofSvc, /^.*/, attest(key, 'svc', 'https://example.org/x')), relist],
  [`${ofSvc} has no statement about 2025.1.0`, replace(ofSvc, /^.*\n/, ''), relist],
])('verify rejects a changed copy of a site: %s (%#)', async (fault, ...damages) => {
  const copy = copyFolder(index.out);
  damages.forEach((damage) => damage(copy));

  await expect(verifySite(openSite(copy), trust)).rejects.toThrow(
    new RegExp(`^${escapePattern(fault)}[^\n]*$`),
  );
});

test.each(['status.json', 'details/svc.json', ofSvc])(
  'verify rejects a host whose second answer for %s differs from its first answer',
  async (path) => {
    const { read } = openSite(index.out);
    let requests = 0;
    const host = {
      read: async (each: string) => {
        const bytes = await read(each);
        requests += Number(each === path);
        return each === path && requests > 1 ? Buffer.concat([bytes!, Buffer.from('\n')]) : bytes;
      },
    };

    await expect(verifySite(host, trust)).rejects.toThrow(`${path} was changed`);
  },
);

test.each([
  [{ day: '2026-11-24' }, 'status.json is of 2026-11-20, not of the 3 days up to 2026-11-24: '],
  [{ day: '2026-11-19' }, 'status.json is of 2026-11-20, not of the 3 days up to 2026-11-19: '],
  [
    { baseUrl: 'https://trial.example.com' },
    'status.json is of https://releases.example.com, not of https://trial.example.com. To accept this address: --signed-for https://releases.example.com',
  ],
  [{ publicKey: undefined, day: '2030-01-01' }, undefined],
])('verify with the expectations %j reports: %s', async (other, fault) => {
  const problem = await verifySite(openSite(index.out), { ...trust, ...other }).then(
    () => undefined,
    (error: Error) => error.message.slice(0, fault?.length),
  );

  expect(problem).toBe(fault);
});

test.each([
  [unsigned, ['check', 'sign'], (own: string) => own.replace('vnd.in-toto+json', 'json')],
  [
    `${ofSvc} has a statement that the key of this index signed, perhaps long ago. Remove it`,
    ['sign'],
    (own: string) => own,
  ],
])(
  'check and sign accept attestations signed with former keys, but report: %s',
  async (problem, verbs, change) => {
    const forged = openIndex(copyFolder(index.root));
    const [first = ''] = index.read(`dist/${ofSvc}`).split('\n');
    forged.write(`site/${ofSvc}`, `${theirs}${change(first)}\n`);
    await forged.run('build');

    for (const verb of ['check', 'sign']) {
      const isRejected = verbs.includes(verb);
      expect(await forged.run(verb)).toMatchObject({
        status: isRejected ? 1 : 0,
        stderr: isRejected ? `error: site/${problem}\n` : '',
      });
    }
    expect(readdirSync(forged.out)).not.toContain('SHA256SUMS.minisig');
  },
);

test('build publishes only attestations of existing components, and fails if an attestation is unreadable', async () => {
  const other = openIndex(copyFolder(index.root));
  other.write('site/statements/nobody.ndjson', theirs);
  expect(await other.run('build')).toMatchObject({ status: 0 });
  expect(readdirSync(join(other.out, 'statements'))).toEqual(['svc.ndjson']);

  const fault = `error: site/${ofSvc}: line 2: expected a statement in a DSSE envelope\n`;
  for (const line of ['garbage', '{"dsseEnvelope":{"payload":"e30="}}']) {
    other.write(`site/${ofSvc}`, theirs + line);
    for (const verb of ['check', 'build']) {
      expect(await other.run(verb)).toMatchObject({ status: 1, stderr: fault });
    }
  }
});

test.each([
  [3, true],
  [4, false],
  [0, true],
  [-1, false],
])(
  'verify accepts a site on the day that is %i days after its build: %s',
  async (age, isAccepted) => {
    const verified = verifySite(openSite(index.out), { ...trust, day: addDays(today, age) });
    await (isAccepted
      ? expect(verified).resolves.toMatchObject({ asOf: today })
      : expect(verified).rejects.toThrow('somebody may serve an old site'));
  },
);

test('a component without digests needs no statements', async () => {
  const own = createIndex();
  own.edit('data/svc.json', ({ releases }: { releases: object[] }) => ({
    releases: releases.map((release) => ({ ...release, digests: undefined })),
  }));
  await own.prepare('build', 'sign');

  const verified = await verifySite(openSite(own.out), trust);

  expect(readdirSync(join(own.out, 'statements'))).not.toContain('svc.ndjson');
  expect(verified).toMatchObject({ signature: { statements: 2 } });
});
