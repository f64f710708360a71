/** Checks that a site is complete, and that a trusted key signed it. */
import { basename } from 'node:path';
import pLimit from 'p-limit';
import * as z from 'zod';
import { addDays, type Day } from '../core/day.ts';
import { inputError, type Problem, throwAll } from '../core/errors.ts';
import { sha256 } from '../core/files.ts';
import { Status } from '../core/schema/documents.ts';
import {
  type Digests,
  digestsFile,
  isUnlisted,
  parseDigests,
  signatureFile,
} from '../core/sha256sums.ts';
import { openSite, readDocument, readRequired, type SiteReader } from '../core/site-reader.ts';
import { unservedFile } from '../site/headers.ts';
import { LiveStatus } from './history.ts';
import type { CheckedSite } from './live.ts';
import { findSignatureProblem } from './minisign.ts';
import { nameStatements, openStatements } from './release-statements.ts';

interface Trust {
  /** The trusted public key, which must not come from the site itself. Without a key, the origin of the site stays unproven. */
  publicKey?: string | undefined;
  /** The URL for which the site must be signed. */
  baseUrl?: string | undefined;
  day: Day;
  /** The greatest age of the site in days, because an attacker may serve an older signed site. */
  maxAgeDays: number;
}

const SignedStatus = LiveStatus.extend({ url: z.string() });
const SignedComponent = z.object({
  component: z.string(),
  releases: z.array(z.object({ version: z.string(), digests: z.array(z.string()).optional() })),
});

/** Checks the signature, the files, the date and the statements, in this order. Throws an `InputError` for the first check that fails. */
export async function verifySite(site: SiteReader, { publicKey, baseUrl, day, maxAgeDays }: Trust) {
  const digests = await readDigests(site, publicKey);
  const [damage] = await findDamage(site, listServed(site, digests));
  if (damage) {
    throw inputError(
      damage.subject,
      `${damage.message}. Download the whole site again; if that does not help, do not use it`,
    );
  }

  // `status.json` is also proven: the signature covers `SHA256SUMS`, and `SHA256SUMS` covers this file.
  const checked = openChecked(site, digests);
  const { asOf, url, events } = await readDocument(checked, 'status.json', SignedStatus);
  if (publicKey === undefined) {
    return { asOf, files: digests.size };
  }
  if (baseUrl !== undefined && baseUrl !== url) {
    throw inputError(
      'status.json',
      `is of ${url}, not of ${baseUrl}. To accept this address: --signed-for ${url}`,
    );
  }
  if (asOf > day || addDays(asOf, maxAgeDays) < day) {
    throw inputError(
      'status.json',
      `is of ${asOf}, not of the ${maxAgeDays} days up to ${day}: somebody may serve an old site. To check it for that day: --as-of ${asOf}`,
    );
  }

  const counts = await verifyStatements(site, digests, publicKey, url);
  return { asOf, files: digests.size, signature: { baseUrl: url, events, ...counts } };
}

/** Reads `SHA256SUMS`. Throws an `InputError` if the key did not sign it. */
export async function readDigests(site: SiteReader, publicKey: string | undefined) {
  const missing = 'is missing. Is this the folder or the address of an index?';
  const list = await readRequired(site, digestsFile, missing);
  if (publicKey !== undefined) {
    const unsigned =
      'is missing, so the origin of the site is unproven. To check only digests: --digests-only';
    const signature = await readRequired(site, signatureFile, unsigned);
    const problem = findSignatureProblem(list, signature.toString(), publicKey);
    if (problem !== undefined) {
      throw inputError(
        signatureFile,
        `${problem}. Compare the key with the key in the repository of the index`,
      );
    }
  }
  return parseDigests(list.toString());
}

const wasChanged = `was changed: its digest differs from the one in ${digestsFile}`;

/**
 * Returns a reader for the listed files of a site. It throws an `InputError` if a digest differs, even if the file was read before. A host
 * may answer a second request with other content.
 */
