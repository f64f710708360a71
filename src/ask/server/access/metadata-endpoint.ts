import type { AccessConfig } from '../../../core/schemas/access/access-config.ts';
import { answerCachedJson, rejectMethod } from '../api/respond.ts';

/** RFC 9728, section 3.1. */
export const metadataPath = '/.well-known/oauth-protected-resource/mcp';

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
  return answerCachedJson(request, `${JSON.stringify(metadata)}\n`);
}
