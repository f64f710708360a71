import * as z from 'zod';
import { addDays, type Day } from '../../core/model/dates.ts';
import { DetailsFile } from '../../core/schemas/published/details-file.ts';
import { createLenient } from '../../core/schemas/published/lenient.ts';
import {
  predicatePath,
  ReleaseStatement,
  StatementBundle,
} from '../../core/schemas/published/statement.ts';
import { computeKeyId } from '../../core/schemas/signing-public-key.ts';
import { DaySchema } from '../../core/schemas/scalars.ts';
import { parseDocument } from '../../io/files/read-documents.ts';
import {
  listDescribedComponents,
  digestsFile,
  signatureFile,
  type Digests,
} from '../../site/digests.ts';
import { fillPath, statementsPath } from '../../site/render/paths.ts';
import { readComment } from './sign-site.ts';
import { openEnvelope } from './dsse.ts';
import { openSignature } from './minisign.ts';
import { findDamagedFiles, readDigests } from './compare-digests.ts';
import { readRequired, VerificationError, type SiteReader } from './site-reader.ts';

// A newer program may have made the site.
const Details = createLenient(DetailsFile.pick({ component: true, releases: true }));
const Statement = createLenient(ReleaseStatement);

interface Options {
  /** The key that must have signed the list of files. Without it, nobody vouches for the files, and their age is not checked. */
  publicKey?: string | undefined;
  /** The address that the site must be signed for; any if absent. One key may sign several sites. */
  baseUrl?: string | undefined;
  /** In place of the key: the signer of past statements. Its private key is gone, so the list of files has no signature. */
  pastSigner?: Signer | undefined;
  day: Day;
  /** Rejects an older signed site: somebody may be replaying an old state. */
  maxAgeDays: number;
}

export type VerifiedSite = Awaited<ReturnType<typeof verifySite>>;

/**
 * Checks signature, files, day and statements in this order; without a key, only the files, and statements of a past signer. Throws
 * a VerificationError on the first failure. Nobody may write to a folder meanwhile: some files are read again after their digests
 * were compared.
 *
 * Returns the number of files in SHA256SUMS. `pastStatements`: the number of statements by a past signer, if one was given.
 * `signature`: with a key, its address, from which that of a mirror differs, and the numbers of events in all journals and of
 * statements.
 */
export async function verifySite(site: SiteReader, options: Options) {
  const list = await readRequired(site, digestsFile, 'Is this the folder or address of a site?');
  const signed = await verifyList(site, list, options);
  const digests = readDigests(site, list);
  const { value: firstError } = await findDamagedFiles(site, digests).next();
  if (firstError) {
    throw firstError;
  }

  const files = digests.size;
  const asOf = await readDayOfSite(site, digests);
  if (!signed) {
    const { pastSigner } = options;
    const pastStatements = pastSigner && (await verifyStatements(site, digests, pastSigner));
    return { files, asOf, pastStatements };
  }

  verifyDay(asOf, signed.asOf, options);

  const { baseUrl, publicKey, events } = signed;
  const signer = { baseUrl, publicKey, signsEachRelease: true };
  const statements = await verifyStatements(site, digests, signer);
  return { files, asOf, signature: { baseUrl, events, statements } };
}

/** The key of the site, and what its signature states. Undefined if no key must have signed it. */
async function verifyList(site: SiteReader, list: Buffer, options: Options) {
  const { publicKey, baseUrl } = options;
  if (publicKey === undefined) {
    return undefined;
  }

  const remedy =
    'The origin of the site is unknown without a signature: do not use it, or check only integrity: --digests-only';
  const signature = await readRequired(site, signatureFile, remedy);
  const result = openSignature(list, signature.toString(), publicKey);
  if ('problem' in result) {
    throw new VerificationError(
      signatureFile,
      result.problem,
      'Compare the key with the one that the repository of the index states; if it is the same, do not use the site, and report this to its owner',
    );
  }

  const comment = readComment(result.comment);
  if (!comment) {
    throw new VerificationError(signatureFile, `is for something else: "${result.comment}"`);
  }
  if (baseUrl !== undefined && baseUrl !== comment.baseUrl) {
    throw new VerificationError(
      signatureFile,
      `is for ${comment.baseUrl}, not for ${baseUrl}`,
      `To verify the site of that address: --signed-for ${comment.baseUrl}`,
    );
  }

  return { publicKey, ...comment };
}

const statusFile = 'status.json';