function openChecked(site: SiteReader, digests: Digests): SiteReader {
  return {
    read: async (path) => {
      const bytes = digests.has(path) ? await site.read(path) : undefined;
      if (bytes && sha256(bytes) !== digests.get(path)) {
        throw inputError(path, wasChanged);
      }
      return bytes;
    },
  };
}

/**
 * Returns the digests of the files that the site must have. The file `_headers` has rules for the host, and hosts do not serve it. So its
 * digest is returned only for a folder that contains `_headers`.
 */
function listServed(site: SiteReader, digests: Digests): Digests {
  const hasRules = site.list?.().includes(unservedFile);
  return hasRules ? digests : new Map([...digests].filter(([path]) => path !== unservedFile));
}

const readsAtOnce = 32;

/** Lists files that are missing or differ from their digests. In a folder, also lists files that `SHA256SUMS` does not list. */
async function findDamage(site: SiteReader, digests: Digests): Promise<Problem[]> {
  const listed = site.list?.();
  const limit = pLimit(readsAtOnce);
  const problems = await limit.map([...digests.keys()], async (subject): Promise<Problem[]> => {
    const bytes = await site.read(subject);
    if (!bytes) {
      return [{ subject, message: 'is missing' }];
    }

    return sha256(bytes) === digests.get(subject) ? [] : [{ subject, message: wasChanged }];
  });
  const unlisted = listed?.filter((path) => !digests.has(path) && !isUnlisted(path)) ?? [];
  return [
    ...problems.flat(),
    ...unlisted.map((subject) => ({ subject, message: `is not listed in ${digestsFile}` })),
  ];
}

/**
 * Checks that the key signed a statement about each release with digests. Returns the number of its statements, and the number of
 * statements by other keys.
 */
export async function verifyStatements(
  site: SiteReader,
  digests: Digests,
  publicKey: string,
  baseUrl: string,
) {
  const checked = openChecked(site, digests);
  const counts = { statements: 0, byOthers: 0 };
  const detailsPaths = digests.keys().filter((path) => path.startsWith('details/'));
  for (const detailsPath of detailsPaths) {
    const { component, releases } = await readDocument(checked, detailsPath, SignedComponent);
    const path = nameStatements(basename(detailsPath, '.json'));
    const bytes = await checked.read(path);
    const signer = { publicKey, baseUrl, component };
    const { versions, byOthers } = openStatements(bytes?.toString() ?? '', path, signer);
    const unsigned = releases.find(
      (release) => release.digests?.length && !versions.has(release.version),
    );
    if (unsigned) {
      throw inputError(path, `has no statement about ${unsigned.version}`);
    }
    counts.statements += versions.size;
    counts.byOthers += byOthers;
  }
  return counts;
}

const remedy = 'Run: npx release-index build';

/**
 * Checks that a built site is complete. If `baseUrl` is given, the site must be built for that URL. Throws an `InputError` with all
 * problems.
 */
export async function checkSite(out: string, baseUrl?: string): Promise<CheckedSite> {
  const reader = openSite(out);
  const list = await reader.read(digestsFile);
  if (!list) {
    throw inputError(out, `there is no built site. ${remedy}`);
  }

  const digests = parseDigests(list.toString());
  const damage = await findDamage(reader, digests);
  throwAll(damage.map(({ subject, message }) => ({ subject, message: `${message}. ${remedy}` })));

  const status = await readDocument(reader, 'status.json', Status);
  if (baseUrl !== undefined) {
    if (status.url !== baseUrl) {
      throw inputError(out, `was built for ${status.url}, not for ${baseUrl}. ${remedy}`);
    }
    if (new URL(baseUrl).hostname.endsWith('.invalid')) {
      throw inputError(
        'site/site.json',
        `releasesUrl: ${baseUrl} is a placeholder. Replace it by the real address`,
      );
    }
  }
  return { out, reader, digests, status };
}
