import * as z from 'zod';

/** The algorithms of digests that are taken, the weakest first, and how many hexadecimal digits each gives. */
export const digestLengths = { sha1: 40, sha256: 64, sha384: 96, sha512: 128 } as const;
export type DigestAlgorithm = keyof typeof digestLengths;

const form = Object.entries(digestLengths)
  .map(([algorithm, length]) => `${algorithm}:[0-9a-f]{${length}}`)
  .join('|');

const oneDigest = new RegExp(`^(?:${form})$`);

/** An object with such a key would be another object. */
const ArtifactName = z
  .string()
  .regex(/^(?!__proto__$)[!#-~]{1,200}$/, { error: 'expected the name of an artifact' });

/**
 * The form of a digest is that of OCI's image specification ("Digests"). Those of several algorithms stand with a space between
 * them, as in W3C's Subresource Integrity, the weakest algorithm first.
 */
const DigestText = z
  .string()
  .regex(new RegExp(`^(?:${form})(?: (?:${form}))*$`), { error: 'expected digests such as sha256:0f1e…' });

/** Whether a text is one digest of an algorithm that is taken. */
export function isDigest(text: string): boolean {
  return oneDigest.test(text);
}

/** How many artifacts of a release are recorded for one source. */
export const maxArtifacts = 100;

/** Digests of the artifacts of one release as one source states them, by the artifact's name. */
export const ArtifactDigests = z.record(ArtifactName, DigestText);
export type ArtifactDigests = z.infer<typeof ArtifactDigests>;

export function isArtifactName(name: string): boolean {
  return ArtifactName.safeParse(name).success;
}

/** Two digests of one algorithm that differ: the two texts cannot be about the same bytes. Undefined where they can. */
export function contradiction(a: string, b: string): readonly [string, string] | undefined {
  const others = new Map(b.split(' ').map((digest) => [algorithmOf(digest), digest]));
  for (const digest of a.split(' ')) {
    const other = others.get(algorithmOf(digest));
    if (other !== undefined && other !== digest) return [digest, other];
  }
  return undefined;
}

export function algorithmOf(digest: string): DigestAlgorithm {
  return digest.slice(0, digest.indexOf(':')) as DigestAlgorithm;
}

/** Strength of the algorithm, to order digests by. */
export function strengthOf(digest: string): number {
  return Object.keys(digestLengths).indexOf(algorithmOf(digest));
}

/** An artifact in an in-toto statement: its digests in hexadecimal digits, by algorithm. */
export interface Subject {
  readonly name: string;
  readonly digest: Readonly<Record<string, string>>;
}

/** The recorded artifacts of a release, with the sources that state them and their digests as they are recorded. */
export function subjectsOf(
  digests: Readonly<Record<string, ArtifactDigests>>,
): (Subject & { readonly source: string; readonly texts: readonly string[] })[] {
  return Object.entries(digests).flatMap(([source, artifacts]) =>
    Object.entries(artifacts).map(([name, text]) => {
      const texts = text.split(' ');
      const digest = texts.map((each) => {
        const [algorithm, value] = each.split(':') as [string, string];
        // Of a tag in a repository, it is the digest of a commit.
        const isCommit = algorithm === 'sha1' && /^(?:git|github|gitlab)-/.test(source);
        return [isCommit ? 'gitCommit' : algorithm, value];
      });
      return { source, name, texts, digest: Object.fromEntries(digest) as Subject['digest'] };
    }),
  );
}