async function readDayOfSite(site: SiteReader, digests: Digests): Promise<Day> {
  const remedy = 'It is not the list of a release index';
  if (!digests.has(statusFile)) {
    throw new VerificationError(digestsFile, `does not list ${statusFile}`, remedy);
  }

  const status = await readRequired(site, statusFile);
  return parse(statusFile, status, z.looseObject({ asOf: DaySchema })).asOf;
}

function verifyDay(asOf: Day, signedAsOf: string, { day, maxAgeDays }: Options): void {
  if (asOf !== signedAsOf) {
    throw new VerificationError(statusFile, `is of ${asOf}, but the signature is of ${signedAsOf}`);
  }

  const remedy = `To check it for that day: --as-of ${asOf}`;
  if (asOf > day) {
    const message = `is of ${asOf}, which is after ${day}`;
    throw new VerificationError(statusFile, message, `Check the clock. ${remedy}`);
  }

  if (addDays(asOf, maxAgeDays) < day) {
    const message = `is of ${asOf}, more than ${maxAgeDays} days before ${day}: somebody may be serving an old state`;
    throw new VerificationError(statusFile, message, remedy);
  }
}

interface Signer {
  publicKey: string;
  /** The address of the index that its statements name. */
  baseUrl: string;
  /** Whether each release with recorded digests needs a statement. */
  signsEachRelease?: boolean;
}

/**
 * Verifies that the signer signed each statement about a release, that it is about the component in whose file it is, and that no
 * release lacks one where each needs one. Returns the number of statements.
 */
async function verifyStatements(
  site: SiteReader,
  digests: Digests,
  signer: Signer,
): Promise<number> {
  const ids = new Set<string>();

  for (const component of listDescribedComponents(digests.keys())) {
    const path = fillPath(statementsPath, component);
    const lines = (await site.read(path))?.toString().split('\n') ?? [];
    const statements = lines.filter(Boolean).map((line) => readStatement(path, line, signer));
    const details = await readDetails(site, component);
    for (const name of new Set(statements.map((statement) => statement.component))) {
      if (!(await hasName(site, digests, details, name))) {
        throw new VerificationError(path, `has a statement about ${name}`);
      }
    }

    // Former names of a component have the same statements.
    for (const { id } of statements) {
      ids.add(id);
    }

    const versions = new Set(statements.map(({ version }) => version));
    const unsigned = details.releases.find(
      (release) => release.digests !== undefined && !versions.has(release.version),
    );
    if (signer.signsEachRelease && unsigned) {
      throw new VerificationError(path, `has no statement about ${unsigned.version}`);
    }
  }

  return ids.size;
}

const detailsPath = 'details/{component}.json';

async function readDetails(site: SiteReader, component: string) {
  const path = fillPath(detailsPath, component);
  return parse(path, await readRequired(site, path), Details);
}

/** Whether a component has this name, or had it: then the site has its details under that name, too. */
async function hasName(
  site: SiteReader,
  digests: Digests,
  { component }: Pick<DetailsFile, 'component'>,
  name: string,
): Promise<boolean> {
  if (name === component) {
    return true;
  }

  const isOnSite = digests.has(fillPath(detailsPath, name));
  return isOnSite && (await readDetails(site, name)).component === component;
}

/** The content of a statement that the signer signed for its index. */
function readStatement(
  path: string,
  line: string,
  { publicKey, baseUrl }: Signer,
): ReleaseStatement['predicate'] {
  const bundle = parse(path, Buffer.from(line), StatementBundle);
  const keyId = computeKeyId(publicKey);
  const { hint } = bundle.verificationMaterial.publicKey;
  if (hint !== keyId) {
    throw new VerificationError(path, `is signed by the key ${hint}, not by ${keyId}`);
  }

  const payload = openEnvelope(bundle, publicKey);
  if (!payload) {
    throw new VerificationError(path, `its statement was not signed by the key ${keyId}`);
  }

  const { predicateType, predicate } = parse(path, payload, Statement, 'its statement: ');
  if (predicateType !== `${baseUrl}/${predicatePath}`) {
    throw new VerificationError(path, `is a statement of another index, ${predicateType}`);
  }

  return predicate;
}

/** Throws a VerificationError for a value of another form, with `prefix` before the problem. */
function parse<T>(path: string, bytes: Buffer, schema: z.ZodType<T>, prefix = ''): T {
  const { value, findings } = parseDocument(bytes, path, schema);
  if (value === undefined) {
    // Without a value, there is at least one finding.
    throw new VerificationError(path, `${prefix}${findings[0]!.message}`);
  }

  return value;
}
