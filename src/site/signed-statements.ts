import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../core/schemas/finding.ts';
import type { DetailsFile } from '../core/schemas/published/details-file.ts';
import {
  computeKeyId,
  predicatePath,
  ReleaseStatement,
  StatementBundle,
} from '../core/schemas/published/statement.ts';
import { readLines } from '../io/files/read-lines.ts';
import { parseDocument } from '../io/files/read-documents.ts';
import type { Root } from '../io/files/root.ts';
import { fillPath, statementsPath } from './render/paths.ts';
import type { SiteContext, SiteFile } from './render/site-context.ts';

/*
 * Statements that were signed in the past, in `site/statements/<component>.ndjson`: their private key no longer exists, and its
 * public half is `signingPublicKey`. Builds publish them again and sign nothing new, so `SHA256SUMS` has no signature.
 */

const folder = 'statements';

/** Whether the site publishes statements that were signed in the past. */
export function isSignedOnce({ siteDir }: Root): boolean {
  return existsSync(join(siteDir, folder));
}

/** The statements about listed releases that name the published key and this address. Builds check no signature: `verify` does. */
export function readSignedStatements(
  { siteDir }: Root,
  { config, baseUrl }: SiteContext,
  { component, releases }: DetailsFile,
): { files: SiteFile[]; findings: Finding[] } {
  const name = `${component}.ndjson`;
  const label = `site/${folder}/${name}`;
  const read = readLines(join(siteDir, folder, name), label, StatementBundle);
  const findings = [...read.findings];
  const signer = config.signingPublicKey && computeKeyId(config.signingPublicKey);
  let body = '';

  for (const bundle of read.value?.values ?? []) {
    const { payload, signatures } = bundle.dsseEnvelope;
    const result = parseDocument(Buffer.from(payload, 'base64'), label, ReleaseStatement);
    const { predicateType, predicate } = result.value ?? {};
    findings.push(...result.findings);
    // A statement keeps the name that its component had when it was signed.
    const isListed = releases.some(({ version }) => version === predicate?.version);
    const isOurs =
      signatures[0]?.keyid === signer && predicateType === `${baseUrl}/${predicatePath}`;
    if (isListed && isOurs) {
      body += `${JSON.stringify(bundle)}\n`;
    }
  }

  return {
    files: body === '' ? [] : [{ path: fillPath(statementsPath, component), body }],
    findings,
  };
}
