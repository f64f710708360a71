import { metadataPath } from '../../ask/server/access/deny.ts';
import type { Protection } from '../../core/schemas/access/access-config.ts';
import type { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { inputError, problem, warning, type Finding } from '../../core/schemas/finding.ts';
import { accessFile } from '../../io/files/read.ts';
import { createHttp, describeUserAgent, type Http } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import { readNpmConfig } from '../../io/http/npm-config.ts';

/** The parts of a site that need a credential, from least to most protected. */
const degrees = ['unknown', 'nothing', 'mcp', 'everything'] as const satisfies readonly (
  Protection | 'nothing' | 'unknown'
)[];
type Degree = (typeof degrees)[number];

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

async function probe(http: Http, url: string): Promise<'served' | 'denied' | 'absent' | 'unknown'> {
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

    // Many hosts answer with a page for a missing document. The host name may not exist yet.
    return error.kind === 'absent' || error.kind === 'content' ? 'absent' : 'unknown';
  }
}

/** A missing file or a typing error must not open a private index: only a person does, by `--unprotect`. */
export function compareProtection(
  live: Degree,
  degree: Degree,
  { unprotect }: { unprotect: boolean },
): Finding[] {
  if (degrees.indexOf(degree) >= degrees.indexOf(live)) {
    return [];
  }

  const change = `the live site protects ${live}, and this one ${degree}`;
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
  if (live === 'unknown') {
    return `${baseUrl}: its protection could not be read`;
  }

  return `${baseUrl}: protects ${live}, not ${protection}`;
}

/** Holds access keys or a token for requests to the published index. */
export const readingKeyVariable = 'RELEASE_INDEX_KEY';

export const tokenRemedy = `To publish: put a token of your authorization server into ${readingKeyVariable} (ACCESS.md, "Publish without access keys")`;

/** Several while a key is being replaced: the live site accepts the old key, the new site the new key. */
export function listReadingKeys(env: NodeJS.ProcessEnv): string[] {
  return (env[readingKeyVariable] ?? '').split(/[\s,]+/).filter((key) => key !== '');
}

export interface SiteHttpInput {
  config: SiteConfig;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** The only address that receives the key; the configured address if absent. */
  ownUrl?: string | undefined;
}

/** A client for a published site. Retries little, as a person may be waiting. Throws an InputError if the key is malformed. */
export function openSiteHttp({
  config,
  env,
  signal,
  ownUrl = config.releasesUrl,
}: SiteHttpInput): Http {
  const keys = listReadingKeys(env);
  if (keys.some((key) => !/^[\x21-\x7e]+$/.test(key))) {
    throw inputError(readingKeyVariable, 'expected an access key, as "key new" shows it');
  }

  const npm = readNpmConfig(env, process.cwd());

  const clients = (keys.length > 0 ? keys : [undefined]).map((key) =>
    createHttp({
      userAgent: describeUserAgent(config),
      signal,
      env,
      npm,
      tokens: key === undefined ? undefined : new Map([[ownUrl, key]]),
      keyVariable: { origin: new URL(ownUrl).origin, name: readingKeyVariable },
      limits: { maxRetries: 1, totalMs: 60_000 },
    }),
  );

  return clients.reduce(repeatWithOther);
}

/** A client that repeats a request with the other key after a 401, and then prefers the key that worked. */
function repeatWithOther(firstHttp: Http, secondHttp: Http): Http {
  let preferred = firstHttp;

  return {
    ...firstHttp,
    async fetch(request) {
      const client = preferred;
      const other = client === firstHttp ? secondHttp : firstHttp;
      try {
        return await client.fetch(request);
      } catch (error) {
        if (!(error instanceof HttpError && error.status === 401)) {
          throw error;
        }

        const answer = await other.fetch(request);
        preferred = other;
        return answer;
      }
    },
    async close() {
      await Promise.all([firstHttp.close(), secondHttp.close()]);
    },
  };
}

/** A client without the credentials of this index. */
function openAnonymousHttp({ env, ...input }: SiteHttpInput): Http {
  const variables = Object.entries(env).filter(([name]) => !/^RELEASE_INDEX_/i.test(name));
  return openSiteHttp({ ...input, env: Object.fromEntries(variables) });
}
