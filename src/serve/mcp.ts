import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  McpServer,
} from '@modelcontextprotocol/server';

import { AskError } from './errors.ts';
import type { PublishedIndex } from './published-index.ts';
import { tools } from './tools.ts';

const instructions =
  'An index of the releases of components: which versions exist, which are still supported and until when, and what to move to. Versions are texts: quote them exactly. A verdict is as of the day in the answer. Unknown facts are left out, never guessed.';

const annotations = { readOnlyHint: true, openWorldHint: false };

/** A server with the five tools, for one request over HTTP or one connection over standard input and output. */
export function createMcpServer(index: PublishedIndex): McpServer {
  const server = new McpServer(
    { name: 'release-index', title: 'Release index', version: '1.0.0' },
    { instructions, capabilities: { tools: { listChanged: false } } },
  );
  for (const { name, description, inputSchema, answer } of tools) {
    server.registerTool(name, { description, inputSchema, annotations }, async (input) => {
      try {
        const age = await index.age();
        const { lines, content } = await answer(index, input);
        const text = [age.staleness, ...lines].filter(Boolean).join('\n');
        return {
          content: [{ type: 'text' as const, text }],
          structuredContent: { ...age, ...content },
        };
      } catch (error) {
        return { content: [{ type: 'text' as const, text: describe(error) }], isError: true };
      }
    });
  }
  return server;
}

/** A wrong call is an answer, too: the model may correct it. */
function describe(error: unknown): string {
  if (error instanceof AskError) {
    return error.message;
  }

  console.error(error);
  return 'The program failed. Its log says why.';
}

/** The tools over stateless HTTP. */
export function createMcp(index: PublishedIndex, baseUrl: string) {
  const handler = createMcpHandler(() => createMcpServer(index), {
    maxSubscriptions: 0,
    keepAliveMs: 0,
    maxRequestBodySize: 1_300_000,
  });
  const hosts = [new URL(baseUrl).hostname, ...localhostAllowedHostnames()];
  return async (request: Request): Promise<Response> =>
    hostHeaderValidationResponse(request, hosts) ?? handler.fetch(request);
}
