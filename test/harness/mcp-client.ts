import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { expect } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { createMcpServer } from '../../src/serve/mcp.ts';
import type { PublishedIndex } from '../../src/ask/published-index.ts';

/**
 * The clients that the tests use. `auto`, `modern` and `legacy` are modes of the current official MCP client. `old` is an official client
 * from before 2026. All clients check answers against the tools' schemas.
 */
export const clientKinds = ['auto', 'modern', 'legacy', 'old'] as const;
type ClientKind = (typeof clientKinds)[number];

/** How a client reaches the MCP server: by its URL, or by a command that starts it. */
type McpEndpoint = { url: string } | { command: string; args: string[] };

type McpClient = ReturnType<typeof wrapClient>;

const about = { name: 'test', version: '1' };
const modes = { auto: 'auto', modern: { pin: '2026-07-28' }, legacy: 'legacy' } as const;

export async function connect(endpoint: McpEndpoint, kind: ClientKind): Promise<McpClient> {
  if (kind === 'old') {
    const client = new OldClient(about);
    const transport =
      'url' in endpoint
        ? new OldHttp(new URL(endpoint.url))
        : new OldStdio({ ...endpoint, stderr: 'ignore' });
    await client.connect(transport as OldTransport);
    return wrapClient(client);
  }

  const client = new Client(about, { versionNegotiation: { mode: modes[kind] } });
  await client.connect(
    'url' in endpoint
      ? new StreamableHTTPClientTransport(new URL(endpoint.url))
      : new StdioClientTransport({ ...endpoint, stderr: 'ignore' }),
  );
  return wrapClient(client);
}

/** Connects a client to the MCP tools of an index, in this process. */
export async function openTools(index: PublishedIndex): Promise<McpClient> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  serveStdio(() => createMcpServer(() => index, manifest.version), { transport: there });
  const client = new Client(about, { versionNegotiation: { mode: modes.modern } });
  await client.connect(here);
  return wrapClient(client);
}

function wrapClient(client: Client | OldClient) {
  return {
    async listTools() {
      return (await client.listTools()).tools;
    },
    async callTool(name: string, input: Record<string, unknown>) {
      const result = await client.callTool({ name, arguments: input });
      const [first] = result.content as { text: string }[];
      return {
        text: first?.text ?? '',
        content: result.structuredContent as Record<string, unknown> | undefined,
        isError: result.isError === true,
      };
    },
    close: () => client.close(),
  };
}

/** Lists the tools, and makes three calls: with valid input, with an unknown component, and with an unknown key. */
export async function tryTools(client: McpClient) {
  const tools = await client.listTools();
  const right = await client.callTool('check_versions', { text: 'svc 2025.1' });
  const wrong = await client.callTool('show_component', { component: 'scv' });
  const strange = await client.callTool('check_versions', { text: 'svc 2025.1', colour: 'red' });
  await client.close();
  return { count: tools.length, right: right.content, wrong, strange };
}

const refused = { content: undefined, isError: true };

/** The expected result of `tryTools` for the example. */
export const expectedAnswers = {
  count: 5,
  right: {
    asOf: '2026-11-27',
    items: [
      {
        component: 'svc',
        version: '2025.1',
        line: '2025.1',
        state: 'ended',
        isSupported: false,
        supportedUntil: '2026-10-08',
        isInferred: true,
        moveTo: { component: 'svc', version: '2026.3' },
        moveReason: 'ended',
      },
    ],
    withoutVerdict: [],
    notInThisIndex: [],
    notRead: [],
    total: 1,
  },
  wrong: {
    text: '"scv" names no component of this index. Did you mean "svc"?',
    ...refused,
  },
  strange: {
    text: expect.stringContaining('colour') as string,
    ...refused,
  },
};
