/** Signs the list of digests, and a statement about each release with digests of its own. */
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { digestsFile, signatureFile } from '../core/sha256sums.ts';
import { inputError, parseForeign } from '../core/errors.ts';
import { readJsonFile, saveFile } from '../core/files.ts';
import { Component } from '../core/schema/published.ts';
import type { Settings } from '../core/schema/settings.ts';
import { readStatements } from '../site/load-index.ts';
import type { CheckedSite } from './live.ts';
import { keyVariable, readSigningKey, signFile, type SigningKey } from './minisign.ts';
import { describeReleases, signStatement } from './statements.ts';

/** The configured key, if any. Throws an InputError unless it is the key that site/site.json promises, if that promises one. */
export function chooseSigningKey(
  env: NodeJS.ProcessEnv,
  { signingPublicKey }: Settings,
): SigningKey | undefined {
  const secret = env[keyVariable]?.trim();
  if (!secret && signingPublicKey) {
    throw inputError(
      keyVariable,
      'is missing, but site/site.json promises a signature ("signingPublicKey")',
    );
  }
  if (!secret) {
    return undefined;
  }

  const key = readSigningKey(secret);
  if (key.publicKey !== signingPublicKey) {
    throw inputError(
      'site/site.json',
      `expected "signingPublicKey": "${key.publicKey}", the key of ${keyVariable}; got ${signingPublicKey ?? 'none'}`,
    );
  }

  return key;
}

/** Statements of `site/statements/`, which other keys have signed, follow the new ones as they are. */
export function signSite(
  root: string,
  { out, status }: CheckedSite,
  key: SigningKey,
): { statements: number } {
  const { url: baseUrl, asOf, events } = status;
  let count = 0;
  rmSync(join(out, 'statements'), { recursive: true, force: true });

  for (const file of readdirSync(join(out, 'details'))) {
    const name = basename(file, '.json');
    const details = parseForeign(Component, readJsonFile(join(out, 'details', file)), file);
    const statements = describeReleases(details, baseUrl);
    const lines = statements.map((each) => `${JSON.stringify(signStatement(each, key))}\n`);
    const text = lines.join('') + readStatements(root, name);
    if (text !== '') {
      saveFile(join(out, `statements/${name}.ndjson`), text);
    }
    count += statements.length;
  }

  const comment = `${digestsFile} of ${baseUrl} as of ${asOf} with ${events} events`;
  const list = readFileSync(join(out, digestsFile));
  saveFile(join(out, signatureFile), signFile(list, key, comment));
  return { statements: count };
}
