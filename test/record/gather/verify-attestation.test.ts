import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { readTrustedRoot } from '../../../src/io/trusted-root.ts';
import { verifierBy, type Verified } from '../../../src/record/gather/verify-attestation.ts';
import {
  imitateSigstore,
  provenanceOf,
  type Build,
  type Sigstore,
} from '../../harness/sigstore.ts';

const fixture = (name: string): unknown =>
  JSON.parse(
    readFileSync(new URL(`../../fixtures/attestations/${name}.json`, import.meta.url), 'utf8'),
  );

const verify = verifierBy(readTrustedRoot({}));

test('real attestations of npm state the build, in both versions of SLSA', () => {
  const digest =
    'sha512:46d4e2f74c4877316640000a6fdf8a8b59f1e0847667973e9859f774dd31b8f1e0937813b777fb66a2ac67d50540fe34640966eee9fc2ccca387082b4c85cd3c';
  expect(verify([fixture('npm-sigstore-2.0.0')], digest)).toEqual({
    provenance: {
      builder:
        'https://github.com/sigstore/sigstore-js/.github/workflows/release.yml@refs/heads/main',
      run: 'https://github.com/sigstore/sigstore-js/actions/runs/5904696764/attempts/1',
      repository: 'https://github.com/sigstore/sigstore-js',
      commit: 'f0b49a04e5a62250e0f60fb128004a73110fe311',
      ref: 'refs/heads/main',
      predicateType: 'https://slsa.dev/provenance/v1',
    },
  });
  const older = fixture('npm-sigstore-1.3.0') as { dsseEnvelope: { payload: string } };
  expect(verify([older], digestIn(older.dsseEnvelope.payload))).toMatchObject({
    provenance: {
      repository: 'https://github.com/sigstore/sigstore-js',
      predicateType: 'https://slsa.dev/provenance/v0.2',
    },
  });
});

function digestIn(payload: string): string {
  const { subject } = JSON.parse(Buffer.from(payload, 'base64').toString()) as {
    subject: [{ digest: { sha512: string } }];
  };
  return `sha512:${subject[0].digest.sha512}`;
}

let sigstore: Sigstore;
beforeAll(async () => {
  sigstore = await imitateSigstore();
});
const hex = (text: string) => createHash('sha256').update(text).digest('hex');
const digests = `sha256:${hex('agent')}`;
const subject = { name: 'agent.zip', digest: { sha256: hex('agent') } };
const verified = async (build: Build): Promise<Verified> =>
  verifierBy(sigstore.root)([await sigstore.attest(subject, build)], digests);
const built = 'https://github.com/example/agent';
const workflow = `${built}/.github/workflows/release.yml@refs/heads/main`;
const expectedIssuer = (expected: string, got: string) =>
  `expected a certificate by the issuer of its host, "${expected}"; got "${got}"`;

test('an attestation states builder, run, repository, commit and times', async () => {
  const { source: _, ...provenance } = provenanceOf('npm:agent');
  expect(await verified({})).toEqual({ provenance });
});

test.each<[Build, string]>([
  [
    { states: { repository: 'https://github.com/other/agent' } },
    `expected the repository of its certificate, "${built}"; got "https://github.com/other/agent"`,
  ],
  [
    { states: { repository: built.replace('github', 'gith\u212aub') } },
    `expected the repository of its certificate, "${built}"; got "https://gith\u212aub.com/example/agent"`,
  ],
  [
    { predicate: { buildDefinition: {}, runDetails: { builder: { id: workflow } } } },
    `expected the repository of its certificate, "${built}"; got none`,
  ],
  [
    { states: { builder: `${built}/.github/workflows/other.yml@refs/heads/main` } },
    `expected the builder of its certificate, "${workflow}"; got "${built}/.github/workflows/other.yml@refs/heads/main"`,
  ],
  [
    { states: { builder: 'https://builds.example/runner' } },
    `expected the builder of its certificate, "${workflow}"; got "https://builds.example/runner"`,
  ],
  [
    { loggedAfterMs: 60 * 60_000 },
    'expected a bundle that verifies; got one where "certificate is not valid or expired at the specified date"',
  ],
  [
    { predicate: { builder: 'me' } },
    'buildDefinition: expected object; got nothing, and it is required',
  ],
  [{ isPerson: true }, `expected the certificate of a build; got that of "${workflow}"`],
  [
    { issuer: 'https://evil.example' },
    expectedIssuer('https://token.actions.githubusercontent.com', 'https://evil.example'),
  ],
  [
    { address: 'https://git.example.com/example/agent' },
    expectedIssuer('https://git.example.com', 'https://token.actions.githubusercontent.com'),
  ],
  [
    { address: 'https://gitlab.com/example/agent', issuer: 'https://gitlab.example.com' },
    expectedIssuer('https://gitlab.com', 'https://gitlab.example.com'),
  ],
  [
    { ref: 'refs/pull/7/merge' },
    'expected a build of a tag or a branch; got one of "refs/pull/7/merge"',
  ],
])('an attestation is rejected with the reason: %j', async (build, refused) => {
  expect(await verified(build)).toEqual({ refused });
});

test('an attestation is rejected for another artifact or signature, by another root, or with only SHA-1', async () => {
  const bundle = await sigstore.attest(subject);
  const other = await imitateSigstore();
  const weak = await sigstore.attest({ name: 'agent.zip', digest: { sha1: 'b'.repeat(40) } });
  const changed = changeByte(await sigstore.attest(subject));
  const verify = verifierBy(sigstore.root);

  expect([
    verify([changed], digests),
    verify([bundle], `sha1:${'b'.repeat(40)} sha256:${hex('tampered')}`),
    verifierBy(other.root)([bundle], digests),
    verify([weak], `sha1:${'b'.repeat(40)}`),
    verify([{ mediaType: 'text/plain' }], digests),
  ]).toEqual(
    [
      'expected a bundle that verifies; got one where "tlog entry signature mismatch"',
      `expected a statement on sha256:${hex('tampered')}; got one on ${digests} (agent.zip)`,
      'expected a bundle that verifies; got one where "no valid certificate path found"',
      `expected a statement on a digest stronger than SHA-1; got one on sha1:${'b'.repeat(40)} (agent.zip)`,
      'expected a bundle that verifies; got one where "invalid bundle"',
    ].map((refused) => ({ refused })),
  );
});

test('an attestation is ignored if of another kind, and one valid attestation is enough', async () => {
  const verify = verifierBy(sigstore.root);
  const [material, good, forged] = await Promise.all([
    sigstore.attest(subject, { predicateType: 'https://spdx.dev/Document' }),
    sigstore.attest(subject),
    sigstore.attest(subject, { states: { repository: 'https://github.com/other/agent' } }),
  ]);

  expect(verify([material], digests)).toEqual({});
  expect(verify([material, forged, good], digests).provenance?.repository).toBe(built);
});

function changeByte(bundle: object): object {
  const { dsseEnvelope } = bundle as { dsseEnvelope: { signatures: [{ sig: string }] } };
  const bytes = Buffer.from(dsseEnvelope.signatures[0].sig, 'base64');
  bytes[20]! ^= 1;
  dsseEnvelope.signatures[0].sig = bytes.toString('base64');
  return bundle;
}
