import type { AccessConfig } from '../../../core/schemas/access/access-config.ts';
import { respondWithCachedJson, rejectMethod, respondWithProblem } from '../api/respond.ts';
import { isForMcp } from '../mcp/connection.ts';

/** Reasons to reject a request. Responses reveal nothing that the client did not send. */
const denials = {
  'no-credential': {
    status: 401,
    text: 'Full authentication is required. Send Authorization: Bearer <access key or token>.',
  },
  'plain-http': {
    status: 400,
    text: 'Send credentials over https only: others may have read this credential.',
  },
  'invalid-token': { status: 401, text: 'Token validation failed' },
  'no-email': { status: 401, text: 'Token does not contain an email claim' },
  'wrong-domain': { status: 401, text: 'Email domain is not allowed' },
  'no-user': { status: 403, text: 'No user matches your identity.' },
  'no-permission': { status: 403, text: 'The credential has no permission for this operation.' },
  // Not 401: it would make clients discard a token that may be valid.
  'no-answer': { status: 503, text: 'The issuer of the token gives no answer. Try again later.' },
} as const;

/** Browsers use only https for a year (RFC 6797). Browsers ignore it over plain http. */
export const strictTransport = 'max-age=31536000';

const retryAfterS = '10';

export type Denial = keyof typeof denials;

interface AccessChallenge {
  /** The address of the site, without a slash at its end. */
  readonly baseUrl: string;
  /** Whether a browser may ask its user for a key. */
  readonly acceptsBasic: boolean;
}

/** RFC 9728, section 3.1. */
export const metadataPath = '/.well-known/oauth-protected-resource/mcp';

/** The `WWW-Authenticate` header of a 403 whose body states the reason. */
export function createScopeChallenge(baseUrl: string): string {
  return `Bearer realm="mcp", error="insufficient_scope", resource_metadata="${baseUrl}${metadataPath}"`;
}

/** RFC 6750, section 3, and RFC 9728, section 5.1. */
export function deny(
  request: Request,
  denial: Denial,
  { baseUrl, acceptsBasic }: AccessChallenge,
): Response {
  const { status, text } = denials[denial];
  const reason =
    denial === 'no-credential' ? '' : `${describeError(denial)} error_description="${text}",`;
  const bearer = `Bearer realm="mcp",${reason} resource_metadata="${baseUrl}${metadataPath}"`;
  const basic = 'Basic realm="access key as password", charset="UTF-8"';

  // The host sends both in one header, of which Chromium reads only the first challenge. Agents never ask for a password.
  const challenge = acceptsBasic && !isForMcp(request) ? `${basic}, ${bearer}` : bearer;
  const headers = {
    'Access-Control-Expose-Headers': 'WWW-Authenticate',
    Vary: 'Authorization',
    'Strict-Transport-Security': strictTransport,
    ...(status === 503 && { 'Retry-After': retryAfterS }),
    ...(status === 401 && { 'WWW-Authenticate': challenge }),
    // No Basic challenge: another password would not help.
    ...(status === 403 && { 'WWW-Authenticate': bearer }),
  };
  return respondWithProblem(request, status, text, {}, headers);
}

/** The `error` parameter of the header. An unknown user gets none, because clients would ask the same person to sign in again. */
function describeError(denial: Denial): string {
  if (denial === 'no-user') {
    return '';
  }

  return denials[denial].status === 403
    ? ' error="insufficient_scope",'
    : ' error="invalid_token",';
}

/** Names the issuers of tokens. Public, because clients read it before they have a token. */
export function answerMetadata(
  request: Request,
  { externalOauth }: AccessConfig,
  baseUrl: string,
): Promise<Response> | Response {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return rejectMethod(request, ['GET', 'HEAD', 'OPTIONS']);
  }

  const metadata = {
    resource: `${baseUrl}/mcp`,
    authorization_servers: externalOauth.issuers.map(({ uri }) => uri),
    bearer_methods_supported: ['header'],
    scopes_supported: ['openid', 'email'],
  };
  return respondWithCachedJson(request, `${JSON.stringify(metadata)}\n`);
}
