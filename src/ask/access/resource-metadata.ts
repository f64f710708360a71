import { cachedJson, notAllowed } from '../api/respond.ts';
import type { AccessConfig } from '../../core/schemas/access-config.ts';

/** RFC 9728, section 3.1. */
export const metadataPath = '/.well-known/oauth-protected-resource/mcp';

/** Tells clients where they get a token. It is public, as it is read before there is one. */
export function answerMetadata(
  request: Request,
  { externalOauth }: AccessConfig,
  baseUrl: string,
): Promise<Response> | Response {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return notAllowed(request, ['GET', 'HEAD', 'OPTIONS']);
  const metadata = {
    resource: `${baseUrl}/mcp`,
    authorization_servers: externalOauth.issuers.map(({ uri }) => uri),
    bearer_methods_supported: ['header'],
    scopes_supported: ['openid', 'email'],
  };
  return cachedJson(request, `${JSON.stringify(metadata)}\n`);
}
