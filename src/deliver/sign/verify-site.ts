import { z } from 'zod';
import { addDays, type Day } from '../../core/dates.ts';
import { ComponentName, DaySchema } from '../../core/schemas/scalars.ts';
import { digestsFile, signatureFile } from '../../site/digests.ts';
import { headersFile } from '../../site/render/headers.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { parseDocument } from '../../io/files/documents.ts';
import { openEnvelope, openSignature, SignatureError, signersOf } from './signatures.ts';
import { findDamage, readDigests, readRequired, VerificationError } from './site-reader.ts';
import type { Digests, SiteReader } from './site-reader.ts';
import { componentPaths, readComment, type SignedComment } from './sign-site.ts';
import {
  AttestationsFile,
  predicatePath,
  releasePredicatePath,
  ReleaseStatement,
  Statement,
} from '../../core/schemas/published/statement.ts';
import { IndexFile } from '../../core/schemas/published/release-file.ts';
import { keyIdOf } from '../../core/schemas/signing-public-key.ts';
import { attestationsPath, pathFor, statementsPath } from '../../site/render/paths.ts';
import { describedComponents } from '../../site/own-files.ts';

export interface Expected {
  /** The key that must have signed the site; without a key, only digests are compared. */
  publicKey?: string | undefined;
  /** The address that the site must be signed for; any if absent. One key may sign several sites. */
  baseUrl?: string | undefined;
  day: Day;
  /** Rejects older sites: somebody may be replaying an old signed state. */
  maxAgeDays: number;
}

export interface VerifiedSite {
  /** The number of files in SHA256SUMS. */
  files: number;
  asOf: Day;
  /** Absent without a key. */
  signature?: {
    /** The address in the signature; a mirror has a different address. */
    baseUrl: string;
    /** The number of events in all journals. */
    events: number;
    statements: number;
    /** The commit that all statements name; absent if they differ. */
    commit?: string | undefined;
  };
  /** Whether the signature covers a `_headers` file, for hosts that read it. */
  hasHeaders?: boolean;
}

/** Checks signature, files, day and statements in this order. Throws a VerificationError on the first failure. */
export async function verifySite(site: SiteReader, expected: Expected): Promise<VerifiedSite> {
  const { publicKey } = expected;
  const list = await readRequired(site, digestsFile, 'Is this the folder or address of a site?');
  const signed = publicKey === undefined ? undefined : await verifyList(site, list, publicKey);
  if (signed) {
    verifyAddress(signed, expected);
  }
  const digests = readDigests(list);
  for await (const error of findDamage(site, digests)) {
    throw error;
  }
  const asOf = await dayOfSite(site, digests);
  if (!signed || publicKey === undefined) {
    return { files: digests.size, asOf };
  }
  verifyDay(asOf, signed.asOf, expected);
  await verifyHeaders(site, signed.headers);

  const statements = [
    ...(await verifyStatements(site, { ...signed, publicKey, digests })).values(),
  ];
  const commits = new Set(statements.map(({ predicate }) => predicate.commit));
  const [commit] = commits.size === 1 ? commits : [];
  const { baseUrl, events } = signed;
  const signature = { baseUrl, events, statements: statements.length, commit };
  return { files: digests.size, asOf, signature, hasHeaders: signed.headers !== undefined };
}

async function verifyList(
  site: SiteReader,
  list: Buffer,
  publicKey: string,
): Promise<SignedComment> {
  const remedy =
    'The origin of the site is unknown without a signature: do not use it, or check only integrity: --digests-only';
  const signature = await readRequired(site, signatureFile, remedy);
  try {
    const comment = openSignature(list, signature.toString(), publicKey);
    const signed = readComment(comment);
    if (signed) {
      return signed;
    }
    throw new VerificationError(signatureFile, `is for something else: "${comment}"`);
  } catch (error) {
    if (!(error instanceof SignatureError)) {
      throw error;
    }
    const compare =
      'Compare the key with the one that the repository of the index states; if it is the same, do not use the site, and report this to its owner';
    throw new VerificationError(signatureFile, error.message, compare);
  }
}

function verifyAddress({ baseUrl }: SignedComment, expected: Expected): void {
  if (expected.baseUrl === undefined || expected.baseUrl === baseUrl) {
    return;
  }
  const remedy = `To verify the site of that address: --signed-for ${baseUrl}`;
  throw new VerificationError(
    signatureFile,
    `is for ${baseUrl}, not for ${expected.baseUrl}`,
    remedy,
  );
}

/** Hosts do not serve `_headers`, so only a folder can be checked. */
async function verifyHeaders(site: SiteReader, digest: string | undefined): Promise<void> {
  const headers = site.list && (await site.read(headersFile));
  if (headers && sha256(headers) !== digest) {
    throw new VerificationError(headersFile, 'is not the signed one');
  }
}

const statusFile = 'status.json';

async function dayOfSite(site: SiteReader, digests: Digests): Promise<Day> {
  const remedy = 'It is not the list of a release index';
  if (!digests.has(statusFile)) {
    throw new VerificationError(digestsFile, `does not list ${statusFile}`, remedy);
  }
  return (await readVerified(site, statusFile, z.looseObject({ asOf: DaySchema }))).asOf;
}

