import { inputError, throwAll } from '../core/errors.ts';
import { openSite, readDocument } from '../core/index/site-reader.ts';
import { Status } from '../core/schema/documents.ts';
import { digestsFile, parseDigests } from '../core/sha256sums.ts';
import type { CheckedSite } from './live.ts';
import { findDamage } from './verify.ts';

const remedy = 'Run: npx release-index build';

/** Checks that a built site is whole and, with an address, was built for it. Throws an InputError with every problem. */
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
        `releasesUrl: ${baseUrl} is a placeholder; replace it with the real address`,
      );
    }
  }
  return { out, reader, digests, status };
}
