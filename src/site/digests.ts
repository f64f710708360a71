export const digestsFile = 'SHA256SUMS';

/** In the format of sha256sum(1): digest, two spaces, path; sorted by path. */
export function formatDigests(digests: ReadonlyMap<string, string>): string {
  return [...digests.keys()]
    .sort()
    .map((path) => `${digests.get(path)!}  ${path}\n`)
    .join('');
}

/** Throws where a line has another form. */
export function parseDigests(text: string): Map<string, string> {
  const digests = new Map<string, string>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const match = /^([0-9a-f]{64}) [ *](.+)$/.exec(line);
    if (!match)
      throw new Error(
        `${digestsFile}: line ${index + 1}: expected a digest and a path; got "${line.slice(0, 80)}"`,
      );
    digests.set(match[2]!, match[1]!);
  }
  return digests;
}
