import { sha256 } from '../../io/files/file-system.ts';
import { digestsFile, listSignedPaths, parseDigests, type Digests } from '../../site/digests.ts';
import { unservedFiles } from '../../site/render/headers.ts';
import {
  expectVerificationError,
  readRequired,
  VerificationError,
  type SiteReader,
} from './site-reader.ts';

/** Parses `SHA256SUMS`. Throws a VerificationError if it is malformed. */
export function readDigests({ remedy }: SiteReader, list: Buffer): Digests {
  const reject = (problem: string) => new VerificationError(digestsFile, problem, remedy);
  return parseDigests(list.toString(), reject);
}

const parallelReads = 64;

/** Yields an error for each file that is missing, differs from its digest, or is not listed. */
export async function* findDamagedFiles(
  site: SiteReader,
  digests: Digests,
): AsyncGenerator<VerificationError, undefined> {
  const list = site.list?.();

  // Hosts do not serve all files, so only a folder must have them.
  const paths = [...digests.keys()].filter((path) => list || !unservedFiles.has(path));
  for (let start = 0; start < paths.length; start += parallelReads) {
    const batch = paths.slice(start, start + parallelReads);
    const damage = await Promise.all(
      batch.map((path) => findDamage(site, path, digests).catch(expectVerificationError)),
    );
    yield* damage.filter((error) => error !== undefined);
  }

  const addedBySigning = new Set([digestsFile, ...listSignedPaths(digests.keys())]);
  for (const path of list ?? []) {
    if (!digests.has(path) && !addedBySigning.has(path)) {
      yield new VerificationError(path, `is not listed in ${digestsFile}`, 'Remove it');
    }
  }
}

const copyBuiltFolder =
  'Hosts read it and do not serve it, so a download lacks it: verify the address, or copy the folder that was built';

async function findDamage(
  site: SiteReader,
  path: string,
  digests: Digests,
): Promise<VerificationError | undefined> {
  const expected = digests.get(path);
  const ifMissing = site.remedy ?? (unservedFiles.has(path) ? copyBuiltFolder : undefined);
  const actual = sha256(await readRequired(site, path, ifMissing));
  if (actual === expected) {
    return undefined;
  }

  const difference = `was changed: ${digestsFile} lists the digest ${expected}; its digest is ${actual}`;
  return new VerificationError(path, difference, site.remedy);
}
