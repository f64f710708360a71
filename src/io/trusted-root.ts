import { readFileSync } from 'node:fs';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { InputError, problem } from '../core/schemas/finding.ts';

/** Names a file with the keys and authorities of another Sigstore. */
export const trustedRootVariable = 'RELEASE_INDEX_TRUSTED_ROOT';
const publicMirror = 'https://tuf-repo-cdn.sigstore.dev';

/**
 * The keys and authorities that attestations are verified by, read when they are first needed: those in the file that the
 * environment names, and otherwise those of the public Sigstore. Throws an InputError where that file is not one.
 */
export function openTrustedRoot(
  folder: string,
  env: NodeJS.ProcessEnv,
  onWarning: (message: string) => void,
  mirrorURL: string = publicMirror,
): () => Promise<TrustedRoot> {
  const file = env[trustedRootVariable];
  const own = file ? readOwn(file) : undefined;
  let root = own && Promise.resolve(own);
  return () => (root ??= readPublic(folder, onWarning, mirrorURL));
}

function readOwn(file: string): TrustedRoot {
  try {
    const root = TrustedRoot.fromJSON(JSON.parse(readFileSync(file, 'utf8')));
    if (root.certificateAuthorities.length > 0) return root;
    throw new Error('it names no certificate authority');
  } catch (error) {
    const expected = 'expected the path of a trusted root of Sigstore';
    throw new InputError([problem(trustedRootVariable, `${expected}; ${file}: ${(error as Error).message}`)]);
  }
}

/** Sigstore's TUF repository is asked where its copy in the folder has expired. What came with the program stands in for it. */
async function readPublic(
  folder: string,
  onWarning: (message: string) => void,
  mirrorURL: string,
): Promise<TrustedRoot> {
  const { getTrustedRoot } = await import('@sigstore/tuf');
  try {
    return await getTrustedRoot({ cachePath: folder, forceCache: true, mirrorURL, retry: { retries: 1 } });
  } catch (error) {
    const why = (error as Error).message;
    onWarning(`the trusted root of Sigstore could not be asked for (${why}). Used the copy of this version.`);
    return shippedTrustedRoot();
  }
}

/** The copy in the TUF client. Keys that began later are not in it. */
export async function shippedTrustedRoot(): Promise<TrustedRoot> {
  const { default: seeds } = await import('@sigstore/tuf/seeds.json', { with: { type: 'json' } });
  const { targets } = seeds[publicMirror];
  return TrustedRoot.fromJSON(
    JSON.parse(Buffer.from(targets['trusted_root.json'], 'base64').toString('utf8')),
  );
}
