import type { DetailedRelease } from '../ask/details-on.ts';
import type { PublishedIndex } from '../ask/published-index.ts';
import type { Entry } from '../ask/scan/items.ts';
import type { ScannedItem } from '../ask/scan/scan-items.ts';
import { formatPurl } from '../core/purl.ts';
import { subjectsOf, type Subject } from '../core/schemas/artifact-digests.ts';
import { warning } from '../core/schemas/finding.ts';
import { statementType } from '../core/schemas/published/statement.ts';
import { counted } from '../core/text.ts';
import { readSigningKey, signStatement, type SigningKey } from '../deliver/sign/signatures.ts';
import { fileErrorReason, readRegularFile } from '../io/files/file-system.ts';
import { sha256 } from '../io/files/sha256.ts';
import { programVersion } from '../io/program.ts';
import { inputError, UsageError, type Invocation } from './command.ts';
import { writeOutput } from './scan-report.ts';

/** The output file and the signing key, read before any other work; undefined without --attest. */
export function openAttestation({
  options,
}: Invocation): { file: string; key: SigningKey } | undefined {
  const { attest: file, key } = options;
  if (typeof file !== 'string' && typeof key !== 'string') {
    return undefined;
  }
  if (typeof file !== 'string' || typeof key !== 'string') {
    throw new UsageError('scan accepts --attest FILE and --key FILE only together');
  }
  try {
    return { file, key: readSigningKey(readRegularFile(key).toString()) };
  } catch (error) {
    const reason = fileErrorReason(error);
    throw inputError(
      key,
      reason === undefined ? (error as Error).message : `cannot be read: ${reason}`,
    );
  }
}

/**
 * Writes a signed summary for each result of the entries that satisfied every policy: an in-toto bundle, one envelope a line
 * (https://github.com/in-toto/attestation/blob/main/spec/v1/bundle.md). Replaces the whole file.
 */
export async function writeAttestation(
  { report }: Invocation,
  { file, key }: { file: string; key: SigningKey },
  scan: {
    index: PublishedIndex;
    address: string;
    entries: readonly Entry[];
    scanned: readonly ScannedItem[];
  },
): Promise<void> {
  const about = { index: scan.address, time: new Date().toISOString().replace(/\.\d+/, '') };
  const byItem = Map.groupBy(scan.scanned, ({ item }) => item);
  const lines: string[] = [];
  const unattested = new Set<string>();
  for (const entry of scan.entries) {
    const results = entry.flatMap((item) => byItem.get(item) ?? []);
    if (!results.every((result) => result.scan.status === 'satisfied')) {
      continue;
    }
    for (const result of results) {
      const { component = '', version } = result.scan.details;
      const details = await scan.index.details(component);
      const release = details?.releases.find((each) => each.version === version);
      const subject = release ? artifactsOf(result, release) : [];
      if (subject.length === 0) {
        unattested.add(result.scan.thing);
      } else {
        const bundle = signStatement(verificationSummary(result, subject, about), key);
        lines.push(`${JSON.stringify(bundle.dsseEnvelope)}\n`);
      }
    }
  }
  for (const thing of unattested) {
    report.finding(
      warning(file, `${thing} is not attested: no digest of its artifacts is recorded`),
    );
  }
  writeOutput(file, lines.join(''));
  report.print(`Attested in ${file}: ${counted(lines.length, 'result')}.`);
}

/**
 * The recorded artifacts of a scanned release: the artifacts with a digest of the scanned item, otherwise the artifacts of the
 * same package type, otherwise all. Empty if no digest is recorded.
 */
function artifactsOf({ item }: ScannedItem, { digests = {} }: DetailedRelease): Subject[] {
  const all = subjectsOf(digests);
  const stated = all.filter(({ texts }) => texts.some((digest) => item.digests?.includes(digest)));
  const ofType = all.filter(({ source }) => item.purl && source.startsWith(item.purl.type));
  const chosen = [stated, ofType, all].find((artifacts) => artifacts.length > 0) ?? [];
  return chosen.map(({ name, digest }) => ({ name, digest }));
}

/**
 * A verification summary v1 (https://slsa.dev/spec/v1.1/verification_summary) for a release that satisfied a policy, as an
 * in-toto Statement v1. `index`: the address of the index, without a trailing slash. `time`: when the release was verified, in
 * ISO 8601. The summary claims no SLSA level, since policies judge other properties.
 */
function verificationSummary(
  { item, policy, scan }: ScannedItem,
  subject: readonly Subject[],
  { index, time }: { index: string; time: string },
): object {
  const { component = '', version = '' } = scan.details;
  const { description, remediation, labels, query } = policy;
  const content = Buffer.from(JSON.stringify({ description, remediation, labels, query }));
  return {
    _type: statementType,
    subject,
    predicateType: 'https://slsa.dev/verification_summary/v1',
    predicate: {
      verifier: { id: index, version: { 'release-index': programVersion() } },
      timeVerified: time,
      resourceUri: formatPurl(item.purl ?? { type: 'generic', name: component, version }),
      policy: {
        uri: `${index}${scan.policyUri}`,
        digest: { sha256: sha256(content) },
        content: content.toString('base64'),
      },
      verificationResult: 'PASSED',
      verifiedLevels: ['SLSA_BUILD_LEVEL_UNEVALUATED'],
      slsaVersion: '1.1',
    },
  };
}
