/** Signs a statement about each release with digests. Also signs the list of all files, including the statements. */
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inputError } from '../core/errors.ts';
import { saveFile, sha256 } from '../core/files.ts';
import { Component } from '../core/schema/published.ts';
import type { Settings } from '../core/schema/written.ts';
import { digestsFile, formatDigests, signatureFile, statementsFolder } from '../core/sha256sums.ts';
import { readDocument } from '../core/site-reader.ts';
import { readStatements } from '../site/given-statements.ts';
import type { CheckedSite } from './live.ts';
import { keyVariable, readSigningKey, signFile, type SigningKey } from './minisign.ts';
import {
  describeReleases,
  nameStatements,
  openStatements,
  signStatement,
} from './release-statements.ts';

/** Returns the signing key, if there is one. Throws an `InputError` if `site/site.json` promises another key, or a key that is missing. */
export function chooseSigningKey(
  env: NodeJS.ProcessEnv,
  { signingPublicKey }: Settings,
): SigningKey | undefined {
  const secret = env[keyVariable]?.trim();
  if (!secret) {
    if (signingPublicKey) {
      throw inputError(
        keyVariable,
        'is missing, but site/site.json promises a signature ("signingPublicKey"). Set it to the content of the secret key file',
      );
    }
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

/**
 * Signs a site.
 * - Writes one file of statements for each component that has statements. The new statements come first. Then come the statements in
 *   `site/statements/`, which other keys signed.
 * - Writes `SHA256SUMS` before the statements. If signing is then killed, statements that `SHA256SUMS` lists are missing. Such an
 *   incomplete site is never published.
 * - Throws an `InputError` if a statement in `site/statements/` is forged or signed with `key`. Nothing is written then.
 */
export async function signSite(
  root: string,
  { out, reader, digests, status }: CheckedSite,
  key: SigningKey,
) {
  const { url: baseUrl, asOf, events } = status;
  const files = new Map<string, string>();
  let count = 0;
  for (const detailsPath of digests.keys().filter((path) => path.startsWith('details/'))) {
    const details = await readDocument(reader, detailsPath, Component);
    // A renamed component also has a details file for each former name. The former name is only in the path of this file, because its
    // content has the present name.
    const name = basename(detailsPath, '.json');
    const statements = describeReleases(details, baseUrl).map((each) => signStatement(each, key));
    const lines = statements.map((each) => `${JSON.stringify(each)}\n`);
    const path = nameStatements(name);
    const others = readGivenStatements(root, name, key.publicKey, baseUrl);
    // This statement would come after the new statements, and readers use the last statement about a release.
    if (others.isByOwnKey) {
      const message =
        'has a statement that the key of this index signed, perhaps long ago. Remove it';
      throw inputError(`site/${path}`, message);
    }
    const text = lines.join('') + others.text;
    if (text !== '') {
      files.set(path, text);
    }
    count += statements.length;
  }

  const listed = new Map([
    ...[...digests].filter(([path]) => !path.startsWith(statementsFolder)),
    ...Array.from(files, ([path, text]) => [path, sha256(text)] as const),
  ]);
  const list = formatDigests(listed);
  rmSync(join(out, signatureFile), { force: true });
  saveFile(join(out, digestsFile), list);
  rmSync(join(out, statementsFolder), { recursive: true, force: true });
  files.forEach((text, path) => saveFile(join(out, path), text));
  const comment = `${digestsFile} of ${baseUrl} as of ${asOf} with ${events} events`;
  saveFile(join(out, signatureFile), signFile(Buffer.from(list), key, comment));
  return { statements: count, digests: listed };
}

/**
 * Reads the statements about a component in `site/statements/`. `isByOwnKey`: whether the key of the index signed one of these statements.
 * Throws an `InputError` for a statement that names this key, but was not signed with it.
 */
export function readGivenStatements(
  root: string,
  component: string,
  publicKey: string | undefined,
  baseUrl: string,
) {
  const text = readStatements(root, component);
  if (publicKey === undefined) {
    return { text, isByOwnKey: false };
  }

  const file = `site/${nameStatements(component)}`;
  const { versions } = openStatements(text, file, { publicKey, baseUrl, component });
  return { text, isByOwnKey: versions.size > 0 };
}
