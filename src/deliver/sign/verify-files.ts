import { digestsFile, parseDigests } from '../../site/digests.ts';
import { isUnlisted } from '../../site/own-files.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { VerificationError, takeAgain } from './verification-error.ts';
import { readNeeded, type SiteReader } from './read-site.ts';

export type Digests = ReadonlyMap<string, string>;

/** As many as are asked for at once. */
const batch = 64;

/** Throws a VerificationError where the list is none. */
export function readList(list: Buffer): Digests {
  // Larger than that of a million files.
  if (list.length > 2 ** 27)
    throw new VerificationError(digestsFile, 'is larger than any list of digests', takeAgain);
  try {
    return parseDigests(list.toString());
  } catch (error) {
    const message = (error as Error).message.replace(`${digestsFile}: `, '');
    throw new VerificationError(digestsFile, message, takeAgain);
  }
}

/** Every file is there as it is listed, and no other. Throws a VerificationError about the first that is not. */
export async function verifyFiles(site: SiteReader, digests: Digests): Promise<void> {
  const paths = [...digests.keys()];
  for (let start = 0; start < paths.length; start += batch) {
    const some = paths.slice(start, start + batch);
    const doubts = await Promise.all(some.map((path) => doubtOf(site, path, digests)));
    const first = doubts.find((doubt) => doubt !== undefined);
    if (first) throw first;
  }
  const isListed = (path: string) => digests.has(path);
  const stray = site.list?.().find((path) => !isListed(path) && !isUnlisted(path, isListed));
  if (stray === undefined) return;
  throw new VerificationError(
    stray,
    `is there, and ${digestsFile} does not list it: nobody vouches for it`,
    'Remove it',
  );
}

async function doubtOf(
  site: SiteReader,
  path: string,
  digests: Digests,
): Promise<VerificationError | undefined> {
  try {
    const expected = digests.get(path);
    const found = sha256(await readNeeded(site, path));
    if (found === expected) return undefined;
    const other = [...digests].find(([, digest]) => digest === found)?.[0];
    const what =
      other === undefined
        ? `was changed: ${digestsFile} lists the digest ${expected}, and it has ${found}`
        : `holds what ${digestsFile} lists as ${other}`;
    return new VerificationError(path, what, takeAgain);
  } catch (error) {
    if (error instanceof VerificationError) return error;
    throw error;
  }
}
