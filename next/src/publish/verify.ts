import { addDays, type Day } from '../core/day.ts';
import type { Status } from '../core/schema/documents.ts';
import type { Component } from '../core/schema/published.ts';
import { inputError, type Problem } from '../core/errors.ts';
import { sha256 } from '../core/files.ts';
import {
  digestsFile,
  isAddedBySigning,
  parseDigests,
  signatureFile,
  unservedFiles,
  type Digests,
} from '../core/sha256sums.ts';
import { openSignature } from './minisign.ts';
import { parseComment } from './sign.ts';
import { readRequired, type SiteReader } from './site-reader.ts';
import { openStatement } from './statements.ts';

export interface Trust {
  /** Never from the site itself. Without it, nobody vouches for the files. */
  publicKey?: string | undefined;
  /** The address that the site must be signed for. */
  baseUrl?: string | undefined;
  day: Day;
  /** An older signed site may be replayed. */
  maxAgeDays: number;
}

export interface Verified {
  asOf: Day;
  files: number;
  signature?: { baseUrl: string; events: number; statements: number };
}

/** Checks signature, day, files and statements in this order. Throws an InputError for the first that does not hold. */
export async function verifySite(site: SiteReader, trust: Trust): Promise<Verified> {
  const list = await readRequired(
    site,
    digestsFile,
    'Is this the folder or the address of an index?',
  );
  const signed =
    trust.publicKey === undefined
      ? undefined
      : await verifyList(site, list, trust.publicKey, trust);
  const digests = parseDigests(list.toString());

  const [damage] = await findDamage(site, digests);
  if (damage) {
    throw inputError(
      damage.subject,
      `${damage.message}. Download the whole site again; if that does not help, do not use it`,
    );
  }

  const status = await readJson<Status>(site, 'status.json');
  const verified = { asOf: status.asOf, files: digests.size };
  if (!signed || trust.publicKey === undefined) {
    return verified;
  }
  if (status.asOf !== signed.asOf) {
    throw inputError('status.json', `is of ${status.asOf}, but the signature is of ${signed.asOf}`);
  }

  const statements = await verifyStatements(site, digests, trust.publicKey, signed.baseUrl);
  return { ...verified, signature: { baseUrl: signed.baseUrl, events: signed.events, statements } };
}

async function verifyList(
  site: SiteReader,
  list: Buffer,
  publicKey: string,
  { baseUrl, day, maxAgeDays }: Trust,
) {
  const signature = await readRequired(
    site,
    signatureFile,
    'Nobody vouches for the site. Check only digests: --digests-only',
  );
  const result = openSignature(list, signature.toString(), publicKey);
  if ('problem' in result) {
    throw inputError(
      signatureFile,
      `${result.problem}. Compare the key with the one that the repository of the index states`,
    );
  }

  const signed = parseComment(result.comment);
  if (!signed) {
    throw inputError(signatureFile, `is for something else: "${result.comment}"`);
  }
  if (baseUrl !== undefined && baseUrl !== signed.baseUrl) {
    throw inputError(
      signatureFile,
      `is for ${signed.baseUrl}, not for ${baseUrl}. To accept it: --signed-for ${signed.baseUrl}`,
    );
  }
  if (signed.asOf > day || addDays(signed.asOf, maxAgeDays) < day) {
    const problem =
      signed.asOf > day
        ? `after ${day}`
        : `more than ${maxAgeDays} days before ${day}: somebody may serve an old state`;
    throw inputError(
      signatureFile,
      `is of ${signed.asOf}, ${problem}. To check it for that day: --as-of ${signed.asOf}`,
    );
  }

  return signed;
}

const readsAtOnce = 32;

/** Each file that is missing, differs from its digest or, in a folder, is not listed. */
export async function findDamage(site: SiteReader, digests: Digests): Promise<Problem[]> {
  const listed = site.list?.();
  const paths = [...digests.keys()].filter((path) => listed || !unservedFiles.has(path));
  const problems: Problem[] = [];

  for (let start = 0; start < paths.length; start += readsAtOnce) {
    const batch = paths.slice(start, start + readsAtOnce);
    const found = await Promise.all(
      batch.map(async (path) => ({ path, bytes: await site.read(path) })),
    );
    for (const { path, bytes } of found) {
      if (!bytes) {
        problems.push({ subject: path, message: 'is missing' });
      } else if (sha256(bytes) !== digests.get(path)) {
        problems.push({
          subject: path,
          message: `was changed: its digest is not the one in ${digestsFile}`,
        });
      }
    }
  }

  for (const path of listed ?? []) {
    if (!digests.has(path) && !isAddedBySigning(path)) {
      problems.push({ subject: path, message: `is not listed in ${digestsFile}` });
    }
  }
  return problems;
}

/** The key must have signed each statement, for this index and component, and one for each release with digests. */
async function verifyStatements(
  site: SiteReader,
  digests: Digests,
  publicKey: string,
  baseUrl: string,
): Promise<number> {
  let count = 0;

  for (const detailsPath of [...digests.keys()].filter((path) => path.startsWith('details/'))) {
    const { component, releases } = await readJson<Component>(site, detailsPath);
    const path = detailsPath.replace('details/', 'statements/').replace('.json', '.ndjson');
    const versions = new Set<string>();
    for (const line of (await site.read(path))?.toString().split('\n').filter(Boolean) ?? []) {
      const statement = openStatement(line, publicKey);
      const isOurs =
        statement?.predicate.component === component &&
        statement.predicateType.startsWith(`${baseUrl}/`);
      if (!isOurs) {
        throw inputError(
          path,
          'has a statement that the key did not sign for this component of this index',
        );
      }

      versions.add(statement.predicate.version);
    }

    const unsigned = releases.find(
      (release) => release.digests?.length && !versions.has(release.version),
    );
    if (unsigned) {
      throw inputError(path, `has no statement about ${unsigned.version}`);
    }
    count += versions.size;
  }

  return count;
}

async function readJson<T>(site: SiteReader, path: string): Promise<T> {
  return JSON.parse(
    (await readRequired(site, path, 'It is not the site of an index')).toString(),
  ) as T;
}
