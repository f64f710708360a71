import { z } from 'zod';
import { metadataPath } from '../../ask/access/deny.ts';
import { metadataAddresses } from '../../ask/access/issuer-tokens.ts';
import type { AccessConfig, Protection } from '../../core/schemas/access-config.ts';
import { InputError, problem, warning, type Finding } from '../../core/schemas/finding.ts';
import { UpstreamUrl } from '../../core/schemas/links.ts';
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
  if (isIntended) return [warning(accessFile, `${change}. Accepted.`)];
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

/** Holds access keys of the index itself, or a token, for requests to its own address. */
export const ownKeyVariable = 'RELEASE_INDEX_KEY';

const clientVariables = ['RELEASE_INDEX_CLIENT_ID', 'RELEASE_INDEX_CLIENT_SECRET'] as const;

export const clientRemedy = `To publish with a client of your authorization server: ${clientVariables.join(' and ')} (runbook, "Publish without access keys")`;

/** The environment with a token of the client that publishes, where it has one, in the place of an access key. */
export async function withClientToken(
  input: SiteHttpInput & { baseUrl: string },
  access: AccessConfig | undefined,
): Promise<{ env: NodeJS.ProcessEnv; findings: Finding[] }> {
  const { env, baseUrl } = input;
  const [id, secret] = clientVariables.map((name) => env[name]?.trim());
  if (!access || !id || !secret || ownKeysIn(env).length > 0) return { env, findings: [] };
  const reject = (message: string) => ({ env, findings: [problem(clientVariables[0], message)] });
  const issuer = access.externalOauth.issuers.find(({ accessTokenFormat }) => accessTokenFormat === 'jwt');
  if (!issuer)
    return reject('is for an issuer of externalOauth with accessTokenFormat jwt, and there is none');
  const http = openAnonymousHttp(input);
  try {
    const endpoint = await tokenEndpointOf(http, issuer.uri);
    const token = await requestToken(http, endpoint, { id, secret, resource: `${baseUrl}/mcp` });
    return { env: { ...env, [ownKeyVariable]: token }, findings: [] };
  } catch (error) {
    return reject(`gets no token of ${issuer.uri}: ${(error as Error).message}`);
  } finally {
    await http.close();
  }
}

/** From its metadata, at the first of the addresses of both standards that has some (RFC 8414, section 3). */
async function tokenEndpointOf(http: Http, issuer: string): Promise<string> {
  for (const url of metadataAddresses(issuer)) {
    try {
      const answer = await http.fetch({ url, accept: ['application/json'] });
      const metadata = IssuerMetadata.parse(answer.json());
      if (metadata.issuer === issuer) return metadata.token_endpoint;
    } catch (error) {
      if (!(error instanceof HttpError && error.kind === 'absent')) throw error;
    }
  }
  throw new Error('it publishes no metadata of its own');
}

const IssuerMetadata = z.looseObject({ issuer: z.string(), token_endpoint: UpstreamUrl });
const TokenAnswer = z.looseObject({ access_token: z.string().regex(/^[\x21-\x7e]+$/) });

/** RFC 6749, section 4.4, with the secret in the header (section 2.3.1); `resource` is that of RFC 8707, others say `audience`. */
async function requestToken(
  http: Http,
  url: string,
  { id, secret, resource }: { id: string; secret: string; resource: string },
): Promise<string> {
  const escaped = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  const basic = Buffer.from(`${escaped(id)}:${escaped(secret)}`).toString('base64');
  const form = { grant_type: 'client_credentials', resource, audience: resource };
  const answer = await http.fetch({
    url,
    method: 'POST',
    accept: ['application/json'],
    headers: { authorization: `Basic ${basic}` },
    body: { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() },
  });
  return TokenAnswer.parse(answer.json()).access_token;
}

/** Several where a key is being replaced: one is valid at the live site, the other after the publication. */
export function ownKeysIn(env: NodeJS.ProcessEnv): string[] {
  return (env[ownKeyVariable] ?? '').split(/[\s,]+/).filter((key) => key !== '');
}

export interface SiteHttpInput {
  config: SiteConfig;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** The only address that is sent the key; that of the configuration where absent. */
  ownUrl?: string | undefined;
}

/** A client for a published site: a person may be waiting. Throws an InputError where the key is malformed. */
export function openSiteHttp({ config, env, signal, ownUrl = config.releasesUrl }: SiteHttpInput): Http {
  const keys = ownKeysIn(env);
  if (keys.some((key) => !/^[\x21-\x7e]+$/.test(key)))
    throw new InputError([problem(ownKeyVariable, 'expected an access key, as "key new" shows it')]);
  const npm = readNpmConfig(env, process.cwd());
  const [first, ...others] = (keys.length > 0 ? keys : [undefined]).map((key) =>
    createHttp({
      userAgent: userAgentOf(config),
      signal,
      env,
      npm,
      ...(key !== undefined && { tokens: new Map([[ownUrl, key]]) }),
      keyVariable: { origin: new URL(ownUrl).origin, name: ownKeyVariable },
      limits: { maxRetries: 1, totalMs: 60_000 },
    }),
  );
  return others.reduce(orElse, first!);
}

/** A client that asks again with the other's key what is refused with its own, and from then on begins with that. */
function orElse(one: Http, other: Http): Http {
  let [preferred, next] = [one, other];
  return {
    ...one,
    async fetch(request) {
      const asked = preferred;
      try {
        return await asked.fetch(request);
      } catch (error) {
        if (!(error instanceof HttpError && error.status === 401)) throw error;
        const answer = await (asked === preferred ? next : preferred).fetch(request);
        if (asked === preferred) [preferred, next] = [next, preferred];
        return answer;
      }
    },
    close: async () => void (await Promise.all([one.close(), other.close()])),
  };
}

/** The same client without credentials of ours. */
function openAnonymousHttp({ env, ...input }: SiteHttpInput): Http {
  const open = Object.entries(env).filter(([name]) => !/^RELEASE_INDEX_/i.test(name));
  return openSiteHttp({ ...input, env: Object.fromEntries(open) });
}
