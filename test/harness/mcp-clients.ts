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
import { createMcpServer } from '../../src/ask/server/mcp/mcp-server.ts';
import { openFolder } from '../../src/cli/open-published.ts';
import type { Day } from '../../src/core/model/dates.ts';
import { ownProgram } from './cli.ts';

/** What a test asks of a client, whichever it is. */
export interface McpClient {
  /** The revision that was agreed on. */
  readonly revision: string;
  listTools(): Promise<readonly ListedTool[]>;
  callTool(name: string, given: Record<string, unknown>): Promise<Called>;
  close(): Promise<void>;
}

export interface ListedTool {
  name: string;
  description?: string | undefined;
  inputSchema: object;
  outputSchema?: object | undefined;
  annotations?: object | undefined;
}

export interface Called {
  text: string;
  content: Record<string, unknown> | undefined;
  isError: boolean;
}

/** An address of the Worker, or what follows `mcp` on the command line, and what is added to its environment. */
export type Door = { url: string } | { args: readonly string[]; env?: Record<string, string> };

/** The official client in its modes, and that of the time before 2026. Both check what is answered against the schemas. */
export const clientKinds = ['auto', 'modern', 'legacy', 'old'] as const;
export type ClientKind = (typeof clientKinds)[number];

const about = { name: 'test', version: '1' };
const modes = { auto: 'auto', modern: { pin: '2026-07-28' }, legacy: 'legacy' } as const;

export async function connect(door: Door, kind: ClientKind): Promise<McpClient> {
  return kind === 'old' ? connectOld(door) : connectNew(door, kind);
}

/** A client of the tools for a built site on a day, in this process: for tests of their answers. */
export async function openTools(folder: string, day: Day): Promise<McpClient> {
  const { index } = openFolder(folder, () => day);
  const [here, there] = InMemoryTransport.createLinkedPair();
  const open = () => Promise.resolve(index);
  const onError = (error: unknown) => {
    throw error;
  };
  serveStdio(() => createMcpServer({ open, onError }), { transport: there });
  const client = new Client(about, { versionNegotiation: { mode: modes.modern } });
  await client.connect(here);
  return clientOf(client, client.getNegotiatedProtocolVersion()!);
}

async function connectNew(door: Door, kind: keyof typeof modes): Promise<McpClient> {
  const client = new Client(about, { versionNegotiation: { mode: modes[kind] } });
  await client.connect(
    'url' in door
      ? new StreamableHTTPClientTransport(new URL(door.url))
      : new StdioClientTransport(commandOf(door)),
  );
  return clientOf(client, client.getNegotiatedProtocolVersion()!);
}

async function connectOld(door: Door): Promise<McpClient> {
  const client = new OldClient(about);
  const transport: OldTransport =
    'url' in door
      ? (new OldHttp(new URL(door.url)) as OldTransport)
      : new OldStdio(commandOf(door));
  let revision = 'unknown';
  const tell = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    revision = version;
    tell?.(version);
  };
  await client.connect(transport);
  // Only what it has listed does it check.
  await client.listTools();
  return clientOf(client, revision);
}

function clientOf(client: Client | OldClient, revision: string): McpClient {
  return {
    revision,
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, given) => toCalled(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  };
}

function commandOf({ args, env }: Exclude<Door, { url: string }>) {
  return {
    command: process.execPath,
    args: [ownProgram, 'mcp', ...args],
    ...(env && { env }),
    stderr: 'inherit' as const,
  };
}

function toCalled(result: { [key: string]: unknown }): Called {
  const [{ text }] = result['content'] as [{ text: string }];
  return {
    text,
    content: result['structuredContent'] as Called['content'],
    isError: result['isError'] === true,
  };
}
