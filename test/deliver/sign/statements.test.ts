import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toSignedEntity, Verifier } from '@sigstore/verify';
import { expect, test } from 'vitest';
import type {
  ReleaseStatement,
  StatementBundle,
} from '../../../src/core/schemas/published/statement.ts';
import { definition, differences, filesIn, temporaryFolder } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { makeSecretKey, publicKeyOf } from '../../harness/signing-key.ts';
import {
  bundlesIn,
  copyOf,
  edit,
  makeSignedSite,
  openSignedSite,
  statementIn,
} from '../../harness/signed-site.ts';

type Bundle = Parameters<typeof toSignedEntity>[0];
type Envelope = StatementBundle['dsseEnvelope'];

const day = '2026-11-20';
const { signed, site } = await makeSignedSite(day);

function statementsOf(component: string): ReleaseStatement[] {
  return bundlesIn(site, component).map(statementIn);
}

test('a statement names a release by the digests of its publisher, with its day and support', () => {
  expect(statementsOf('svc')).toEqual([
    {
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'svc@2026.1', digest: { sha256: 'a'.repeat(64) } }],
      predicateType: 'https://releases.example.com/schema/release-statement.json',
      predicate: {
        id: 'svc/2026.1/2026-11-20',
        component: 'svc',
        version: '2026.1',
        on: day,
        line: '2026.1',
        releaseTimestamp: '2026-01-01T00:00:00Z',
        timestampKind: 'published',
        state: 'supported',
        supportedUntil: '2027-07-01',
      },
    },
  ]);
});

test('a renamed component has the same statements under each name', () => {
  const statements = readFileSync(join(site, 'statements/edge-node.ndjson'), 'utf8');

  expect(statementsOf('edge-node').map(({ predicate }) => predicate.id)).toEqual([
    'edge-node/1.0/2026-11-20',
  ]);
  expect(readFileSync(join(site, 'statements/edge.ndjson'), 'utf8')).toBe(statements);
});

