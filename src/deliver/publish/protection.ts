import { metadataPath } from '../../ask/server/access/protected-paths.ts';
import type { Protection } from '../../core/schemas/access/access-config.ts';
import { problem, warning, type Finding } from '../../core/schemas/finding.ts';
import { accessFile } from '../../io/files/settings-files.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import { openAnonymousHttp, type SiteHttpInput } from './site-http.ts';

/** The parts of a site that need a credential; `unknown` if its address does not show it. */
type Degree = Protection | 'nothing' | 'unknown';

/** From least to most protected. */
const degrees: readonly Degree[] = ['nothing', 'mcp', 'everything'];

/** Finds out without a credential how an address is protected. Does not throw on any answer. */
export async function readProtection(baseUrl: string, input: SiteHttpInput): Promise<Degree> {
  const http = openAnonymousHttp(input);
  try {
    const file = await probe(http, `${baseUrl}/status.json`);
    if (file === 'denied') {
      return 'everything';
    }
    if (file === 'unknown') {
      return 'unknown';
    }

    const metadata = await probe(http, `${baseUrl}${metadataPath}`);
    if (metadata === 'served') {
      return 'mcp';
    }

    return metadata === 'absent' ? 'nothing' : 'unknown';
  } finally {
    await http.close();
  }
}

async function probe(
  http: Fetcher,
  url: string,
): Promise<'served' | 'denied' | 'absent' | 'unknown'> {
  try {
    await http.fetch({ url, accept: ['application/json'] });
    return 'served';
  } catch (error) {
    if (!(error instanceof HttpError)) {
      throw error;
    }
    if (error.status === 401) {
      return 'denied';
    }

    // Many hosts answer with a page for a missing document.
    return error.kind === 'absent' || error.kind === 'content' ? 'absent' : 'unknown';
  }
}

/**
 * Only a person opens a protected site, by `--unprotect`: a missing file or a typing error must not. A site whose protection is
 * unknown may have all of it.
 */
export function compareProtection(
  live: Degree,
  planned: Protection | 'nothing',
  { unprotect }: { unprotect: boolean },
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
  if (live === protection) {
    return undefined;
  }

  return live === 'unknown'
    ? `${baseUrl}: its protection could not be read`
    : `${baseUrl}: protects ${live}, not ${protection}`;
}
