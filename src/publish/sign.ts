/** Signs a statement about each release with digests of its own, and the list of digests, which has them. */
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { digestsFile, formatDigests, signatureFile, statementsFolder } from '../core/sha256sums.ts';
import { inputError } from '../core/errors.ts';
import { saveFile, sha256 } from '../core/files.ts';
import { readDocument } from '../core/index/site-reader.ts';
import { Component } from '../core/schema/published.ts';
import type { Settings } from '../core/schema/written.ts';
import { readStatements } from '../site/statements.ts';
import type { CheckedSite } from './live.ts';
import { keyVariable, readSigningKey, signFile, type SigningKey } from './minisign.ts';
import { describeReleases, nameStatements, openStatements, signStatement } from './statements.ts';

/** The configured key, if any. Throws an InputError unless it is the key that site/site.json promises, if that promises one. */
export function chooseSigningKey(
  env: NodeJS.ProcessEnv,
  { signingPublicKey }: Settings,
): SigningKey | undefined {
  const secret = env[keyVariable]?.trim();
  if (!secret) {
    if (signingPublicKey) {
      throw inputError(
        keyVariable,
        'is missing, but site/site.json promises a signature ("signingPublicKey")',
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
 * Statements of `site/statements/`, which other keys have signed, follow the new ones as they are. The list comes before the files that it
 * adds: a site whose signing broke off is not whole. Throws an `InputError`, before anything is written, for one that is forged, or by the
 * key itself.
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
    // A component also has the files of its former names.
    const name = basename(detailsPath, '.json');
    const statements = describeReleases(details, baseUrl).map((each) => signStatement(each, key));
    const lines = statements.map((each) => `${JSON.stringify(each)}\n`);
    const path = nameStatements(name);
    const others = readGivenStatements(root, name, key.publicKey, baseUrl);
    if (others.isByOwnKey) {
      const message = 'has a statement of the key of the index, perhaps an old one. Take it out';
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
 * The statements about a component in `site/statements/`. Those by the key of the index are published where nobody signs; beside new ones,
 * they would count as newer. Throws an `InputError` for one that names this key, and is not by it.
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
