import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { initializeCA, initializeCTLog, initializeTLog } from '@sigstore/mock';
import { HashAlgorithm, PublicKeyDetails, TrustedRoot } from '@sigstore/protobuf-specs';
import { provenanceTypes } from '../../src/core/schemas/recorded/provenance.ts';
import { temporaryFolder } from './root.ts';

/** What a certificate of a build says, and what the statement says beside it. */
export interface Build {
  /** `owner/name` on GitHub. */
  repository?: string;
  /** The certificate is that of somebody with an address alone. */
  isPerson?: true;
  ref?: string;
  /** Whoever the certificate says has issued the token of the build. */
  issuer?: string;
  /** The address of the repository as the certificate has it, where it is of another host. */
  address?: string;
  /** Of the statement alone, where it is to differ from the certificate. */
  states?: { repository?: string; builder?: string };
  predicateType?: string;
  predicate?: unknown;
  /** How long after its certificate the log has seen the bundle. */
  loggedAfterMs?: number;
}

/** Name and digests of what a statement is about: `{"sha256": "<hex>"}`. */
export interface Subject {
  name: string;
  digest: Record<string, string>;
}

export type Sigstore = Awaited<ReturnType<typeof imitateSigstore>>;

/** github.com/sigstore/rekor, openapi.yaml, "LogEntry" */
interface LogEntry {
  body: string;
  integratedTime: number;
  logID: string;
  logIndex: number;
  verification: {
    signedEntryTimestamp: string;
    inclusionProof: { logIndex: number; rootHash: string; treeSize: number; checkpoint: string };
  };
}

/** A certificate authority with a log of certificates and a log of signatures, as the public Sigstore has them. */
export async function imitateSigstore() {
  const keys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificateLog = await initializeCTLog(keys());
  const authority = await initializeCA(
    generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    certificateLog,
  );
  const logKeys = keys();
  const base64 = (bytes: ArrayBufferView) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const logOf = (publicKey: Buffer, baseUrl: string) => ({
    baseUrl,
    hashAlgorithm: HashAlgorithm[HashAlgorithm.SHA2_256],
    publicKey: {
      rawBytes: publicKey.toString('base64'),
      keyDetails: PublicKeyDetails[PublicKeyDetails.PKIX_ECDSA_P256_SHA_256],
      validFor: { start: '2020-01-01T00:00:00Z' },
    },
    logId: { keyId: createHash('sha256').update(publicKey).digest('base64') },
  });
  const log = await initializeTLog('https://log.example', logKeys);
  const root = {
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [logOf(log.publicKey, 'https://log.example')],
    certificateAuthorities: [
      {
        uri: 'https://authority.example',
        certChain: { certificates: [{ rawBytes: base64(authority.rootCertificate) }] },
        validFor: { start: '2020-01-01T00:00:00Z' },
      },
    ],
    ctlogs: [logOf(certificateLog.publicKey, 'https://certificates.example')],
    timestampAuthorities: [],
  };
  const rootPath = join(temporaryFolder(), 'trusted-root.json');
  writeFileSync(rootPath, JSON.stringify(root));
  return { root: TrustedRoot.fromJSON(root), rootPath, attest };

  /** A bundle in JSON that verifies by this root. */
  async function attest(subject: Subject, build: Build = {}): Promise<object> {
    const { loggedAfterMs = 0 } = build;
    const certified = certificateOf(build);
    const signing = keys();
    const certificate = await authority.issueCertificate({
      publicKey: signing.publicKey.export({ format: 'der', type: 'spki' }),
      subjectAltName: certified.builder,
      extensions: Object.entries(certified.extensions).map(([number, value]) => ({
        oid: `1.3.6.1.4.1.57264.1.${number}`,
        value,
      })),
    });
    const payload = Buffer.from(JSON.stringify(statementOf(subject, build)));
    const payloadType = 'application/vnd.in-toto+json';
    const signed = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
    const signature = sign(
      'sha256',
      Buffer.concat([Buffer.from(signed), payload]),
      signing.privateKey,
    );
    const seen = await initializeTLog(
      'https://log.example',
      logKeys,
      new Date(Date.now() + loggedAfterMs),
    );
    const [entry] = Object.values<LogEntry>(
      await seen.log({
        apiVersion: '0.0.1',
        kind: 'dsse',
        spec: {
          payloadHash: {
            algorithm: 'sha256',
            value: createHash('sha256').update(payload).digest('hex'),
          },
          signatures: [{ signature: signature.toString('base64'), verifier: base64(certificate) }],
        },
      }),
    );
    const { inclusionProof: proof, signedEntryTimestamp } = entry!.verification;
    return {
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: {
        certificate: { rawBytes: base64(certificate) },
        tlogEntries: [
          {
            logIndex: String(entry!.logIndex),
            logId: { keyId: Buffer.from(entry!.logID, 'hex').toString('base64') },
            kindVersion: { kind: 'dsse', version: '0.0.1' },
            integratedTime: String(entry!.integratedTime),
            inclusionPromise: { signedEntryTimestamp },
            inclusionProof: {
              logIndex: String(proof.logIndex),
              rootHash: Buffer.from(proof.rootHash, 'hex').toString('base64'),
              treeSize: String(proof.treeSize),
              hashes: [],
              checkpoint: { envelope: proof.checkpoint },
            },
            canonicalizedBody: entry!.body,
          },
        ],
      },
      dsseEnvelope: {
        payload: payload.toString('base64'),
        payloadType,
        signatures: [{ sig: signature.toString('base64') }],
      },
    };
  }
}

const commit = 'a'.repeat(40);

/** The extensions of a certificate that the public Sigstore gives a workflow, by the last number of their object identifier. */
function certificateOf({
  repository = 'example/agent',
  ref = 'refs/heads/main',
  issuer = 'https://token.actions.githubusercontent.com',
  address = `https://github.com/${repository}`,
  isPerson,
}: Build) {
  const builder = `${address}/.github/workflows/release.yml@${ref}`;
  const run = `${address}/actions/runs/1/attempts/1`;
  const ofBuild = { 9: builder, 12: address, 13: commit, 14: ref, 21: run };
  return { address, builder, run, extensions: { 8: issuer, ...(isPerson ? {} : ofBuild) } };
}

/** What `Build` gives, as it is recorded. */
export function provenanceOf(source: string, build: Build = {}) {
  const { ref = 'refs/heads/main' } = build;
  const { address, builder, run } = certificateOf(build);
  return {
    source,
    builder,
    run,
    repository: address,
    commit,
    ref,
    startedOn: '2026-01-01T10:00:00Z',
    finishedOn: '2026-01-01T10:05:00Z',
    predicateType: provenanceTypes[0] as string,
  };
}

function statementOf(subject: Subject, build: Build): object {
  const { predicateType = provenanceTypes[0], states = {} } = build;
  const { address, builder } = certificateOf(build);
  const { repository = address } = states;
  const predicate = {
    buildDefinition: {
      buildType: 'https://slsa-framework.github.io/github-actions-buildtypes/workflow/v1',
      externalParameters: {
        workflow: { ref: 'refs/heads/main', repository, path: '.github/workflows/release.yml' },
      },
      resolvedDependencies: [
        { uri: `git+${repository}@refs/heads/main`, digest: { gitCommit: commit } },
      ],
    },
    runDetails: {
      builder: { id: states.builder ?? builder },
      metadata: { startedOn: '2026-01-01T10:00:00Z', finishedOn: '2026-01-01T10:05:00.5Z' },
    },
  };
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [subject],
    predicateType,
    predicate: 'predicate' in build ? build.predicate : predicate,
  };
}
