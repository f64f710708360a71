import * as z from 'zod';
import { digestForm } from '../../model/digest.ts';

/** `__proto__` as a key would change the prototype of an object. */
const ArtifactName = z
  .string()
  .regex(/^(?!__proto__$)[!#-~]{1,200}$/, { error: 'expected the name of an artifact' });

/**
 * Digests in the form of OCI's image specification ("Digests"). Several algorithms are separated by spaces, as in W3C's Subresource
 * Integrity, the weakest first.
 */
const DigestText = z.string().regex(new RegExp(`^(?:${digestForm})(?: (?:${digestForm}))*$`), {
  error: 'expected digests such as sha256:0f1e…',
});

/** The most artifacts of a release that are recorded for one source. */
export const maxArtifacts = 100;

/** Digests of the artifacts of one release as one source states them, by the artifact's name. */
export const ArtifactDigests = z.record(ArtifactName, DigestText);
export type ArtifactDigests = z.infer<typeof ArtifactDigests>;

export function isArtifactName(name: string): boolean {
  return ArtifactName.safeParse(name).success;
}

/** An artifact in an in-toto statement: its digests in hexadecimal digits, by algorithm. */
interface Subject {
  readonly name: string;
  readonly digest: Readonly<Record<string, string>>;
}

/** The recorded artifacts of a release, with their sources, and with their digests as recorded (`texts`). */
export function listSubjects(
  digests: Readonly<Record<string, ArtifactDigests>>,
): (Subject & { readonly source: string; readonly texts: readonly string[] })[] {
  return Object.entries(digests).flatMap(([source, artifacts]) =>
    Object.entries(artifacts).map(([name, text]) => {
      const texts = text.split(' ');

      const digest = texts.map((each) => {
        const [algorithm, value] = each.split(':') as [string, string];

        // For a tag in a repository, SHA-1 is the digest of a commit.
        const isCommit = algorithm === 'sha1' && /^(?:git|github|gitlab)-/.test(source);
        return [isCommit ? 'gitCommit' : algorithm, value];
      });

      return { source, name, texts, digest: Object.fromEntries(digest) as Subject['digest'] };
    }),
  );
}
