import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { InputError, problem } from '../core/schemas/finding.ts';

/** Names a file with the keys and authorities of another Sigstore. */
export const trustedRootVariable = 'RELEASE_INDEX_TRUSTED_ROOT';

/** The trusted root of the public Sigstore. CONTRIBUTING.md, "Renew the trusted root", says where it is from. */
const shippedRoot = join(import.meta.dirname, 'trusted-root.json');

/** The keys and authorities that verify attestations. Throws an InputError if the file of the environment is no trusted root. */
export function readTrustedRoot(env: NodeJS.ProcessEnv): TrustedRoot {
  const file = env[trustedRootVariable] || shippedRoot;
  try {
    const root = TrustedRoot.fromJSON(JSON.parse(readFileSync(file, 'utf8')));
    if (root.certificateAuthorities.length > 0) {
      return root;
    }

    throw new Error('it names no certificate authority');
  } catch (error) {
    const expected = 'expected the path of a trusted root of Sigstore';
    throw new InputError([
      problem(trustedRootVariable, `${expected}; ${file}: ${(error as Error).message}`),
    ]);
  }
}
