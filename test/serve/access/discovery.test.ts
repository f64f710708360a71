/** Checks that the official MCP client finds out where people sign in: by RFC 9728, then RFC 8414. */
import {
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSiteApi } from '../../harness/api.ts';
import { startAuthorizationServer } from '../../harness/authorization-server.ts';
import { askEndpoint } from '../../harness/endpoints.ts';
import { baseUrl } from '../../harness/index-folder.ts';
import { buildExample } from '../../harness/site.ts';

test('an MCP client discovers the OAuth issuers in the order of the settings', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const { issuer } = await startAuthorizationServer('opaque', {});
  onTestFinished(() => void vi.restoreAllMocks());
  const second = 'https://login.example.com';
  const common = { accessTokenFormat: 'opaque', restrictByDomain: false };
  const issuers = [issuer, second].map((uri) => ({ ...common, uri }));
  const externalOauth = { issuers, opaqueTokenFanOut: true };
  const access = { users: [{ username: 'jane' }], accessControl: { externalOauth } };
  const ask = openSiteApi(buildExample(), { access });

  const { resourceMetadataUrl } = extractWWWAuthenticateParams(
    await askEndpoint(ask, 'mcp', undefined),
  );
  const server = await discoverOAuthServerInfo(`${baseUrl}/mcp`, {
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
    fetchFn: (url, init) =>
      String(url).startsWith(baseUrl) ? ask(String(url), init) : fetch(url, init),
  });

  expect(String(resourceMetadataUrl)).toBe(`${baseUrl}/.well-known/oauth-protected-resource/mcp`);
  expect(server).toMatchObject({
    authorizationServerUrl: issuer,
    authorizationServerMetadata: { issuer, authorization_endpoint: `${issuer}/auth` },
    resourceMetadata: { resource: `${baseUrl}/mcp`, authorization_servers: [issuer, second] },
  });
});
