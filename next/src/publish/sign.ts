import type { Status } from '../core/schema/documents.ts';
import type { Component } from '../core/schema/published.ts';
import type { Settings } from '../core/schema/settings.ts';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inputError } from '../core/errors.ts';
import { saveFile } from '../core/files.ts';
import { digestsFile, signatureFile } from '../core/sha256sums.ts';
import { readSigningKey, signFile, type SigningKey } from './minisign.ts';
import { describeReleases, signStatement } from './statements.ts';

export const keyVariable = 'RELEASE_INDEX_SIGNING_KEY';

/** The configured key, if any. Throws an InputError if site/site.json promises another one, or if there is none. */
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

  let key: SigningKey;
  try {
    key = readSigningKey(secret);
  } catch (error) {
    throw inputError(keyVariable, (error as Error).message);
  }

  if (key.publicKey !== signingPublicKey) {
    throw inputError(
      'site/site.json',
      `expected "signingPublicKey": "${key.publicKey}", the key of ${keyVariable}; got ${signingPublicKey ?? 'none'}`,
    );
  }

  return key;
}

/** Signs statements about releases with digests, then the list of digests. `out`: a built site. */
export function signSite(out: string, baseUrl: string, key: SigningKey): { statements: number } {
  let count = 0;
  rmSync(join(out, 'statements'), { recursive: true, force: true });

  for (const file of readdirSync(join(out, 'details'))) {
    const details = readJson<Component>(join(out, 'details', file));
    const statements = describeReleases(details, baseUrl);
    const lines = statements.map(
      (statement) => `${JSON.stringify(signStatement(statement, key))}\n`,
    );
    if (lines.length > 0) {
      saveFile(join(out, 'statements', `${basename(file, '.json')}.ndjson`), lines.join(''));
    }
    count += statements.length;
  }

  const status = readJson<Status>(join(out, 'status.json'));
  const list = readFileSync(join(out, digestsFile));
  saveFile(join(out, signatureFile), signFile(list, key, formatComment(baseUrl, status)));
  return { statements: count };
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

/** The signature covers this comment: neither an old list nor that of another index passes as this one. */
function formatComment(baseUrl: string, { asOf, events }: Status): string {
  return `SHA256SUMS of ${baseUrl} as of ${asOf} with ${events} events`;
}

/** The facts of such a comment; undefined for any other. */
export function parseComment(
  comment: string,
): { baseUrl: string; asOf: string; events: number } | undefined {
  const [, baseUrl = '', asOf = '', events] =
    /^SHA256SUMS of (\S+) as of (\d{4}-\d\d-\d\d) with (\d+) events$/.exec(comment) ?? [];
  return events === undefined ? undefined : { baseUrl, asOf, events: Number(events) };
}
