import {
  digestLengths,
  isArtifactName,
  mostArtifacts,
  strengthOf,
  type ArtifactDigests,
} from '../../core/schemas/artifact-digests.ts';
import type { SourceRelease } from '../sources/source.ts';
import { counted, quote } from '../../core/text.ts';

const expected = 'expected a digest of SHA-1, SHA-256, SHA-384 or SHA-512';

/**
 * The digests of a release in the one form in which they are recorded, by name of artifact in the order of names; undefined
 * where none is stated. Of more artifacts than are recorded, the first count.
 */
export function plausibleDigests(
  { version, digests }: Pick<SourceRelease, 'version' | 'digests'>,
  refuse: (message: string) => void,
): ArtifactDigests | undefined {
  if (digests === undefined) return undefined;
  const read: [string, string][] = [];
  for (const [artifact, text] of Object.entries(digests)) {
    const found = readDigests(text);
    if (isArtifactName(artifact) && found !== undefined) read.push([artifact, found]);
    else refuse(`${quote(version)}: ${quote(artifact)}: ${expected}; got ${quote(text)}. Left out.`);
  }
  read.sort(([a], [b]) => (a < b ? -1 : 1));
  if (read.length > mostArtifacts) {
    const what = `states digests of ${counted(read.length, 'artifact')}`;
    refuse(`${quote(version)}: ${what}. The first ${mostArtifacts} of them count, by name.`);
  }
  return read.length === 0 ? undefined : Object.fromEntries(read.slice(0, mostArtifacts));
}

/** More than any product has; each takes its place in `data/` for good. */
const mostOfAnswer = 20_000;

/** Leaves the digests of the oldest releases out where an answer states too many. The releases are given oldest first. */
export function withinBounds<T extends { digests?: ArtifactDigests }>(
  releases: readonly T[],
  refuse: (message: string) => void,
): T[] {
  let count = 0;
  const bounded = releases.toReversed().map((release): T => {
    count += Object.keys(release.digests ?? {}).length;
    if (count <= mostOfAnswer || release.digests === undefined) return release;
    const { digests: _, ...rest } = release;
    return rest as T;
  });
  if (count > mostOfAnswer) {
    const most = counted(mostOfAnswer, 'artifact');
    refuse(
      `states digests of ${counted(count, 'artifact')}; those of the greatest versions count, up to ${most}.`,
    );
  }
  return bounded.reverse();
}

const longestText = 2000;

/** Undefined where nothing can be read. */
function readDigests(text: string): string | undefined {
  if (text.length > longestText) return undefined;
  const digests = text.split(/\s+/).flatMap((word) => readDigest(word) ?? []);
  if (digests.length === 0) return undefined;
  return [...new Set(digests)].sort((a, b) => strengthOf(a) - strengthOf(b)).join(' ');
}

/**
 * `sha256:<hex>` as OCI and GitHub write it, `<hex>` as PyPI and Helm do, or `sha512-<base64>` as npm does (W3C, Subresource
 * Integrity: options after a `?` say nothing of the bytes).
 */
function readDigest(word: string): string | undefined {
  const [, named, hex] = /^(?:(\w+):)?([\da-f]+)$/i.exec(word) ?? [];
  const [, algorithm = named, base64] = /^(\w+)-([A-Za-z0-9+/]+={0,2})(?:\?.*)?$/.exec(word) ?? [];
  const digits = hex?.toLowerCase() ?? Buffer.from(base64 ?? '', 'base64').toString('hex');
  const kind = Object.entries(digestLengths).find(([, length]) => length === digits.length)?.[0];
  const isNamedSo = algorithm === undefined || algorithm.toLowerCase() === kind;
  return kind !== undefined && isNamedSo ? `${kind}:${digits}` : undefined;
}
