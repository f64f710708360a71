import { bundleFromJSON, isBundleWithDsseEnvelope, type Bundle } from '@sigstore/bundle';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { PolicyError, toSignedEntity, toTrustMaterial, Verifier, type TrustMaterial } from '@sigstore/verify';
import { z } from 'zod';
import { statementMediaType } from '../../core/schemas/published/statement.ts';
import { digestsFile } from '../../site/digests.ts';
import { Doubt } from './doubt.ts';
// The keys of Sigstore's public instance, which GitHub uses for public repositories, as @sigstore/tuf 5.0.1 carries them.
import publicGoodRoot from './sigstore-root.json' with { type: 'json' };

export interface BuildAttestationInput {
  /** What people call the file. */
  name: string;
  /** A bundle, a list of bundles, or a bundle a line, as `gh attestation download` saves them. */
  text: string;
  /** Whose workflow must have built it: `owner/repository`. */
  repository: string;
  /** The workflow that must have signed, `owner/repository/.github/workflows/file.yml`; any of the repository where absent. */
  signerWorkflow?: string;
  /** Other keys to trust than those of Sigstore's public instance, as `gh attestation trusted-root` prints them. */
  trustedRoots?: string;
}

const githubIssuer = 'https://token.actions.githubusercontent.com';
const provenanceType = 'https://slsa.dev/provenance/v1';
/** Source Repository URI (https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md). */
const sourceRepository = [1, 3, 6, 1, 4, 1, 57264, 1, 12];
const Payload = z.looseObject({
  subject: z.array(z.looseObject({ digest: z.looseObject({ sha256: z.string().optional() }) })),
  predicateType: z.string(),
});

/**
 * GitHub attests that a workflow of the repository built the list of digests. Needs no network. Returns the workflow that
 * signed; throws a Doubt.
 */
export function verifyBuildAttestation(input: BuildAttestationInput, digest: string): string {
  const { name, repository } = input;
  const remedy = `Take it again: gh attestation download ${digestsFile} --repo ${repository}`;
  const bundles = readBundles(input, remedy).filter((bundle) => isAbout(bundle, digest));
  if (bundles.length === 0)
    throw new Doubt(name, `holds no provenance of this ${digestsFile}, whose digest is ${digest}`, remedy);
  const policy = policyOf(input);
  let reason = new Error('there is no key to trust');
  for (const trust of readTrust(input)) {
    for (const bundle of bundles) {
      try {
        const signer = new Verifier(trust).verify(toSignedEntity(bundle), policy);
        return signer.identity!.subjectAlternativeName!;
      } catch (error) {
        // Also what the parsers of certificates throw.
        reason = error as Error;
      }
    }
  }
  const what = reason instanceof PolicyError ? `is not of a workflow of ${repository}` : 'does not hold';
  throw new Doubt(name, `${what}: ${reason.message}`, remedy);
}

function readTrust({ trustedRoots }: BuildAttestationInput): TrustMaterial[] {
  if (trustedRoots === undefined) return [toTrustMaterial(TrustedRoot.fromJSON(publicGoodRoot))];
  try {
    return readJsonLines(trustedRoots).map((root) => toTrustMaterial(TrustedRoot.fromJSON(root)));
  } catch (error) {
    const message = `holds no trusted root: ${(error as Error).message}`;
    throw new Doubt('--trusted-root', message, 'gh attestation trusted-root prints one');
  }
}

function readBundles({ name, text }: BuildAttestationInput, remedy: string): Bundle[] {
  try {
    return readJsonLines(text).map(bundleFromJSON);
  } catch (error) {
    throw new Doubt(name, `holds no Sigstore bundle: ${(error as Error).message}`, remedy);
  }
}

/** A document, a list of documents, or a document a line. */
function readJsonLines(text: string): unknown[] {
  try {
    return [JSON.parse(text) as unknown].flat();
  } catch {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as unknown);
  }
}

/** Not believed yet: only which file it is about. */
function isAbout(bundle: Bundle, digest: string): boolean {
  if (!isBundleWithDsseEnvelope(bundle)) return false;
  const { payloadType, payload: bytes } = bundle.content.dsseEnvelope;
  if (payloadType !== statementMediaType) return false;
  try {
    const payload: unknown = JSON.parse(bytes.toString());
    const { subject, predicateType } = Payload.parse(payload);
    return predicateType === provenanceType && subject.some((file) => file.digest.sha256 === digest);
  } catch {
    return false;
  }
}

function policyOf({ repository, signerWorkflow }: BuildAttestationInput) {
  const signer =
    signerWorkflow === undefined ? `${escape(repository)}/\\.github/workflows/[^@]+` : escape(signerWorkflow);
  const address = Buffer.from(`https://github.com/${repository}`);
  return {
    subjectAlternativeName: new RegExp(`^https://github\\.com/${signer}@`),
    extensions: { issuer: githubIssuer },
    // A UTF8String in DER, which no repository's name is too long for.
    oids: [{ oid: { id: sourceRepository }, value: Buffer.from([0x0c, address.length, ...address]) }],
  };
}

function escape(text: string): string {
  return text.replaceAll('.', String.raw`\.`);
}
