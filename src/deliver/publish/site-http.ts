import type { AccessConfig } from '../../core/schemas/access/access-config.ts';
import { accessKeyForm, type AccessKeys } from '../../core/schemas/access/access-keys.ts';
import { intersectPermissions } from '../../core/schemas/access/permissions.ts';
import type { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { inputError, problem, type Finding } from '../../core/schemas/finding.ts';
import { sha256 } from '../../io/files/file-system.ts';
import { createHttp, type Http } from '../../io/http/client.ts';
import { nameVariable } from '../../io/http/credentials.ts';
import { HttpError } from '../../io/http/error.ts';
import type { HostKeys } from './host-keys.ts';

/** Holds access keys or a token for requests to the published index. */
export const readingKeyVariable = 'RELEASE_INDEX_KEY';

export const tokenRemedy = `To publish: put a token of your authorization server into ${readingKeyVariable} (ACCESS.md, "Publish without access keys")`;

/** Several while a key is being replaced: the live site accepts the old key, the new site the new key. */
function listReadingKeys(env: NodeJS.ProcessEnv): string[] {
  return (env[readingKeyVariable] ?? '').split(/[\s,]+/).filter((key) => key !== '');
}

export interface SiteHttpInput {
  config: SiteConfig;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** The only address that receives the key; the configured address if absent. */
  ownUrl?: string | undefined;
}

/** The client of a published site. */
export type SiteHttp = Pick<Http, 'fetch' | 'close'>;

/** Opens the client of a published site. Retries little, as a person may be waiting. Throws an InputError if the key is malformed. */
export function openSiteHttp({
  config,
  env,
  signal,
  ownUrl = config.releasesUrl,
}: SiteHttpInput): SiteHttp {
  const keys = listReadingKeys(env);
  if (keys.some((key) => !/^[\x21-\x7e]+$/.test(key))) {
    throw inputError(readingKeyVariable, 'expected an access key, as "key new" shows it');
  }

  const clients = (keys.length > 0 ? keys : [undefined]).map((key) =>
    createHttp({
      repositoryUrl: config.repositoryUrl,
      signal,
      env,
      tokens: key === undefined ? undefined : new Map([[ownUrl, key]]),
      keyVariable: { origin: new URL(ownUrl).origin, name: readingKeyVariable },
      limits: { maxRetries: 1, totalMs: 60_000 },
    }),
  );

  return tryInTurn(clients);
}

/** Repeats a request with the next key after a 401, and from then on begins with the key that worked. */
function tryInTurn(clients: readonly Http[]): SiteHttp {
  let ordered = clients;

  return {
    async fetch(request) {
      let denial: unknown;
      for (const client of ordered) {
        try {
          const answer = await client.fetch(request);
          ordered = [...new Set([client, ...clients])];
          return answer;
        } catch (error) {
          if (!(error instanceof HttpError && error.status === 401)) {
            throw error;
          }

          denial = error;
        }
      }

      throw denial;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

/** A client without the credentials of this index. */
export function openAnonymousHttp({ env, ...input }: SiteHttpInput): SiteHttp {
  const variables = Object.entries(env).filter(([name]) => !/^RELEASE_INDEX_/i.test(name));
  return openSiteHttp({ ...input, env: Object.fromEntries(variables) });
}

/** If the whole index is protected, publishing needs a key to compare with the live site and to read it back. */
export function checkReadingKey(
  { keys }: HostKeys,
  access: AccessConfig | undefined,
  env: NodeJS.ProcessEnv,
  baseUrl: string,
): Finding[] {
  // The variable of the host takes precedence, and may hold a token.
  if (access?.protect !== 'everything' || env[nameVariable(new URL(baseUrl))]) {
    return [];
  }

  const reason = findReadingProblem(listReadingKeys(env), keys, access);
  if (reason === undefined) {
    return [];
  }

  const remedy = access.accessKeys.enabled
    ? 'To make a key: npx release-index key new'
    : tokenRemedy;
  return [problem(readingKeyVariable, `${reason}. ${remedy}`)];
}

/** Why the publisher cannot read the index; undefined if a key may, or if only the host knows: it has a token, or there is no list. */
function findReadingProblem(
  ownKeys: readonly string[],
  keys: AccessKeys | undefined,
  { users, accessKeys }: AccessConfig,
): string | undefined {
  if (ownKeys.length === 0) {
    const credential = accessKeys.enabled
      ? 'an access key'
      : 'a token, as access keys are not enabled';
    return `is missing: comparing with the live site and reading it back need ${credential}`;
  }

  // A text that does not have the form of an access key is a token.
  if (!keys || ownKeys.some((key) => !accessKeyForm.test(key))) {
    return undefined;
  }

  const ownDigests = ownKeys.map(sha256);
  const mayRead = keys.some((entry) => {
    const userLimits = users.filter(({ username }) => username === entry.user);
    const permissions = intersectPermissions(entry, ...userLimits);
    return ownDigests.includes(entry.sha256) && permissions.includes('read');
  });
  return mayRead ? undefined : 'has no valid access key with the permission "read"';
}