test('the statements of a component that was renamed twice are oldest first', async () => {
  const twice = openSignedSite({ hasDigests: true });
  const names = ['edge', 'edge-proxy', 'edge-node'];
  twice.root.write('components/edge-node.json', definition({ renamedFrom: names.slice(0, 2) }));
  await twice.record('2026-11-18');
  const newest = twice.root.read('data/statements/edge-node.ndjson');
  for (const [index, name] of names.slice(0, 2).entries()) {
    const older = newest.replaceAll(/edge-node(?=[/"])/g, name).replaceAll('-18"', `-1${index}"`);
    twice.root.write(`data/statements/${name}.ndjson`, older);
  }

  const out = await twice.make('2026-11-18');
  const statements = bundlesIn(out, 'edge-node').map(statementIn);

  expect(statements.map(({ predicate }) => predicate.id)).toEqual([
    'edge/1.0/2026-11-10',
    'edge-proxy/1.0/2026-11-11',
    'edge-node/1.0/2026-11-18',
  ]);
  const verified = await run([
    'verify',
    '--root',
    twice.root.dir,
    '--out',
    out,
    '--as-of',
    '2026-11-18',
  ]);
  expect([verified.status, verified.stderr]).toEqual([0, '']);
});

test('the type of a statement is the address of its schema, which the site publishes', () => {
  const path = new URL(statementsOf('svc')[0]!.predicateType).pathname.slice(1);

  expect(readFileSync(join(site, path), 'utf8')).toContain('"predicateType"');
});

test('a day always gives the same signed files, and another day changes only four files', async () => {
  const again = await signed.make(day);
  const later = await signed.make('2026-11-21');

  expect(differences(filesIn(site), filesIn(again))).toEqual([]);
  expect(differences(filesIn(site), filesIn(later))).toEqual([
    'SHA256SUMS',
    'SHA256SUMS.minisig',
    'assets/today.css',
    'status.json',
  ]);
});

test('the list of digests holds the public key, and no statement', () => {
  const list = readFileSync(join(site, 'SHA256SUMS'), 'utf8');

  expect(list).not.toContain('statements/');
  for (const key of ['signing-key.pub', 'signing-key.pem']) {
    expect(list).toContain(`  ${key}\n`);
  }
});

test('sign rejects a site that was built from something else', async () => {
  const other = openSignedSite();
  const out = await other.make(day);
  edit(other.root.dir, 'data/svc.json', (text) => text.replace('2026-01-01', '2026-01-02'));
  other.root.configure({ signingPublicKey: undefined });

  const { status, stderr } = await run(['sign', '--root', other.root.dir, '--out', out], {
    RELEASE_INDEX_SIGNING_KEY: makeSecretKey(),
  });

  expect(status).toBe(1);
  expect(stderr).toContain('was built from other definitions or data');
});

test('sign rejects a site that was built for another address', async () => {
  const other = openSignedSite();
  other.root.configure({ signingPublicKey: undefined });
  const out = await other.make(day, '--base-url', 'https://trial.example.com');

  const { status, stderr } = await run(['sign', '--root', other.root.dir, '--out', out], {
    RELEASE_INDEX_SIGNING_KEY: makeSecretKey(),
  });

  expect(status).toBe(1);
  expect(stderr).toContain(
    'was built for the address https://trial.example.com, not for https://releases.example.com. Run: npx release-index build',
  );
});

test('a site is not signed without the statements of a file that cannot be read', async () => {
  const other = openSignedSite({ hasDigests: true });
  await other.record(day);
  const key = makeSecretKey();
  other.root.configure({ signingPublicKey: publicKeyOf(key) });
  const out = join(temporaryFolder(), 'dist');
  const where = ['--root', other.root.dir, '--out', out];
  await run(['build', ...where, '--as-of', day]);
  other.root.write('data/statements/svc.ndjson', 'damaged\n');

  const { status, stderr } = await run(['sign', ...where], { RELEASE_INDEX_SIGNING_KEY: key });

  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('data/statements/svc.ndjson: line 1: not JSON'),
  ]);
});

test('a site without a key is not signed, and a build removes statements', async () => {
  const other = openSignedSite({ hasDigests: true });
  await other.record(day);
  const out = await other.make(day);
  expect(existsSync(join(out, 'statements/svc.ndjson'))).toBe(true);
  other.root.configure({ signingPublicKey: undefined });

  const built = await run(['build', '--root', other.root.dir, '--out', out, '--as-of', day]);
  const unsigned = await run(['sign', '--root', other.root.dir, '--out', out]);

  expect(built.status, built.stderr).toBe(0);
  for (const path of ['statements', 'signing-key.pub']) {
    expect(existsSync(join(out, path))).toBe(false);
  }
  expect(unsigned.stdout).toContain('Not signed: RELEASE_INDEX_SIGNING_KEY is not set');
});

test('check reads statements as part of the site, and rejects a stray file next to them', async () => {
  const check = (out: string) =>
    run(['check', '--root', signed.root.dir, '--out', out, '--as-of', day]);
  const stray = copyOf(site);
  writeFileSync(join(stray, 'statements/nobody.ndjson'), '');

  expect(await check(site)).toMatchObject({ status: 0, stderr: '' });
  expect((await check(stray)).stderr).toContain(
    'statements/nobody.ndjson: is not listed in SHA256SUMS. Remove it',
  );
});

/** A bundle as Sigstore's libraries have it in memory: bytes in place of Base64. */
function openBundle({ mediaType, verificationMaterial, dsseEnvelope }: StatementBundle): Bundle {
  const [{ sig, keyid }] = dsseEnvelope.signatures as [Envelope['signatures'][number]];
  const { publicKey } = verificationMaterial;
  return {
    mediaType,
    verificationMaterial: {
      content: { $case: 'publicKey', publicKey },
      tlogEntries: [],
      timestampVerificationData: undefined,
    },
    content: {
      $case: 'dsseEnvelope',
      dsseEnvelope: {
        payload: Buffer.from(dsseEnvelope.payload, 'base64'),
        payloadType: dsseEnvelope.payloadType,
        signatures: [{ sig: Buffer.from(sig, 'base64'), keyid }],
      },
    },
  };
}

test("Sigstore's verifier accepts each envelope with the plain key, and none that was changed", () => {
  const pem = readFileSync(join(site, 'signing-key.pem'), 'utf8');
  const bundles = ['svc', 'edge-node', 'edge'].flatMap((name) => bundlesIn(site, name));
  const trust = {
    ...{ certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] },
    publicKey(hint: string) {
      expect(hint).toBe(bundles[0]!.verificationMaterial.publicKey.hint);
      return { publicKey: createPublicKey(pem), validFor: () => true };
    },
  };
  const verifier = new Verifier(trust, {
    tlogThreshold: 0,
    ctlogThreshold: 0,
    timestampThreshold: 0,
  });
  const judge = (bundle: StatementBundle) => verifier.verify(toSignedEntity(openBundle(bundle)));

  expect(bundles).toHaveLength(3);
  for (const bundle of bundles) {
    expect(() => judge(bundle)).not.toThrow();
  }
  const [{ dsseEnvelope, ...material }] = bundles as [(typeof bundles)[number]];
  const text = Buffer.from(dsseEnvelope.payload, 'base64').toString();
  const payload = Buffer.from(text.replace('"svc"', '"svd"')).toString('base64');
  expect(() => judge({ ...material, dsseEnvelope: { ...dsseEnvelope, payload } })).toThrow(
    'signature verification failed',
  );
});
