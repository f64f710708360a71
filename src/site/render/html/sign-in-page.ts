import { clientConfiguration, publishedServer } from '../../../ask/mcp/connection.ts';
import type { AccessConfig } from '../../../core/schemas/access-config.ts';
import { curl, isClosed, reading } from '../reader-commands.ts';
import type { SiteContext } from '../site-context.ts';
import { renderPage } from './page-frame.ts';

/** `sign-in.html`: how to read a private index. It names no user. */
export function renderSignInPage(site: SiteContext, access: AccessConfig): string {
  const { baseUrl } = site;
  const issuers = access.externalOauth.issuers.map(({ uri }) => uri);
  const hasKeys = access.accessKeys.enabled;
  const isEverything = isClosed(site);
  return renderPage(site, 'sign-in', {
    isEverything,
    hasKeys,
    issuers,
    mcpUrl: `${baseUrl}/mcp`,
    hasFilesByKey: isEverything && hasKeys,
    script: `${curl(site)} -f ${baseUrl}/index.json\n`,
    asking: `${reading(site, `npx release-index search isLatest --index ${baseUrl}`)}\n`,
    hostRules: `${JSON.stringify({ hostRules: [{ matchHost: baseUrl, token: 'KEY' }] }, undefined, 2)}\n`,
    claudeByKey: claudeCommand(`${baseUrl}/mcp --header "Authorization: Bearer $RELEASE_INDEX_KEY"`),
    claudeBySignIn: claudeCommand(`${baseUrl}/mcp`),
    cursor: `${clientConfiguration({ ...publishedServer(baseUrl), headers: { Authorization: 'Bearer ${env:RELEASE_INDEX_KEY}' } })}\n`,
    vsCode: `${JSON.stringify(vsCodeConfiguration(baseUrl), undefined, 2)}\n`,
  });
}

function claudeCommand(server: string): string {
  return `claude mcp add --transport http releases ${server}\n`;
}

/** `.vscode/mcp.json`: VS Code asks for the key once, and stores it. */
function vsCodeConfiguration(baseUrl: string): object {
  const id = 'release-index-key';
  return {
    inputs: [{ type: 'promptString', id, description: 'Access key of the release index', password: true }],
    servers: {
      releases: { ...publishedServer(baseUrl), headers: { Authorization: `Bearer \${input:${id}}` } },
    },
  };
}