function verifyDay(asOf: Day, signedAsOf: string, { day, maxAgeDays }: Expected): void {
  if (asOf !== signedAsOf) {
    throw new VerificationError(statusFile, `is of ${asOf}, but the signature is of ${signedAsOf}`);
  }
  const forThatDay = `To check it for that day: --as-of ${asOf}`;
  if (asOf > day) {
    throw new VerificationError(
      statusFile,
      `is of ${asOf}, a day after ${day}`,
      `Check the clock. ${forThatDay}`,
    );
  }
  if (addDays(asOf, maxAgeDays) >= day) {
    return;
  }
  const message = `is of ${asOf}, more than ${maxAgeDays} days before ${day}: somebody may be serving an old state`;
  throw new VerificationError(statusFile, message, forThatDay);
}

/** The signed comment of the list, the key and the listed digests. */
interface Signed extends SignedComment {
  publicKey: string;
  digests: Digests;
}

const signAgain =
  'If the site is yours, sign it again: npx release-index sign. Otherwise report this to its owner';

/**
 * Verifies that the key signed a statement about each component for exactly this site, day and digests. Expects verified
 * files. Returns the statements by component. Throws a VerificationError on the first wrong statement.
 */
async function verifyStatements(site: SiteReader, signed: Signed): Promise<Map<string, Statement>> {
  const { digests } = signed;
  const statements = new Map<string, Statement>();
  for (const [component, names] of await namesByComponent(site, digests)) {
    const paths = componentPaths(names, (path) => digests.has(path));
    for (const name of names) {
      const path = pathFor(attestationsPath, name);
      const bytes = await readRequired(site, path, signAgain);
      for (const statement of readStatements(path, bytes, signed.publicKey, Statement)) {
        const mismatch = mismatchOf(statement, component, paths, signed);
        if (mismatch !== undefined) {
          throw new VerificationError(path, mismatch);
        }
        statements.set(component, statement);
      }
      await verifyReleases(site, pathFor(statementsPath, name), signed);
    }
  }
  return statements;
}

/** Each line must be signed for this index. A component without recorded digests has no such file. */
async function verifyReleases(
  site: SiteReader,
  path: string,
  { baseUrl, publicKey }: Signed,
): Promise<void> {
  const text = (await site.read(path))?.toString() ?? '';
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const statements = readStatements(path, Buffer.from(`[${line}]`), publicKey, ReleaseStatement);
    for (const { predicateType } of statements) {
      if (predicateType !== `${baseUrl}/${releasePredicatePath}`) {
        throw new VerificationError(path, `is a statement of another index, ${predicateType}`);
      }
    }
  }
}

/** Each component with its earlier names, which are known only from the details published under them. */
async function namesByComponent(
  site: SiteReader,
  digests: Digests,
): Promise<Map<string, string[]>> {
  const index = await readVerified(site, 'index.json', IndexFile);
  const names = new Map(index.map((name) => [name, [name]]));
  for (const name of describedComponents(digests.keys())) {
    if (names.has(name)) {
      continue;
    }
    const path = `details/${name}.json`;
    const { component } = await readVerified(
      site,
      path,
      z.looseObject({ component: ComponentName }),
    );
    const known = names.get(component);
    if (!known) {
      throw new VerificationError(path, `is about "${component}", which index.json does not list`);
    }
    known.push(name);
  }
  return names;
}

async function readVerified<T>(site: SiteReader, path: string, schema: z.ZodType<T>): Promise<T> {
  return parse(path, await readRequired(site, path), schema);
}

function parse<T>(path: string, bytes: Buffer, schema: z.ZodType<T>, prefix = ''): T {
  const { value, findings } = parseDocument(bytes, path, schema);
  if (value === undefined) {
    throw new VerificationError(path, `${prefix}${findings[0]!.message}`);
  }
  return value;
}

/** The statements of all bundles that name the key. Others may have added bundles with their keys. */
function readStatements<T>(
  path: string,
  bytes: Buffer,
  publicKey: string,
  schema: z.ZodType<T>,
): T[] {
  const bundles = parse(path, bytes, AttestationsFile);
  const keyId = keyIdOf(publicKey);
  const own = bundles.filter((bundle) => signersOf(bundle).includes(keyId));
  if (own.length === 0) {
    const signers = bundles.flatMap(signersOf).join(', ');
    throw new VerificationError(path, `is signed by the key ${signers}, not by ${keyId}`);
  }
  return own.map((bundle) => {
    const payload = openEnvelope(bundle, publicKey);
    if (!payload) {
      throw new VerificationError(path, `its statement was not signed by the key ${keyId}`);
    }
    return parse(path, payload, schema, 'its statement: ');
  });
}

/** The reason why the statement does not match these files of the component; undefined if it matches. */
function mismatchOf(
  { subject, predicateType, predicate }: Statement,
  component: string,
  paths: readonly string[],
  { baseUrl, asOf, digests }: Signed,
): string | undefined {
  if (predicateType !== `${baseUrl}/${predicatePath}`) {
    return `is a statement of another index, ${predicateType.replace(`/${predicatePath}`, '')}`;
  }
  if (predicate.component !== component) {
    return `is a statement about ${predicate.component}`;
  }
  if (predicate.asOf !== asOf) {
    return `is a statement of ${predicate.asOf}; the site is of ${asOf}`;
  }
  const other = subject.find(({ name, digest }) => digests.get(name) !== digest.sha256);
  if (other) {
    return `states another digest of ${other.name} than ${digestsFile}`;
  }
  const uncovered = paths.find((path) => !subject.some(({ name }) => name === path));
  return uncovered === undefined ? undefined : `does not cover ${uncovered}`;
}
