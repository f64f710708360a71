import { answerProblem } from '../api/respond.ts';
import { isForMcp, metadataPath } from './protected-paths.ts';

/** Reasons to reject a request. The texts quote nothing of the credential, and name no user. */
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

/** For denials, and for answers to clients with a credential: browsers use only https for a year (RFC 6797). */
export const strictTransport = 'max-age=31536000';

const basic = 'Basic realm="access key as password", charset="UTF-8"';

export type Denial = keyof typeof denials;

interface AccessSite {
  /** The address of the site, without a slash at its end. */
  readonly baseUrl: string;
  /** Whether a browser may ask its user for a key. */
  readonly acceptsBasic: boolean;
}

/** A challenge of RFC 6750, section 3, and RFC 9728, section 5.1. */
export function createBearerChallenge(baseUrl: string, parameters: string[]): string {
  const resource = `resource_metadata="${baseUrl}${metadataPath}"`;
  return `Bearer ${['realm="mcp"', ...parameters, resource].join(', ')}`;
}

export function deny(
  request: Request,
  denial: Denial,
  { baseUrl, acceptsBasic }: AccessSite,
): Response {
  const { status, text } = denials[denial];
  const headers: Record<string, string> = {
    'Access-Control-Expose-Headers': 'WWW-Authenticate, Retry-After',
    Vary: 'Authorization',
    'Strict-Transport-Security': strictTransport,
  };
  if (status === 503) {
    headers['Retry-After'] = '10';
  }
  if (status === 401 || status === 403) {
    const bearer = createBearerChallenge(baseUrl, listParameters(denial));
    // With 403, another password would not help. Agents, which use MCP, never ask for a password.
    const mayAskUser = status === 401 && acceptsBasic && !isForMcp(request);
    // The host sends both in one header, of which Chromium reads only the first challenge.
    headers['WWW-Authenticate'] = mayAskUser ? `${basic}, ${bearer}` : bearer;
  }

  return answerProblem(request, status, text, { headers });
}

/** The parameters of a challenge. An unknown user gets no `error`: clients would ask the same person to sign in again. */
function listParameters(denial: Denial): string[] {
  const { status, text } = denials[denial];
  const description = `error_description="${text}"`;
  switch (denial) {
    case 'no-credential':
      return [];
    case 'no-user':
      return [description];
    default:
      return [`error="${status === 403 ? 'insufficient_scope' : 'invalid_token'}"`, description];
  }
}
