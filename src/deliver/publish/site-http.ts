import { metadataPath } from '../../ask/access/deny.ts';
import type { Protection } from '../../core/schemas/access-config.ts';
import { InputError, problem, type Finding } from '../../core/schemas/finding.ts';
import { accessFile } from '../../io/files/read.ts';
import { createHttp, userAgentOf, type Http } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import { readNpmConfig } from '../../io/http/npm-config.ts';
import type { SiteConfig } from '../../core/schemas/site-config.ts';

/** The parts of a site that need a credential, from least to most. */
const degrees = ['nothing', 'mcp', 'everything'] as const satisfies readonly (Protection | 'nothing')[];
type Degree = (typeof degrees)[number];

/** Reads how an address is protected, without a credential. Does not throw, whatever it answers. */
export async function readProtection(baseUrl: string, input: SiteHttpInput): Promise<Degree | 'unknown'> {
  const http = openAnonymousHttp(input);
  try {
    const file = await probe(http, `${baseUrl}/status.json`);
    if (file === 'denied') return 'everything';
    if (file === 'unknown') return 'unknown';
    const metadata = await probe(http, `${baseUrl}${metadataPath}`);
    return metadata === 'served' ? 'mcp' : metadata === 'absent' ? 'nothing' : 'unknown';
  } finally {
    await http.close();
  }
}

async function probe(http: Http, url: string): Promise<'served' | 'denied' | 'absent' | 'unknown'> {
  try {
    await http.fetch({ url, accept: ['application/json'] });
    return 'served';
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 401) return 'denied';
    // Many hosts answer with a page where there is no such document; a name may not exist yet.
    return error.kind === 'absent' || error.kind === 'content' ? 'absent' : 'unknown';
  }
}

/** A missing file or a changed word must not open a private index by accident. */
export function compareProtection(live: Degree | 'unknown', wanted: Degree, isIntended: boolean): Finding[] {
  if (live === 'unknown' || degrees.indexOf(wanted) >= degrees.indexOf(live)) return [];
  const change = `the live site protects ${live}, and this one ${wanted}`;
  if (isIntended) return [{ level: 'warning', subject: accessFile, message: `${change}. Accepted.` }];
  const remedy = 'The live site stays as it is. To open it to everybody: publish --unprotect';
  return [problem(accessFile, `${change}. ${remedy}`)];
}

/** The problem with the protection of an address; undefined where it is as wanted. */
export async function checkProtection(
  baseUrl: string,
  wanted: Protection,
  input: SiteHttpInput,
): Promise<string | undefined> {
  const live = await readProtection(baseUrl, input);
  if (live === wanted) return undefined;
  if (live === 'unknown') return `${baseUrl}: its protection could not be read`;
  return `${baseUrl}: protects ${live}, not ${wanted}`;
}

/** Holds an access key of the index itself, for requests to its own address. */
export const ownKeyVariable = 'RELEASE_INDEX_KEY';

export interface SiteHttpInput {
  config: SiteConfig;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** The only address that is sent the key; that of the configuration where absent. */
  ownUrl?: string | undefined;
}

/** A client for a published site: a person may be waiting. Throws an InputError where the key is malformed. */
export function openSiteHttp({ config, env, signal, ownUrl = config.releasesUrl }: SiteHttpInput): Http {
  const key = env[ownKeyVariable]?.trim();
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw new InputError([problem(ownKeyVariable, 'expected an access key, as "key new" shows it')]);
  return createHttp({
    userAgent: userAgentOf(config),
    signal,
    env,
    npm: readNpmConfig(env, process.cwd()),
    ...(key && { tokens: new Map([[ownUrl, key]]) }),
    keyVariable: { origin: new URL(ownUrl).origin, name: ownKeyVariable },
    limits: { maxRetries: 1, totalMs: 60_000 },
  });
}

/** The same client without credentials of ours. */
export function openAnonymousHttp({ env, ...input }: SiteHttpInput): Http {
  const open = Object.entries(env).filter(([name]) => !/^RELEASE_INDEX_/i.test(name));
  return openSiteHttp({ ...input, env: Object.fromEntries(open) });
}
