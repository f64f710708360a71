import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TrustedRoot } from '@sigstore/protobuf-specs';
import { shippedTrustedRoot } from '../../../src/io/trusted-root.ts';
import { verifierBy, type Verified } from '../../../src/record/gather/verify-attestation.ts';
import { imitateSigstore, provenanceOf, type Build, type Sigstore } from '../../harness/sigstore.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../fixtures/attestations/${name}.json`, import.meta.url), 'utf8'));

describe('real attestations, verified by the shipped trusted root', () => {
  let verify: ReturnType<typeof verifierBy>;
  beforeAll(async () => {
    verify = verifierBy(await shippedTrustedRoot());
  });

  test('of npm state the build, in both versions of SLSA', () => {
    const digest =
      'sha512:46d4e2f74c4877316640000a6fdf8a8b59f1e0847667973e9859f774dd31b8f1e0937813b777fb66a2ac67d50540fe34640966eee9fc2ccca387082b4c85cd3c';
    expect(verify([{ bundle: fixture('npm-sigstore-2.0.0') }], digest)).toEqual({
      provenance: {
        builder: 'https://github.com/sigstore/sigstore-js/.github/workflows/release.yml@refs/heads/main',
        run: 'https://github.com/sigstore/sigstore-js/actions/runs/5904696764/attempts/1',
        repository: 'https://github.com/sigstore/sigstore-js',
        commit: 'f0b49a04e5a62250e0f60fb128004a73110fe311',
        ref: 'refs/heads/main',
        predicateType: 'https://slsa.dev/provenance/v1',
      },
    });
    const older = fixture('npm-sigstore-1.3.0') as { dsseEnvelope: { payload: string } };
    expect(verify([{ bundle: older }], digestIn(older.dsseEnvelope.payload))).toMatchObject({
      provenance: {
        repository: 'https://github.com/sigstore/sigstore-js',
        predicateType: 'https://slsa.dev/provenance/v0.2',
      },
    });
  });
});

function digestIn(payload: string): string {
  const { subject } = JSON.parse(Buffer.from(payload, 'base64').toString()) as {
    subject: [{ digest: { sha512: string } }];
  };
  return `sha512:${subject[0].digest.sha512}`;
}

describe('an attestation', () => {
  let sigstore: Sigstore;
  beforeAll(async () => {
    sigstore = await imitateSigstore();
  });
  const hex = (text: string) => createHash('sha256').update(text).digest('hex');
  const digests = `sha256:${hex('agent')}`;
  const subject = { name: 'agent.zip', digest: { sha256: hex('agent') } };
  const verified = async (
    build: Build,
    change: (bundle: object) => void = () => undefined,
  ): Promise<Verified> => {
    const bundle = await sigstore.attest(subject, build);
    change(bundle);
    return verifierBy(sigstore.root)([{ bundle }], digests);
  };
  const built = 'https://github.com/example/agent';
  const workflow = `${built}/.github/workflows/release.yml@refs/heads/main`;

  test('states builder, run, repository, commit and times', async () => {
    const { source: _, ...provenance } = provenanceOf('npm:agent');
    expect(await verified({})).toEqual({ provenance });
  });

  test('is rejected with a specific reason', async () => {
    const refusals = [
      await verified({}, (bundle) => changeByte(bundle)),
      await verified({ states: { repository: 'https://github.com/other/agent' } }),
      await verified({ states: { builder: `${built}/.github/workflows/other.yml@refs/heads/main` } }),
      await verified({ states: { builder: 'https://builds.example/runner' } }),
      await verified({ loggedAfterMs: 60 * 60_000 }),
      await verified({ predicate: { builder: 'me' } }),
      await verified({ predicateType: 'https://docs.pypi.org/attestations/publish/v1', predicate: null }),
      await verified({ isPerson: true }),
      await verified({ issuer: 'https://evil.example' }),
      await verified({ address: 'https://git.example.com/example/agent' }),
      await verified({ address: 'https://gitlab.com/example/agent', issuer: 'https://gitlab.example.com' }),
      await verified({ ref: 'refs/pull/7/merge' }),
      await verified({
        states: { repository: 'https://github.com/example/agent'.replace('github', 'gith\u212aub') },
      }),
    ];

    expect(refusals).toEqual(
      [
        'expected a bundle that verifies; got one where "tlog entry signature mismatch"',
        `expected the repository of its certificate, "${built}"; got "https://github.com/other/agent"`,
        `expected the builder of its certificate, "${workflow}"; got "${built}/.github/workflows/other.yml@refs/heads/main"`,
        `expected the builder of its certificate, "${workflow}"; got "https://builds.example/runner"`,
        'expected a bundle that verifies; got one where "certificate is not valid or expired at the specified date"',
        'buildDefinition: expected object; got nothing, and it is required',
        `expected the repository of its certificate, "${built}"; got none`,
        `expected the certificate of a build; got that of "${workflow}"`,
        'expected a certificate by the issuer of its host, "https://token.actions.githubusercontent.com"; got "https://evil.example"',
        'expected a certificate by the issuer of its host, "https://git.example.com"; got "https://token.actions.githubusercontent.com"',
        'expected a certificate by the issuer of its host, "https://gitlab.com"; got "https://gitlab.example.com"',
        'expected a build of a tag or a branch; got one of "refs/pull/7/merge"',
        `expected the repository of its certificate, "${built}"; got "https://gith\u212aub.com/example/agent"`,
      ].map((refused) => ({ refused })),
    );
  });

  test('is rejected for another artifact, by another root, or with only SHA-1', async () => {
    const bundle = await sigstore.attest(subject);
    const other = await imitateSigstore();
    const weak = await sigstore.attest({ name: 'agent.zip', digest: { sha1: 'b'.repeat(40) } });
    const verify = verifierBy(sigstore.root);

    expect([
      verify([{ bundle }], `sha1:${'b'.repeat(40)} sha256:${hex('tampered')}`),
      verifierBy(other.root)([{ bundle }], digests),
      verify([{ bundle: weak }], `sha1:${'b'.repeat(40)}`),
      verify([{ bundle: { mediaType: 'text/plain' } }], digests),
    ]).toEqual(
      [
        `expected a statement on sha256:${hex('tampered')}; got one on ${digests} (agent.zip)`,
        'expected a bundle that verifies; got one where "no valid certificate path found"',
        `expected a statement on a digest stronger than SHA-1; got one on sha1:${'b'.repeat(40)} (agent.zip)`,
        'expected a bundle that verifies; got one where "invalid bundle"',
      ].map((refused) => ({ refused })),
    );
  });

  test('is ignored if of another kind, and one valid attestation is enough', async () => {
    const verify = verifierBy(sigstore.root);
    const [material, good, forged] = await Promise.all([
      sigstore.attest(subject, { predicateType: 'https://spdx.dev/Document' }),
      sigstore.attest(subject),
      sigstore.attest(subject, { states: { repository: 'https://github.com/other/agent' } }),
    ]);

    expect(verify([{ bundle: material }], digests)).toEqual({});
    expect(
      verify(
        [material, forged, good].map((bundle) => ({ bundle })),
        digests,
      ).provenance?.repository,
    ).toBe(built);
  });
});

