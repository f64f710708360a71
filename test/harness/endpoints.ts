import type { Ask } from './api.ts';
import { digestOf } from './imitation.ts';

/** One request for each permission. The request to `token` needs a credential, but no permission. */
export const endpoints = {
  read: { method: 'GET', path: '/api/releases?maxReleases=1' },
  export: { method: 'GET', path: '/build-export/v2/builds/since/0' },
  scan: { method: 'POST', path: '/packages/generic/svc/2025.1/policy-scans/supported' },
  mcp: { method: 'POST', path: '/mcp' },
  token: { method: 'POST', path: '/api/auth/token' },
};
export type Endpoint = keyof typeof endpoints;

const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

/** Sends the request for an endpoint with this `Authorization` header. If `origin` is set, the request goes to that origin. */
export function askEndpoint(
  ask: Ask,
  endpoint: Endpoint,
  authorization: string | undefined,
  { origin = '', query = '' } = {},
): Promise<Response> {
  const { method, path } = endpoints[endpoint];
  const headers = new Headers({ accept: 'application/json, text/event-stream' });
  if (authorization !== undefined) {
    headers.set('authorization', authorization);
  }
  if (endpoint !== 'mcp') {
    return ask(origin + path + query, { method, headers });
  }

  headers.set('content-type', 'application/json');
  return ask(origin + path + query, { method, headers, body: listTools });
}

/** Describes an answer: a successful answer → `in`, any other answer → its status and message, such as `401 Token validation failed`. */
export async function describeAnswer(answer: Response): Promise<string> {
  if (answer.ok) {
    await answer.body?.cancel();
    return 'in';
  }
  return `${answer.status} ${((await answer.json()) as { detail: string }).detail}`;
}

export const bearer = (secret: string) => `Bearer ${secret}`;
export const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

/** Returns a valid access key, for example `release_index_aaaa…`. */
export const keyOf = (letter: string) => `release_index_${letter.repeat(43)}`;

/**
 * Returns the entry for an access key in the variable `RELEASE_INDEX_ACCESS_KEYS`. The entry contains the key's digest instead of the key.
 * It expires at the end of the year 9998.
 */
export function recordedKey(key: string, more: object = {}) {
  const facts = { name: 'laptop', user: 'jane', expires: '9998-12-31' };
  return { ...facts, sha256: digestOf(key), ...more };
}

export const words = {
  none: '401 Full authentication is required. Send Authorization: Bearer <access key or token>.',
  failed: '401 Token validation failed',
  noEmail: '401 Token does not contain an email claim',
  wrongDomain: '401 Email domain is not allowed',
  noUser: '403 No user matches your identity.',
  noPermission: '403 The credential has no permission for this operation.',
  noAnswer: '503 The issuer of the token gives no answer. Try again later.',
  http: '400 Send credentials over https only: others may have read this credential.',
};
