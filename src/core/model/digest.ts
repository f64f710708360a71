/** Accepted digest algorithms, the weakest first, with their numbers of hexadecimal digits. */
export const digestLengths = { sha1: 40, sha256: 64, sha384: 96, sha512: 128 } as const;
type DigestAlgorithm = keyof typeof digestLengths;

/** Whether a text is one digest of an accepted algorithm. */
export function isDigest(text: string): boolean {
  const algorithm = findAlgorithm(text);
  const digits = text.slice(algorithm.length + 1);
  return digits.length === digestLengths[algorithm] && /^[0-9a-f]+$/.test(digits);
}

/** Whether a digest is the id of a commit: a source of a repository states it for a tag. `source`: the id of the source. */
export function isCommitId(source: string, digest: string): boolean {
  return /^(?:git|github|gitlab)-/.test(source) && digest.startsWith('sha1:');
}

/** Recorded digests are in lower case. */
export function normaliseDigest(text: string): string {
  return text.trim().toLowerCase();
}

/** Two different digests of one algorithm, one from each list, which describe different bytes; undefined where there are none. */
export function findContradiction(
  a: readonly string[],
  b: readonly string[],
): readonly [string, string] | undefined {
  for (const digest of a) {
    const algorithm = findAlgorithm(digest);
    const other = b.find((each) => each !== digest && findAlgorithm(each) === algorithm);
    if (other !== undefined) {
      return [digest, other];
    }
  }

  return undefined;
}

/** The algorithm of a digest that `isDigest` accepts. */
export function findAlgorithm(digest: string): DigestAlgorithm {
  return digest.slice(0, digest.indexOf(':')) as DigestAlgorithm;
}

/** Each digest once, separated by spaces, the weakest first: the names of the algorithms sort like their strength. */
export function joinDigests(digests: Iterable<string>): string {
  return [...new Set(digests)].sort().join(' ');
}

/** Hexadecimal SHA-256 digest of a text in UTF-8, for the Worker and the browser; on Node, `sha256` needs no promise. */
export async function computeSha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
