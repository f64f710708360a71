import { notice, problem, type Finding } from '../../core/schemas/finding.ts';
import { readSigningKey, type SigningKey } from './minisign.ts';

export const signingKeyVariable = 'RELEASE_INDEX_SIGNING_KEY';

/** The configured signing key, if any. A site that promises a signature needs the promised key. */
export function chooseSigningKey(
  secret: string | undefined,
  promisedKey: string | undefined,
): { key?: SigningKey; findings: Finding[] } {
  const reject = (message: string) => ({ findings: [problem(signingKeyVariable, message)] });
  if (!secret?.trim()) {
    return promisedKey === undefined
      ? { findings: [] }
      : reject('is missing, but site/site.json promises a signature ("signingPublicKey")');
  }

  let key: SigningKey;
  try {
    key = readSigningKey(secret);
  } catch (error) {
    // It says why without quoting the key.
    return reject((error as Error).message);
  }

  const { publicKey } = key;
  if (promisedKey === publicKey) {
    return { key, findings: [] };
  }

  if (promisedKey !== undefined) {
    return reject(
      `belongs to the public key ${publicKey}, but site/site.json promises ${promisedKey}`,
    );
  }

  const message = `SHA256SUMS is signed, but its key is not published. Add: "signingPublicKey": "${publicKey}"`;
  return { key, findings: [notice('site/site.json', message)] };
}
