import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFromJSON } from '@sigstore/bundle';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { beforeAll, expect, test } from 'vitest';
import type {
  AttestationBundle,
  Statement,
} from '../../../src/core/schemas/published/statement.ts';
import { sha256 } from '../../../src/io/files/sha256.ts';
import { differences, filesIn, readJsonIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { makeSecretKey } from '../../harness/signing-key.ts';
import { copyOf, edit, openSignedSite, type SignedTestSite } from '../../harness/signed-site.ts';
import { covers } from '../../harness/covers.ts';

const day = '2026-11-20';
let signed: SignedTestSite;
let site: string;
beforeAll(async () => {
  signed = openSignedSite();
  site = await signed.make(day);
});

function bundleOf(component: string, folder = site): AttestationBundle {
  return readJsonIn<AttestationBundle[]>(folder, `attestations/${component}.json`)[0]!;
}

function payloadOf({ dsseEnvelope }: AttestationBundle): Buffer {
  return Buffer.from(dsseEnvelope.payload, 'base64');
}

function statementOf(component: string, folder = site): Statement {
  return JSON.parse(payloadOf(bundleOf(component, folder)).toString()) as Statement;
}

test('a statement names the inputs and the files of a component', () => {
  covers(11);
  const { dir } = signed.root;
  const digestIn = (folder: string, path: string) => ({
    sha256: sha256(readFileSync(join(folder, path))),
  });

  const { subject, ...statement } = statementOf('svc');

  expect(statement).toEqual({
    _type: 'https://in-toto.io/Statement/v1',
    predicateType: 'https://releases.example.com/schema/statement/v1',
    predicate: {
      component: 'svc',
      asOf: day,
      events: 0,
      sources: [],
      support: {
        policy: 'term',
        months: 18,
        description: expect.stringContaining('18 months') as string,
      },
      inputs: ['components/svc.json', 'data/svc.json'].map((name) => ({
        name,
        digest: digestIn(dir, name),
      })),
      repository: 'https://github.com/example/release-index',
      commit: signed.commit,
    },
  });
  expect(subject).toEqual(subject.map(({ name }) => ({ name, digest: digestIn(site, name) })));
  expect(subject.map(({ name }) => name)).toEqual([
    'badges/svc.json',
    'badges/svc.svg',
    'badges/svc/lines.svg',
    'calendars/svc.ics',
    'details/svc.json',
    'endoflife/api/svc.json',
    'endoflife/api/v1/products/svc',
    'feeds/svc.atom',
    'latest/svc.txt',
    'svc.html',
    'svc.json',
  ]);
});

test('a renamed component has one statement, under each name and about the files of each name', () => {
  const subjects = statementOf('edge-node').subject.map(({ name }) => name);

  expect(readFileSync(join(site, 'attestations/edge.json'))).toEqual(
    readFileSync(join(site, 'attestations/edge-node.json')),
  );
  expect(subjects).toEqual(
    expect.arrayContaining(['edge.json', 'edge.html', 'edge-node.json', 'details/edge.json']),
  );
});

test('the type of a statement leads to its schema, which the site publishes', () => {
  const path = new URL(statementOf('svc').predicateType).pathname.slice(1);

  expect(readFileSync(join(site, path), 'utf8')).toBe(
    readFileSync(join(site, 'schema/statement.json'), 'utf8'),
  );
});

test('a commit and a day always give the same statements, and another day changes only seven files', async () => {
  const again = await signed.make(day);
  const later = await signed.make('2026-11-21');

  expect(differences(filesIn(site), filesIn(again))).toEqual([]);
  expect(differences(filesIn(site), filesIn(later))).toEqual([
    'SHA256SUMS',
    'SHA256SUMS.minisig',
    'assets/today.css',
    'attestations/edge-node.json',
    'attestations/edge.json',
    'attestations/svc.json',
    'status.json',
  ]);
});

test('the list of digests holds the public key, and no statement', () => {
  const list = readFileSync(join(site, 'SHA256SUMS'), 'utf8');

  expect(list).not.toContain('attestations/');
  for (const key of ['signing-key.pub', 'signing-key.pem']) {
    expect(list).toContain(`  ${key}\n`);
  }
});

test('a statement names no commit where a definition differs from the commit', async () => {
  const other = openSignedSite();
  other.root.write('components/svc.json', `${other.root.read('components/svc.json')}\n`);

  const { predicate } = statementOf('svc', await other.make(day));

  expect(predicate).not.toHaveProperty('commit');
  expect(predicate).not.toHaveProperty('repository');
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

test('a site without a key is not signed, and a build removes statements', async () => {
  const other = openSignedSite();
  const out = await other.make(day);
  other.root.configure({ signingPublicKey: undefined });

  const built = await run(['build', '--root', other.root.dir, '--out', out, '--as-of', day]);
  const signed = await run(['sign', '--root', other.root.dir, '--out', out]);

  expect(built.status, built.stderr).toBe(0);
  for (const path of ['attestations', 'signing-key.pub']) {
    expect(existsSync(join(out, path))).toBe(false);
  }
  expect(signed.stdout).toContain('Not signed: RELEASE_INDEX_SIGNING_KEY is not set');
});

test('check reads statements as part of the site, and rejects a stray file next to them', async () => {
  const check = (out: string) =>
    run(['check', '--root', signed.root.dir, '--out', out, '--as-of', day]);
  const damaged = copyOf(site);
  edit(damaged, 'attestations/svc.json', (text) => text.replace('"sig": "', '"sig": "*'));
  writeFileSync(join(damaged, 'attestations/nobody.json'), '[]\n');

  expect(await check(site)).toMatchObject({ status: 0, stderr: '' });
  const found = await check(damaged);
  expect(found.stderr).toContain(
    'attestations/svc.json: [0].dsseEnvelope.signatures[0].sig: expected Base64',
  );
  expect(found.stderr).toContain(
    'attestations/nobody.json: is not listed in SHA256SUMS. Remove it',
  );
});

test("Sigstore's verifier accepts each envelope with the plain key, and none that was changed", () => {
  const pem = readFileSync(join(site, 'signing-key.pem'), 'utf8');
  const trust = toTrustMaterial(TrustedRoot.fromJSON({}), (hint) => {
    expect(hint).toBe(bundleOf('svc').verificationMaterial.publicKey.hint);
    return { publicKey: createPublicKey(pem), validFor: () => true };
  });
  const verifier = new Verifier(trust, {
    tlogThreshold: 0,
    ctlogThreshold: 0,
    timestampThreshold: 0,
  });
  const judge = (bundle: AttestationBundle) =>
    verifier.verify(toSignedEntity(bundleFromJSON(bundle)));

  for (const name of ['svc', 'edge-node', 'edge']) {
    expect(() => judge(bundleOf(name))).not.toThrow();
  }
  const changed = bundleOf('svc');
  changed.dsseEnvelope.payload = Buffer.from(
    payloadOf(changed).toString().replace('"svc"', '"svd"'),
  ).toString('base64');
  expect(() => judge(changed)).toThrow('signature verification failed');
});
