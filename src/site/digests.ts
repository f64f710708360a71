import { oldestFirst } from '../core/model/dates.ts';
import { quote } from '../core/text/foreign-text.ts';

export const digestsFile = 'SHA256SUMS';
export const signatureFile = `${digestsFile}.minisig`;

/** In the format of sha256sum(1): digest, two spaces, path; sorted by path. */
export function formatDigests(digests: ReadonlyMap<string, string>): string {
  return [...digests]
    .sort(([a], [b]) => oldestFirst(a, b))
    .map(([path, digest]) => `${digest}  ${path}\n`)
    .join('');
}

/**
 * Parses an untrusted list. Throws the error from `reject` if a line is malformed, or if a path is listed twice or leads out of
 * the folder of the list.
 */
export function parseDigests(
  text: string,
  reject = (problem: string): Error => new Error(`${digestsFile}: ${problem}`),
): Map<string, string> {
  const digests = new Map<string, string>();

  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') {
      continue;
    }

    const match = /^([0-9a-f]{64}) [ *](.+)$/.exec(line);
    if (!match) {
      throw reject(`line ${index + 1}: expected a digest and a path; got ${quote(line)}`);
    }

    const [, digest, path] = match as unknown as [string, string, string];
    const invalid = (complaint: string) => reject(`line ${index + 1}: ${quote(path)} ${complaint}`);
    if (
      /[\p{Cc}\\]|^\/|^[A-Za-z]:/u.test(path) ||
      path.split('/').some((part) => /^\.{0,2}$/.test(part))
    ) {
      throw invalid('is not a path below the folder of the list');
    }

    if (digests.has(path)) {
      throw invalid('is listed a second time');
    }

    digests.set(path, digest);
  }

  return digests;
}
