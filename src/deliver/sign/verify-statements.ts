import { z } from 'zod';
import { AttestationsFile, predicatePath, Statement } from '../../core/schemas/published/statement.ts';
import { ComponentName } from '../../core/schemas/scalars.ts';
import { IndexFile } from '../../core/schemas/published/release-file.ts';
import { keyIdOf } from '../../core/schemas/signing-public-key.ts';
import { attestationsPath, pathFor } from '../../site/render/paths.ts';
import { componentPaths } from './sign-site.ts';
import { digestsFile } from '../../site/digests.ts';
import { describedComponents } from '../../site/own-files.ts';
import { parseDocument } from '../../io/files/documents.ts';
import { openEnvelope, signerOf } from './signatures.ts';
import {
  downloadAgain,
  readRequired,
  VerificationError,
  type Digests,
  type SiteReader,
} from './site-reader.ts';

export interface Signed {
  publicKey: string;
  /** The address and the day that the signature of the list names. */
  baseUrl: string;
  asOf: string;
  digests: Digests;
}

const signAgain =
  'If the site is yours, sign it again: npx release-index sign. Otherwise report this to its owner';

/**
 * Verifies that the key signed a statement about each component of exactly this site, day and digests. The files must have
 * been verified before. Returns the statements by component; throws a VerificationError about the first that is wrong.
 */
export async function verifyStatements(site: SiteReader, signed: Signed): Promise<Map<string, Statement>> {
  const { digests } = signed;
  const statements = new Map<string, Statement>();
  for (const [component, names] of await namesByComponent(site, digests)) {
    const paths = componentPaths(names, (path) => digests.has(path));
    for (const name of names) {
      const path = pathFor(attestationsPath, name);
      const bytes = await readRequired(site, path, signAgain);
      for (const statement of readStatements(path, bytes, signed.publicKey)) {
        const mismatch = mismatchOf(statement, component, paths, signed);
        if (mismatch !== undefined) throw new VerificationError(path, mismatch, downloadAgain);
        statements.set(component, statement);
      }
    }
  }
  return statements;
}

/** Each component with its earlier names, which only the details of those state. */
async function namesByComponent(site: SiteReader, digests: Digests): Promise<Map<string, string[]>> {
  const index = await readVerified(site, 'index.json', IndexFile);
  const names = new Map(index.map((name) => [name, [name]]));
  for (const name of describedComponents(digests.keys())) {
    if (names.has(name)) continue;
    const path = `details/${name}.json`;
    const { component } = await readVerified(site, path, z.looseObject({ component: ComponentName }));
    const known = names.get(component);
    if (!known)
      throw new VerificationError(
        path,
        `is about "${component}", which index.json does not list`,
        downloadAgain,
      );
    known.push(name);
  }
  return names;
}

async function readVerified<T>(site: SiteReader, path: string, schema: z.ZodType<T>): Promise<T> {
  return parse(path, await readRequired(site, path), schema);
}

function parse<T>(path: string, bytes: Buffer, schema: z.ZodType<T>, prefix = ''): T {
  const { value, findings } = parseDocument(bytes, path, schema);
  if (value === undefined)
    throw new VerificationError(path, `${prefix}${findings[0]!.message}`, downloadAgain);
  return value;
}

/** The statements of all bundles that name the key; others may have added theirs. */
function readStatements(path: string, bytes: Buffer, publicKey: string): Statement[] {
  const bundles = parse(path, bytes, AttestationsFile);
  const keyId = keyIdOf(publicKey);
  const own = bundles.filter((bundle) => signerOf(bundle) === keyId);
  if (own.length === 0) {
    const signers = bundles.map(signerOf).join(', ');
    throw new VerificationError(path, `is signed by the key ${signers}, not by ${keyId}`, downloadAgain);
  }
  return own.map((bundle) => {
    const payload = openEnvelope(bundle, publicKey);
    if (!payload)
      throw new VerificationError(path, `its statement was not signed by the key ${keyId}`, downloadAgain);
    return parse(path, payload, Statement, 'its statement: ');
  });
}

/** The reason why the statement is not about these files of the component; undefined where it is. */
function mismatchOf(
  { subject, predicateType, predicate }: Statement,
  component: string,
  paths: readonly string[],
  { baseUrl, asOf, digests }: Signed,
): string | undefined {
  if (predicateType !== `${baseUrl}/${predicatePath}`)
    return `is a statement of another index, ${predicateType.replace(`/${predicatePath}`, '')}`;
  if (predicate.component !== component) return `is a statement about ${predicate.component}`;
  if (predicate.asOf !== asOf) return `is a statement of ${predicate.asOf}; the site is of ${asOf}`;
  const other = subject.find(({ name, digest }) => digests.get(name) !== digest.sha256);
  if (other) return `states another digest of ${other.name} than ${digestsFile}`;
  const uncovered = paths.find((path) => !subject.some(({ name }) => name === path));
  return uncovered === undefined ? undefined : `does not cover ${uncovered}`;
}
