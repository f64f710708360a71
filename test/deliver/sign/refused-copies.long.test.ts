import { copyFileSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
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

/** What was done to a copy, and the beginning of what is said about it. */
const damages: [what: string, said: string, damage: (copy: string) => void][] = [
  [
    'changed file',
    'svc.json: was changed: SHA256SUMS lists the digest',
    (copy) => edit(copy, 'svc.json', (text) => text.replace('2026.1', '2026.9')),
  ],
  ['removed file', 'feeds/svc.atom: is missing.', (copy) => rmSync(join(copy, 'feeds/svc.atom'))],
  [
    'added file',
    'assets/more.js: is not listed in SHA256SUMS. Remove it',
    (copy) => writeFileSync(join(copy, 'assets/more.js'), ''),
  ],
  [
    'changed file of headers',
    '_headers: is not the signed one.',
    (copy) => edit(copy, '_headers', (text) => `${text}\n/*\n  Set-Cookie: a=b\n`),
  ],
  [
    'listed file that is a link',
    'svc.json: is a link, whose target can change after this check. Replace it with the file',
    (copy) => {
      const elsewhere = join(temporaryFolder(), 'svc.json');
      renameSync(join(copy, 'svc.json'), elsewhere);
      symlinkSync(elsewhere, join(copy, 'svc.json'));
    },
  ],
  [
    'folder that is a link',
    'assets: is a link,',
    (copy) => {
      const elsewhere = join(temporaryFolder(), 'assets');
      renameSync(join(copy, 'assets'), elsewhere);
      symlinkSync(elsewhere, join(copy, 'assets'));
    },
  ],
  [
    'forged statement beside the right one',
    'attestations/svc.json: its statement was not signed by the key ',
    (copy) =>
      edit(copy, 'attestations/svc.json', (text) => {
        const [bundle] = JSON.parse(text) as [AttestationBundle];
        const payload = Buffer.from('{}').toString('base64');
        return JSON.stringify([bundle, { ...bundle, dsseEnvelope: { ...bundle.dsseEnvelope, payload } }]);
      }),
  ],
  [
    'old statement beside the right one',
    'attestations/svc.json: is a statement of 2026-11-19; the site is of 2026-11-20.',
    (copy) =>
      edit(copy, 'attestations/svc.json', (text) => {
        const old = readFileSync(join(yesterday, 'attestations/svc.json'), 'utf8');
        return JSON.stringify([...(JSON.parse(text) as object[]), ...(JSON.parse(old) as object[])]);
      }),
  ],
  [
    'file in the place of another',
    'svc.json: has the content that SHA256SUMS lists for edge',
    (copy) => copyFileSync(join(copy, 'edge.json'), join(copy, 'svc.json')),
  ],
  [
    'changed list',
    'SHA256SUMS.minisig: is not the signature of this file.',
    (copy) => edit(copy, 'SHA256SUMS', (text) => text.replace('svc.json', 'svd.json')),
  ],
  [
    'missing signature',
    'SHA256SUMS.minisig: is missing. The origin of the site is unknown without a signature',
    (copy) => rmSync(join(copy, 'SHA256SUMS.minisig')),
  ],
  [
    'truncated signature',
    'SHA256SUMS.minisig: is not a signature of minisign.',
    (copy) => edit(copy, 'SHA256SUMS.minisig', (text) => text.slice(0, 100)),
  ],
  [
    'other day in the comment',
    'SHA256SUMS.minisig: has a comment that was not signed with it.',
    (copy) => edit(copy, 'SHA256SUMS.minisig', (text) => text.replace('2026-11-20', '2026-11-21')),
  ],
  [
    'old statement',
    'attestations/svc.json: is a statement of 2026-11-19; the site is of 2026-11-20.',
    (copy) => copyFileSync(join(yesterday, 'attestations/svc.json'), join(copy, 'attestations/svc.json')),
  ],
  [
    "other component's statement",
    'attestations/svc.json: is a statement about edge-node.',
    (copy) => copyFileSync(join(copy, 'attestations/edge.json'), join(copy, 'attestations/svc.json')),
  ],
  [
    'truncated file of statements',
    'attestations/svc.json: not JSON: Unterminated ',
    (copy) => edit(copy, 'attestations/svc.json', (text) => text.slice(0, 900)),
  ],
  [
    'truncated statement',
    'attestations/svc.json: its statement was not signed by the key ',
    (copy) =>
      edit(copy, 'attestations/svc.json', (text) => text.replace(/("payload": "[^"]+)[^"]{8}"/, '$1"')),
  ],
  [
    'wrong payload type',
    'attestations/svc.json: [0].dsseEnvelope.payloadType: expected "application/vnd.in-toto+json"; got "text/plain"',
    (copy) =>
      edit(copy, 'attestations/svc.json', (text) =>
        text.replace('application/vnd.in-toto+json', 'text/plain'),
      ),
  ],
  [
    'unknown key',
    `attestations/svc.json: is signed by the key ${keyIdOf(otherKey)}, not by `,
    (copy) =>
      edit(copy, 'attestations/svc.json', (text) =>
        text.replaceAll(keyIdOf(signed.publicKey), keyIdOf(otherKey)),
      ),
  ],
  [
    'misleading hint',
    'attestations/svc.json: [0]: expected the hint to name the key of the signature',
    (copy) =>
      edit(copy, 'attestations/svc.json', (text) =>
        text.replace(keyIdOf(signed.publicKey), keyIdOf(otherKey)),
      ),
  ],
  [
    'no bundle at all',
    'attestations/svc.json: ',
    (copy) => writeFileSync(join(copy, 'attestations/svc.json'), '[]\n'),
  ],
  [
    'missing statement',
    'attestations/edge.json: is missing. If the site is yours, sign it again: npx release-index sign.',
    (copy) => rmSync(join(copy, 'attestations/edge.json')),
  ],
  [
    'stray statement',
    'attestations/other.json: is not listed in SHA256SUMS. Remove it',
    (copy) => copyFileSync(join(copy, 'attestations/svc.json'), join(copy, 'attestations/other.json')),
  ],
  // What the key itself has signed can be wrong, too.
  [
    'statement of other digests',
    'attestations/svc.json: states another digest of svc.json than SHA256SUMS.',
    (copy) => restate(copy, ({ subject }) => (subject.at(-1)!.digest.sha256 = '0'.repeat(64))),
  ],
  [
    'statement that leaves a file out',
    'attestations/svc.json: does not cover badges/svc.json.',
    (copy) => restate(copy, ({ subject }) => subject.shift()),
  ],
  [
    'statement of another form',
    'attestations/svc.json: its statement: predicate.asOf: expected a day, YYYY-MM-DD',
    (copy) => restate(copy, ({ predicate }) => (predicate.asOf = 'today')),
  ],
  [
    'signature of another day',
    'status.json: is of 2026-11-20, but the signature is of 2026-11-19.',
    (copy) => signAs(copy, 'SHA256SUMS of https://releases.example.com as of 2026-11-19'),
  ],
  [
    'signature of something else',
    'SHA256SUMS.minisig: is for something else: "my holiday pictures".',
    (copy) => signAs(copy, 'my holiday pictures'),
  ],
];

/** As if the owner of the key had stated something else of svc. */
function restate(site: string, change: (statement: Statement) => void): void {
  edit(site, 'attestations/svc.json', (text) => {
    const [bundle] = JSON.parse(text) as [AttestationBundle];
    const statement = JSON.parse(Buffer.from(bundle.dsseEnvelope.payload, 'base64').toString()) as Statement;
    change(statement);
    return JSON.stringify([signStatement(statement, signed.key)]);
  });
}

function signAs(site: string, comment: string): void {
  const list = readFileSync(join(site, 'SHA256SUMS'));
  writeFileSync(join(site, 'SHA256SUMS.minisig'), signFile(list, signed.key, comment));
}

describe('a copy is refused for', () => {
  test.each(damages)('a %s', async (_, said, damage) => {
    const copy = copyOf(site);
    damage(copy);

    const result = await verify(copy);

    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(/^error: [^\n]+\n$/);
    expect(result.stderr.slice('error: '.length)).toStrictEqual(expect.stringMatching(startOf(said)));
  });

  test('each damage in words of its own', () => {
    const said = damages.map(([, text]) => text.replace(/^\S+ /, ''));
    expect(new Set(said).size).toBeGreaterThan(damages.length - 6);
  });

  test('a key that is another', async () => {
    const result = await verify(site, otherKey);

    expect(result.status).toBe(1);
    expect(result.stderr).toContain(
      `error: SHA256SUMS.minisig: is by the key ${keyIdOf(signed.publicKey)}, not by ${keyIdOf(otherKey)}.`,
    );
  });

  test('a statement of another index of the same owner', async () => {
    const trial = await signed.make(day, '--base-url', 'https://trial.example.com');
    const copy = copyOf(site);
    copyFileSync(join(trial, 'attestations/svc.json'), join(copy, 'attestations/svc.json'));

    expect((await verify(trial)).stdout).toContain('Signed for https://trial.example.com');
    expect((await verify(copy)).stderr).toContain(
      'error: attestations/svc.json: is a statement of another index, https://trial.example.com.',
    );
  });
});

function startOf(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`);
}