function changeByte(bundle: object): void {
  const { dsseEnvelope } = bundle as { dsseEnvelope: { signatures: [{ sig: string }] } };
  const bytes = Buffer.from(dsseEnvelope.signatures[0].sig, 'base64');
  bytes[20]! ^= 1;
  dsseEnvelope.signatures[0].sig = bytes.toString('base64');
}

describe('the shipped trusted root', () => {
  const monthMs = 31 * 86_400_000;

  /** Keys and authorities that end between two times, and kinds without a valid one at the second time. */
  function endingBetween(from: Date, to: Date, root: TrustedRoot): string[] {
    const authorities = [...root.certificateAuthorities, ...root.timestampAuthorities].map((one) => {
      const certificates = one.certChain?.certificates ?? [];
      const ends = certificates.map(({ rawBytes }) => new X509Certificate(rawBytes).validToDate);
      const kind = root.certificateAuthorities.includes(one) ? 'certificates' : 'timestamps';
      return { kind, name: one.uri, ends: [...ends, one.validFor?.end] };
    });
    const logs = [...root.tlogs, ...root.ctlogs].map((log) => {
      const kind = root.tlogs.includes(log) ? 'signatures' : 'log of certificates';
      return { kind, name: log.baseUrl, ends: [log.publicKey?.validFor?.end] };
    });
    return [...Map.groupBy([...authorities, ...logs], ({ kind }) => kind)].flatMap(([kind, all]) => {
      const holds = (end: Date | undefined, at: Date) => end === undefined || end > at;
      const soon = all.filter(
        ({ ends }) => ends.every((end) => holds(end, from)) && !ends.every((end) => holds(end, to)),
      );
      const isNoneLeft = !all.some(({ ends }) => ends.every((end) => holds(end, to)));
      return [...soon.map(({ name }) => name), ...(isNoneLeft ? [kind] : [])];
    });
  }

  test('has no key or authority that ends within a month', async () => {
    const root = await shippedTrustedRoot();
    const now = new Date();

    expect(endingBetween(now, new Date(now.getTime() + monthMs), root)).toEqual([]);
    // The first authority of the public Sigstore has ended, and its successor ends in 2031.
    expect(endingBetween(new Date('2022-12-15'), new Date('2023-01-15'), root)).toEqual([
      'https://fulcio.sigstore.dev',
    ]);
    expect(endingBetween(new Date('2031-09-15'), new Date('2031-10-15'), root)).toEqual([
      'https://fulcio.sigstore.dev',
      'certificates',
    ]);
  });
});
