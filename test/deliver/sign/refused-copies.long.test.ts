import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type {
  ReleaseStatement,
  StatementBundle,
} from '../../../src/core/schemas/published/statement.ts';
import { computeKeyId } from '../../../src/core/schemas/signing-public-key.ts';
import { signStatement } from '../../../src/deliver/sign/dsse.ts';
import { readSigningKey, signFile } from '../../../src/deliver/sign/minisign.ts';
import { temporaryFolder } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { makeSecretKey } from '../../harness/signing-key.ts';
import { copyOf, edit, makeSignedSite, statementIn } from '../../harness/signed-site.ts';

const day = '2026-11-20';
const { signed, site } = await makeSignedSite(day);

const otherKey = readSigningKey(makeSecretKey()).publicKey;
const verify = (where: string, key = signed.publicKey) =>
  run(['verify', where, '--as-of', day, '--key', key]);

type Damage = (copy: string) => void;
const list = 'SHA256SUMS';
const signature = 'SHA256SUMS.minisig';
const ofSvc = 'statements/svc.ndjson';

const remove = (path: string) => (copy: string) => rmSync(join(copy, path));
const replace = (path: string, from: string | RegExp, to: string) => (copy: string) =>
  edit(copy, path, (text) => text.replace(from, to));
const copyTo = (path: string, other: string) => (copy: string) =>
  copyFileSync(join(copy, other), join(copy, path));
function link(copy: string): void {
  const elsewhere = join(temporaryFolder(), 'moved');
  renameSync(join(copy, 'svc.json'), elsewhere);
  symlinkSync(elsewhere, join(copy, 'svc.json'));
}
/** Puts another bundle after the right one. */
const append = (other: (bundle: StatementBundle) => StatementBundle) => (copy: string) =>
  edit(copy, ofSvc, (text) => {
    const bundle = JSON.parse(text) as StatementBundle;
    return `${text}${JSON.stringify(other(bundle))}\n`;
  });
/** Has the owner of the key state something else about a release of svc. */
const restate = (change: (statement: ReleaseStatement) => void) => (copy: string) =>
  edit(copy, ofSvc, (text) => {
    const statement = statementIn(JSON.parse(text) as StatementBundle);
    change(statement);
    return `${JSON.stringify(signStatement(statement, signed.key))}\n`;
  });
const signAs = (comment: string) => (copy: string) =>
  writeFileSync(
    join(copy, signature),
    signFile(readFileSync(join(copy, list)), signed.key, comment),
  );
const forge = ({ dsseEnvelope, ...rest }: StatementBundle) => ({
  ...{ ...rest, dsseEnvelope: { ...dsseEnvelope, payload: Buffer.from('{}').toString('base64') } },
});
const malformed = restate(({ predicate }) => (predicate.on = 'x'));
const lastDay = 'SHA256SUMS of https://releases.example.com as of 2026-11-19 with 4 events';

test.each<[what: string, message: string, damage: Damage]>([
  [
    'changed file',
    'svc.json: was changed: SHA256SUMS lists the digest',
    replace('svc.json', '2026.1', '9'),
  ],
  ['added file', 'more.js: is not listed in SHA256SUMS. Remove it', copyTo('more.js', 'svc.json')],
  [
    'changed file of headers',
    '_headers: was changed: SHA256SUMS lists the digest',
    replace('_headers', 'nosniff', 'sniff'),
  ],
  ['file that is a link', 'svc.json: is a link, whose target can change after this check.', link],
  ['forged statement', `${ofSvc}: its statement was not signed by the key `, append(forge)],
  [
    'swapped file',
    'svc.json: was changed: SHA256SUMS lists the digest',
    copyTo('svc.json', 'edge.json'),
  ],
  [
    'changed list',
    `${signature}: is not the signature of this file.`,
    replace(list, 'svc.json', 'svd.json'),
  ],
  [
    'missing signature',
    `${signature}: is missing. The origin of the site is unknown`,
    remove(signature),
  ],
  ['cut signature', `${signature}: is not a signature of`, replace(signature, /.{40}\n.*$/s, '')],
  [
    'changed comment',
    `${signature}: has a comment that was not signed`,
    replace(signature, '-20', '-21'),
  ],
  [
    'cut statement',
    `${ofSvc}: its statement was not`,
    replace(ofSvc, /("payload":"[^"]+)[^"]{8}"/, '$1"'),
  ],
  ['wrong type', `${ofSvc}: dsseEnvelope.payloadType: `, replace(ofSvc, 'vnd.in-toto+json', 'x')],
  [
    'unknown key',
    `${ofSvc}: is signed by the key ${computeKeyId(otherKey)}, not by `,
    (copy) =>
      edit(copy, ofSvc, (text) =>
        text.replaceAll(computeKeyId(signed.publicKey), computeKeyId(otherKey)),
      ),
  ],
  [
    'misleading hint',
    `${ofSvc}: expected the hint to name the key of the signature`,
    (copy) =>
      edit(copy, ofSvc, (text) =>
        text.replace(computeKeyId(signed.publicKey), computeKeyId(otherKey)),
      ),
  ],
  // The key itself can have signed something wrong.
  ['removed statement', `${ofSvc}: has no statement about 2026.1`, remove(ofSvc)],
  [
    'statement of another component',
    `${ofSvc}: has a statement about edge-node`,
    copyTo(ofSvc, 'statements/edge-node.ndjson'),
  ],
  ['malformed statement', `${ofSvc}: its statement: predicate.on`, malformed],
  [
    'signature for another day',
    'status.json: is of 2026-11-20, but the signature is of',
    signAs(lastDay),
  ],
  ['signature of another thing', `${signature}: is for something else: "it".`, signAs('it')],
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
    `error: SHA256SUMS.minisig: is by the key ${computeKeyId(signed.publicKey)}, not by ${computeKeyId(otherKey)}.`,
  );
});

test('verify rejects a statement of another index of the same owner', async () => {
  const trial = await signed.make(day, '--base-url', 'https://trial.example.com');
  const copy = copyOf(site);
  copyFileSync(join(trial, ofSvc), join(copy, ofSvc));

  expect((await verify(trial)).stdout).toContain('Signed for https://trial.example.com');
  expect((await verify(copy)).stderr).toContain(
    'error: statements/svc.ndjson: is a statement of another index, https://trial.example.com/schema/release-statement.json.',
  );
});
