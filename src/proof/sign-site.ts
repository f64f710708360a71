import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problem, type Finding } from '../model/finding.ts';
import { readSigningKey, signFile, type SigningKey } from './minisign.ts';
import { digestsFile } from '../site/digests.ts';
import { saveIfChanged } from '../store/save.ts';

export const signingKeyVariable = 'RELEASE_INDEX_SIGNING_KEY';
export const signatureFile = `${digestsFile}.minisig`;

export interface SigningChoice {
  key?: SigningKey;
  findings: Finding[];
}

/** The key to sign with, if one is configured. A site that promises a signature is not published without it. */
export function chooseSigningKey(secret: string | undefined, promised: string | undefined): SigningChoice {
  if (secret === undefined || secret.trim() === '') {
    if (promised === undefined) return { findings: [] };
    const message = 'is missing, and site/site.json promises readers a signature by its "signingPublicKey"';
    return { findings: [problem(signingKeyVariable, message)] };
  }
  try {
    const key = readSigningKey(secret);
    if (promised === undefined) {
      const message = `SHA256SUMS is signed. Tell readers by which key: "signingPublicKey": "${key.publicKey}"`;
      return { key, findings: [{ level: 'notice', subject: 'site/site.json', message }] };
    }
    if (promised === key.publicKey) return { key, findings: [] };
    const message = `belongs to the public key ${key.publicKey}, and site/site.json promises ${promised}`;
    return { findings: [problem(signingKeyVariable, message)] };
  } catch (error) {
    return { findings: [problem(signingKeyVariable, (error as Error).message)] };
  }
}

/** Signs the list of digests, which covers every file. The comment is part of what is signed. */
export function signSite(out: string, key: SigningKey, baseUrl: string, asOf: string): void {
  const body = readFileSync(join(out, digestsFile));
  saveIfChanged(join(out, signatureFile), signFile(body, key, `${digestsFile} of ${baseUrl} as of ${asOf}`));
}
