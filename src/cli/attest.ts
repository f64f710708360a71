import type { PublishedIndex } from '../ask/published-index.ts';
import type { Entry } from '../ask/scan/items.ts';
import type { ScannedItem } from '../ask/scan/scan-items.ts';
import { warning } from '../core/schemas/finding.ts';
import { counted } from '../core/text.ts';
import { readSigningKey, signStatement, type SigningKey } from '../deliver/sign/signatures.ts';
import { artifactsOf, verificationSummary } from '../deliver/sign/verification-summary.ts';
import { fileErrorReason, readRegularFile } from '../io/files/file-system.ts';
import { inputError, UsageError, type Invocation } from './command.ts';
import { writeOutput } from './scan-report.ts';

/** The output file and the signing key, read before any other work; undefined without --attest. */
export function openAttestation({ options }: Invocation): { file: string; key: SigningKey } | undefined {
  const { attest: file, key } = options;
  if (typeof file !== 'string' && typeof key !== 'string') return undefined;
  if (typeof file !== 'string' || typeof key !== 'string')
    throw new UsageError('scan accepts --attest FILE and --key FILE only together');
  try {
    return { file, key: readSigningKey(readRegularFile(key).toString()) };
  } catch (error) {
    const reason = fileErrorReason(error);
    throw inputError(key, reason === undefined ? (error as Error).message : `cannot be read: ${reason}`);
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
    if (!results.every((result) => result.scan.status === 'satisfied')) continue;
    for (const result of results) {
      const { component = '', version } = result.scan.details;
      const details = await scan.index.details(component);
      const release = details?.releases.find((each) => each.version === version);
      const subject = release ? artifactsOf(result, release) : [];
      if (subject.length === 0) unattested.add(result.scan.thing);
      else {
        const bundle = signStatement(verificationSummary(result, subject, about), key);
        lines.push(`${JSON.stringify(bundle.dsseEnvelope)}\n`);
      }
    }
  }
  for (const thing of unattested)
    report.finding(warning(file, `${thing} is not attested: no digest of its artifacts is recorded`));
  writeOutput(file, lines.join(''));
  report.print(`Attested in ${file}: ${counted(lines.length, 'result')}.`);
}
