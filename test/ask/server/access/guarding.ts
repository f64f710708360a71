import { onTestFinished, vi } from 'vitest';
import { createGuard } from '../../../../src/ask/server/access/guard.ts';
import type { AccessConfig } from '../../../../src/core/schemas/access/access-config.ts';
import type { AccessKey } from '../../../../src/core/schemas/access/access-keys.ts';
import { answer, startUpstream, type Handler } from '../../../harness/upstream.ts';
import { baseUrl, resource } from './private-index.ts';

export const people = {
  jane: { email: 'jane@example.com', email_verified: true, preferred_username: 'jane' },
  unverified: { email: 'jane@example.com', email_verified: false },
  unverifiedText: { email: 'jane@example.com', email_verified: 'false' },
  verifiedText: { email: 'jane@example.com', email_verified: 'true' },
  unanswered: { email: 'jane@example.com', email_verified: null },
  unstated: { email: 'jane@example.com' },
  mailless: { preferred_username: 'jane' },
  foreign: { email: 'jane@example.org', preferred_username: 'jane' },
  capitals: { email: 'Jane@Example.com' },
  listed: { email: ['jane@example.com'] },
  subdomain: { email: 'jane@sub.example.com' },
  stranger: { email: 'stranger@example.com' },
  kelvin: { email: 'mi\u212ae@example.com' },
};

/** The warnings of the guards of a test file, for the owner of the index. */
export const warnings: string[] = [];

/** For a guard: keeps warnings, and lets a failure of the program fail the test. */
export const handlers = {
  onOutage: (message: string) => void warnings.push(message),
  onError(error: unknown): void {
    throw error;
  },
};

interface Time {
  now: number;
}

/** The refusal of a guard for a request with this header, or `undefined` if it is accepted. */
export async function refusalBy(
  access: AccessConfig,
  authorization: string,
  { keys = [], url = resource }: { keys?: readonly AccessKey[]; url?: string } = {},
): Promise<Response | undefined> {
  const guard = createGuard({ access, keys: [...keys], baseUrl, ...handlers });
  const answer = await guard(new Request(url, { headers: { authorization } }));
  return answer instanceof Response ? answer : undefined;
}

/** Opens a guard, and returns its answer to a token at a time: `in`, or the status and the reason. */
export function openGuard(access: AccessConfig, keys: readonly AccessKey[] = [], time?: Time) {
  if (time) {
    vi.spyOn(Date, 'now').mockImplementation(() => time.now);
    onTestFinished(() => void vi.restoreAllMocks());
  }
  const guard = createGuard({ access, keys: [...keys], baseUrl, ...handlers });
  return async (secret: string): Promise<string> => {
    const headers = { authorization: `Bearer ${secret}` };
    const refusal = await guard(new Request(resource, { method: 'POST', headers }));
    if (!(refusal instanceof Response)) {
      return 'in';
    }
    const { status, detail } = (await refusal.json()) as { status: number; detail: string };
    return `${status} ${detail}`;
  };
}

/** An issuer with custom answers. */
export async function startIssuer(
  handlerAt: (url: string) => Handler,
): Promise<{ issuer: string; paths: string[] }> {
  const upstream = await startUpstream((url) => handlerAt(url.slice(0, -1)));
  onTestFinished(() => upstream.close());
  return {
    issuer: upstream.url.slice(0, -1),
    get paths() {
      return upstream.requests.map(({ path }) => path);
    },
  };
}

export const json =
  (value: unknown): Handler =>
  (_, response) =>
    answer(response, 200, 'application/json', JSON.stringify(value));

export const missing: Handler = (_, response) => answer(response, 404, 'text/plain', 'no');

export const discovery = '/.well-known/openid-configuration';
export const served =
  (handlers: Readonly<Record<string, Handler>>): Handler =>
  (request, response) =>
    (handlers[request.url!] ?? missing)(request, response);

export const failed = '401 Token validation failed';
export const noAnswer = '503 The issuer of the token gives no answer. Try again later.';
export const noEmail = '401 Token does not contain an email claim';
export const wrongDomain = '401 Email domain is not allowed';
export const noUser = '403 No user matches your identity.';

/** The routes of an issuer with an endpoint for UserInfo. */
export function userInfo(url: string, handler: Handler): Readonly<Record<string, Handler>> {
  return { [discovery]: json({ issuer: url, userinfo_endpoint: `${url}/me` }), '/me': handler };
}
