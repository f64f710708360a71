import { formatPurl } from '../../core/purl.ts';
import { subjectsOf, type Subject } from '../../core/schemas/artifact-digests.ts';
import { statementType } from '../../core/schemas/published/statement.ts';
import type { DetailedRelease } from '../../ask/details-on.ts';
import type { ScannedItem } from '../../ask/scan/scan-items.ts';
import { programVersion } from '../../io/program.ts';
import { sha256 } from '../../io/files/sha256.ts';

/**
 * The recorded artifacts of a scanned release: the artifacts with a digest of the scanned item, otherwise the artifacts of the
 * same package type, otherwise all. Empty if no digest is recorded.
 */
export function artifactsOf({ item }: ScannedItem, { digests = {} }: DetailedRelease): Subject[] {
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
export function verificationSummary(
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
