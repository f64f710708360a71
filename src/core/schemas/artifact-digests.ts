import * as z from 'zod';
import { digestForm } from '../digest.ts';

/** An object with such a key would be another object. */
const ArtifactName = z
  .string()
  .regex(/^(?!__proto__$)[!#-~]{1,200}$/, { error: 'expected the name of an artifact' });

/**
 * The form of a digest is that of OCI's image specification ("Digests"). Those of several algorithms stand with a space between
 * them, as in W3C's Subresource Integrity, the weakest algorithm first.
 */
const DigestText = z.string().regex(new RegExp(`^(?:${digestForm})(?: (?:${digestForm}))*$`), {
  error: 'expected digests such as sha256:0f1e…',
});

/** How many artifacts of a release are recorded for one source. */
export const maxArtifacts = 100;

/** Digests of the artifacts of one release as one source states them, by the artifact's name. */
export const ArtifactDigests = z.record(ArtifactName, DigestText);
export type ArtifactDigests = z.infer<typeof ArtifactDigests>;

export function isArtifactName(name: string): boolean {
  return ArtifactName.safeParse(name).success;
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
