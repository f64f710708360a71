import { problem } from '../api/respond.ts';
import { isForMcp } from '../mcp/mcp-address.ts';
import { metadataPath } from './resource-metadata.ts';

/** Why a request is not let in. None says more than its sender knows. */
const denials = {
  'no-credential': {
    status: 401,
    text: 'Send an access key or a token: Authorization: Bearer <access key or token>.',
  },
  'invalid-token': { status: 401, text: 'Token validation failed' },
  'no-email': { status: 401, text: 'Token does not contain an email claim' },
  'wrong-domain': { status: 401, text: 'Email domain is not allowed' },
  'no-user': { status: 403, text: 'No user matches your identity.' },
} as const;

export type Denial = keyof typeof denials;

export interface Challenge {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Whether a browser may ask for a key. */
  readonly takesBasic: boolean;
}

/** RFC 6750, section 3, and RFC 9728, section 5.1. */
export function deny(request: Request, denial: Denial, { baseUrl, takesBasic }: Challenge): Response {
  const { status, text } = denials[denial];
  const error = denial === 'no-credential' ? '' : ` error="invalid_token", error_description="${text}",`;
  const bearer = `Bearer realm="mcp",${error} resource_metadata="${baseUrl}${metadataPath}"`;
  const challenges = [bearer];
  // The host sends both as one line, of which Chromium reads the first challenge alone, and so do clients of the protocol.
  if (takesBasic) challenges.splice(isForMcp(request) ? 1 : 0, 0, basic);
  return problem(
    request,
    status,
    text,
    {},
    {
      'Access-Control-Expose-Headers': 'WWW-Authenticate',
      Vary: 'Authorization',
      ...(status === 401 && { 'WWW-Authenticate': challenges.join(', ') }),
    },
  );
}

const basic = 'Basic realm="access key as password", charset="UTF-8"';
