import { metadataPath } from '../../ask/server/access/protected-paths.ts';
import type { Protection } from '../../core/schemas/access/access-config.ts';
import { problem, warning, type Finding } from '../../core/schemas/finding.ts';
import { accessFile } from '../../io/files/settings-files.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { expectHttpError, type HttpError } from '../../io/http/error.ts';
import { openAnonymousHttp, type SiteHttpInput } from './site-http.ts';

/** The parts of a site that need a credential, from least to most. */
const degrees = ['nothing', 'mcp', 'everything'] as const;
type Degree = (typeof degrees)[number];

/** Finds out without a credential how an address is protected; `unknown` if it does not show it. Does not throw on any answer. */
export async function readProtection(
  baseUrl: string,
  input: SiteHttpInput,
): Promise<Degree | 'unknown'> {
  const http = openAnonymousHttp(input);
  try {
    const siteFailure = await findFailure(http, `${baseUrl}/status.json`);
    if (siteFailure?.status === 401) {
      return 'everything';
    }
    if (siteFailure && siteFailure.kind !== 'absent') {
      return 'unknown';
    }

    const metadataFailure = await findFailure(http, `${baseUrl}${metadataPath}`);
    if (!metadataFailure) {
      return 'mcp';
    }

    // Many hosts answer with a page for a missing document.
    return ['absent', 'content'].includes(metadataFailure.kind) ? 'nothing' : 'unknown';
  } finally {
    await http.close();
  }
}

/** Why a JSON document cannot be read; undefined if it can. */
function findFailure(http: Fetcher, url: string): Promise<HttpError | undefined> {
  return http.fetch({ url }).then(() => undefined, expectHttpError);
}

/**
 * Only a person opens a protected site, by `--unprotect`: a missing file or a typing error must not. A site whose protection is
 * unknown may have all of it.
 */
export function compareProtection(
  live: Degree | 'unknown',
  planned: Degree,
  { unprotect }: { unprotect?: boolean },
): Finding[] {
  const most = live === 'unknown' ? 'everything' : live;
  if (degrees.indexOf(planned) >= degrees.indexOf(most)) {
    return [];
  }

  const protects = live === 'unknown' ? 'may protect everything' : `protects ${live}`;
  const change = `the live site ${protects}, and this one ${planned}`;
  if (unprotect) {
    return [warning(accessFile, `${change}. Accepted.`)];
  }

  const message = `${change}. The live site stays as it is. To open it to everybody: publish --unprotect`;
  return [problem(accessFile, message)];
}

/** The problem with the protection of an address; undefined if it is as wanted. */
export async function checkProtection(
  baseUrl: string,
  protection: Protection,
  input: SiteHttpInput,
): Promise<string | undefined> {
  const live = await readProtection(baseUrl, input);
  return live === protection
    ? undefined
    : `${baseUrl}: its protection is ${live}, not ${protection}`;
}
