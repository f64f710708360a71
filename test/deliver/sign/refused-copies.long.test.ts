import { copyFileSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { AttestationBundle, Statement } from '../../../src/core/schemas/published/statement.ts';
import { keyIdOf } from '../../../src/core/schemas/signing-public-key.ts';
import { readSigningKey, signFile, signStatement } from '../../../src/deliver/sign/signatures.ts';
import { temporaryFolder } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { makeSecretKey } from '../../harness/signing-key.ts';
import { copyOf, edit, openSignedSite, type SignedTestSite } from '../../harness/signed-site.ts';

const day = '2026-11-20';
let signed: SignedTestSite;
let site: string;
let yesterday: string;
beforeAll(async () => {
  signed = openSignedSite();
  [site, yesterday] = await Promise.all([signed.make(day), signed.make('2026-11-19')]);
});

const otherKey = readSigningKey(makeSecretKey()).publicKey;
const verify = (where: string, key = signed.publicKey) =>
  run(['verify', where, '--as-of', day, '--key', key]);

type Damage = (copy: string) => void;
const list = 'SHA256SUMS';
const signature = 'SHA256SUMS.minisig';
const ofSvc = 'attestations/svc.json';

const remove =
  (path: string): Damage =>
  (copy) =>
    rmSync(join(copy, path));
const replace =
  (path: string, from: string | RegExp, to: string): Damage =>
  (copy) =>
    edit(copy, path, (text) => text.replace(from, to));
const cutOff =
  (path: string, length: number): Damage =>
  (copy) =>
    edit(copy, path, (text) => text.slice(0, length));
const copyTo =
  (path: string, other: string): Damage =>
  (copy) =>
    copyFileSync(join(copy, other), join(copy, path));
const linkTo =
  (path: string): Damage =>
  (copy) => {
    const elsewhere = join(temporaryFolder(), 'moved');
    renameSync(join(copy, path), elsewhere);
    symlinkSync(elsewhere, join(copy, path));
  };
/** Puts another bundle after the right one. */
const append =
  (other: (bundle: AttestationBundle) => AttestationBundle): Damage =>
  (copy) =>
    edit(copy, ofSvc, (text) => {
      const [bundle] = JSON.parse(text) as [AttestationBundle];
      return JSON.stringify([bundle, other(bundle)]);
    });
/** Has the owner of the key state something else about svc. */
const restate =
  (change: (statement: Statement) => void): Damage =>
  (copy) =>
    edit(copy, ofSvc, (text) => {
      const [{ dsseEnvelope }] = JSON.parse(text) as [AttestationBundle];
      const statement = JSON.parse(Buffer.from(dsseEnvelope.payload, 'base64').toString()) as Statement;
      change(statement);
      return JSON.stringify([signStatement(statement, signed.key)]);
    });
const signAs =
  (comment: string): Damage =>
  (copy) =>
    writeFileSync(join(copy, signature), signFile(readFileSync(join(copy, list)), signed.key, comment));
const forge = ({ dsseEnvelope, ...rest }: AttestationBundle) => ({
  ...{ ...rest, dsseEnvelope: { ...dsseEnvelope, payload: Buffer.from('{}').toString('base64') } },
});
const ofYesterday = () =>
  (JSON.parse(readFileSync(join(yesterday, ofSvc), 'utf8')) as [AttestationBundle])[0];

test.each<[what: string, message: string, damage: Damage]>([
  ['changed file', 'svc.json: was changed: SHA256SUMS lists the digest', replace('svc.json', '2026.1', '9')],
  ['added file', 'more.js: is not listed in SHA256SUMS. Remove it', copyTo('more.js', 'svc.json')],
  ['changed file of headers', '_headers: is not the signed one.', replace('_headers', 'nosniff', 'sniff')],
  [
    'listed file that is a link',
    'svc.json: is a link, whose target can change after this check. Replace it with the file',
    linkTo('svc.json'),
  ],
  [
    'forged statement after the right one',
    'attestations/svc.json: its statement was not signed by the key ',
    append(forge),
  ],
  [
    'old statement after the right one',
    'attestations/svc.json: is a statement of 2026-11-19; the site is of 2026-11-20.',
    append(ofYesterday),
  ],
  [
    'file in place of another',
    'svc.json: has the content that SHA256SUMS lists for edge',
    copyTo('svc.json', 'edge.json'),
  ],
  [
    'changed list',
    'SHA256SUMS.minisig: is not the signature of this file.',
    replace(list, 'svc.json', 'svd.json'),
  ],
  [
    'missing signature',
    'SHA256SUMS.minisig: is missing. The origin of the site is unknown without a signature',
    remove(signature),
  ],
  ['truncated signature', 'SHA256SUMS.minisig: is not a signature of minisign.', cutOff(signature, 100)],
  [
    'other day in the comment',
    'SHA256SUMS.minisig: has a comment that was not signed with it.',
    replace(signature, '2026-11-20', '2026-11-21'),
  ],
  [
    'statement about another component',
    'attestations/svc.json: is a statement about edge-node.',
    copyTo(ofSvc, 'attestations/edge.json'),
  ],
  [
    'truncated statement',
    'attestations/svc.json: its statement was not signed by the key ',
    replace(ofSvc, /("payload": "[^"]+)[^"]{8}"/, '$1"'),
  ],
  [
    'wrong payload type',
    'attestations/svc.json: [0].dsseEnvelope.payloadType: expected "application/vnd.in-toto+json"; got "text/plain"',
    replace(ofSvc, 'application/vnd.in-toto+json', 'text/plain'),
  ],
  [
    'unknown key',
    `attestations/svc.json: is signed by the key ${keyIdOf(otherKey)}, not by `,
    (copy) => edit(copy, ofSvc, (text) => text.replaceAll(keyIdOf(signed.publicKey), keyIdOf(otherKey))),
  ],
  [
    'misleading hint',
    'attestations/svc.json: [0]: expected the hint to name the key of the signature',
    (copy) => edit(copy, ofSvc, (text) => text.replace(keyIdOf(signed.publicKey), keyIdOf(otherKey))),
  ],
  [
    'missing statement',
    'attestations/edge.json: is missing. If the site is yours, sign it again: npx release-index sign.',
    remove('attestations/edge.json'),
  ],
  // The key itself can have signed something wrong.
  [
    'statement with other digests',
    'attestations/svc.json: states another digest of svc.json than SHA256SUMS.',
    restate(({ subject }) => (subject.at(-1)!.digest.sha256 = '0'.repeat(64))),
  ],
  [
    'statement without a file',
    'attestations/svc.json: does not cover badges/svc.json.',
    restate(({ subject }) => subject.shift()),
  ],
  [
    'statement in another form',
    'attestations/svc.json: its statement: predicate.asOf: expected a day, YYYY-MM-DD',
    restate(({ predicate }) => (predicate.asOf = 'today')),
  ],
  [
    'signature for another day',
    'status.json: is of 2026-11-20, but the signature is of 2026-11-19.',
    signAs('SHA256SUMS of https://releases.example.com as of 2026-11-19 with 0 events'),
  ],
  [
    'signature for something else',
    'SHA256SUMS.minisig: is for something else: "my holiday pictures".',
    signAs('my holiday pictures'),
  ],
])('verify rejects a copy with a %s', async (_, message, damage) => {
  const copy = copyOf(site);
  damage(copy);

  const { status, stderr } = await verify(copy);

  expect(status).toBe(1);
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  expect(stderr.slice(0, 7 + message.length)).toBe(`error: ${message}`);
});

test('verify rejects a site that another key has signed', async () => {
  const { status, stderr } = await verify(site, otherKey);

  expect(status).toBe(1);
  expect(stderr).toContain(
    `error: SHA256SUMS.minisig: is by the key ${keyIdOf(signed.publicKey)}, not by ${keyIdOf(otherKey)}.`,
  );
});

test('verify rejects a statement of another index of the same owner', async () => {
  const trial = await signed.make(day, '--base-url', 'https://trial.example.com');
  const copy = copyOf(site);
  copyFileSync(join(trial, ofSvc), join(copy, ofSvc));

  expect((await verify(trial)).stdout).toContain('Signed for https://trial.example.com');
  expect((await verify(copy)).stderr).toContain(
    'error: attestations/svc.json: is a statement of another index, https://trial.example.com.',
  );
});
