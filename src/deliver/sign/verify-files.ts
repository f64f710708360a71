import { sha256 } from '../../io/files/sha256.ts';
import { digestsFile, parseDigests } from '../../site/digests.ts';
import { isUnlisted } from '../../site/own-files.ts';
import { downloadAgain, readRequired, VerificationError, type SiteReader } from './site-reader.ts';

export type Digests = ReadonlyMap<string, string>;

/** Files that are requested at once. */
const batch = 64;

/** Parses the content of `SHA256SUMS`. Throws a VerificationError where it is malformed. */
export function readDigests(list: Buffer, remedy = downloadAgain): Digests {
  // Larger than the list of a million files.
  if (list.length > 2 ** 27)
    throw new VerificationError(digestsFile, 'is larger than any list of digests', remedy);
  try {
    return parseDigests(list.toString());
  } catch (error) {
    const message = (error as Error).message.replace(`${digestsFile}: `, '');
    throw new VerificationError(digestsFile, message, remedy);
  }
}

/** Every file that is missing, differs from its listed digest, or is not listed. */
export async function* findDamage(
  site: SiteReader,
  digests: Digests,
  remedy = downloadAgain,
): AsyncGenerator<VerificationError> {
  const paths = [...digests.keys()];
  for (let start = 0; start < paths.length; start += batch) {
    const some = paths.slice(start, start + batch);
    const damage = await Promise.all(some.map((path) => damageOf(site, path, digests, remedy)));
    yield* damage.filter((error) => error !== undefined);
  }
  const isListed = (path: string) => digests.has(path);
  for (const path of site.list?.() ?? [])
    if (!isListed(path) && !isUnlisted(path, isListed))
      yield new VerificationError(path, `is not listed in ${digestsFile}`, 'Remove it');
}

async function damageOf(
  site: SiteReader,
  path: string,
  digests: Digests,
  remedy: string,
): Promise<VerificationError | undefined> {
  try {
    const expected = digests.get(path);
    const found = sha256(await readRequired(site, path, remedy));
    if (found === expected) return undefined;
    const other = [...digests].find(([, digest]) => digest === found)?.[0];
    const what =
      other === undefined
        ? `was changed: ${digestsFile} lists the digest ${expected}; its digest is ${found}`
        : `has the content that ${digestsFile} lists for ${other}`;
    return new VerificationError(path, what, remedy);
  } catch (error) {
    if (error instanceof VerificationError) return error;
    throw error;
  }
}
