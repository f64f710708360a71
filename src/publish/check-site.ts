import { join } from 'node:path';
import { InputError, inputError } from '../core/errors.ts';
import { parseForeign } from '../core/parse-document.ts';
import { readIfThere, readJsonFile } from '../core/files.ts';
import { openSite } from '../core/index/site-reader.ts';
import { Status } from '../core/schema/documents.ts';
import { digestsFile, parseDigests } from '../core/sha256sums.ts';
import type { CheckedSite } from './live.ts';
import { findDamage } from './verify.ts';

const remedy = 'Run: npx release-index build';

/** Checks that a built site is whole and, with an address, was built for it. Throws an InputError with every problem. */
export async function checkSite(out: string, baseUrl?: string): Promise<CheckedSite> {
  const list = readIfThere(join(out, digestsFile));
  if (!list) {
    throw inputError(out, `there is no built site. ${remedy}`);
  }

  const digests = parseDigests(list.toString());
  const damage = await findDamage(openSite(out), digests);
  if (damage.length > 0) {
    throw new InputError(
      damage.map(({ subject, message }) => ({ subject, message: `${message}. ${remedy}` })),
    );
  }

  const status = parseForeign(Status, readJsonFile(join(out, 'status.json')), 'status.json');
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
  return { out, digests, status };
}
