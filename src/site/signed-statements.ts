import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../core/schemas/finding.ts';
import type { DetailsFile } from '../core/schemas/published/details-file.ts';
import {
  predicatePath,
  ReleaseStatement,
  StatementBundle,
} from '../core/schemas/published/statement.ts';
import { computeKeyId } from '../core/schemas/signing-public-key.ts';
import { parseDocument } from '../io/files/read-documents.ts';
import { readLines } from '../io/files/read-lines.ts';
import type { Root } from '../io/files/root.ts';
import { fillPath, statementsPath } from './render/paths.ts';
import type { SiteContext, SiteFile } from './render/site-context.ts';

/*
 * Statements that were signed in the past, in `site/statements/<component>.ndjson`: their private key no longer exists, and its
 * public half is `signingPublicKey`. Builds publish them again and sign nothing new, so `SHA256SUMS` has no signature.
 */

const folder = 'statements';

/** Whether the index has statements that were signed in the past. */
export function hasPastStatements({ siteDir }: Root): boolean {
  return existsSync(join(siteDir, folder));
}

/**
 * The past statements about the releases of a component, as a file of the site: those about listed releases, by the published key
 * and for this address. Nothing checks their signatures here: the command `verify` does.
 */
export function readPastStatements(
  { siteDir }: Root,
  { config, baseUrl }: SiteContext,
  { component, releases }: DetailsFile,
): { files: SiteFile[]; findings: Finding[] } {
  const name = `${component}.ndjson`;
  const label = `site/${folder}/${name}`;
  const { value, findings } = readLines(join(siteDir, folder, name), label, StatementBundle);
  const versions = new Set(releases.map(({ version }) => version));
  const keyId = config.signingPublicKey && computeKeyId(config.signingPublicKey);
  let body = '';

  for (const bundle of value?.values ?? []) {
    const { payload, signatures } = bundle.dsseEnvelope;
    const statement = parseDocument(Buffer.from(payload, 'base64'), label, ReleaseStatement);
    findings.push(...statement.findings);

    // The component is not compared: a statement keeps the name that it had when it was signed.
    if (
      statement.value?.predicateType === `${baseUrl}/${predicatePath}` &&
      versions.has(statement.value.predicate.version) &&
      signatures[0]?.keyid === keyId
    ) {
      body += `${JSON.stringify(bundle)}\n`;
    }
  }

  const files = body === '' ? [] : [{ path: fillPath(statementsPath, component), body }];
  return { files, findings };
}
