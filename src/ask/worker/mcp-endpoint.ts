import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isJsonContentType,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  readRequestBody,
} from '@modelcontextprotocol/server';
import type { PublishedIndex } from '../published-index.ts';
import { toDay } from '../../core/dates.ts';
import { createMcpServer } from '../mcp/mcp-server.ts';

const methods = 'POST, OPTIONS';

/** Many times the longest question. */
const mostBytes = 64 * 1024;

const cors = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate',
};

export interface McpEndpoint {
  /** Answers a request for `/mcp`. */
  fetch(request: Request): Promise<Response>;
}

/**
 * The tools over HTTP, without sessions, for the revisions of the protocol from 2025 on. `baseUrl`: where the site is
 * published; beside that host only this computer is asked for it.
 */
export function createMcpEndpoint(index: PublishedIndex, baseUrl: string): McpEndpoint {
  // Without a mode: no tool says anything before its answer, which is therefore one JSON document.
  const handler = createMcpHandler(() =>
    createMcpServer({
      open: () => ({ index, day: toDay(new Date()) }),
      onError: (error) => console.error(error),
    }),
  );
  const hosts = [new URL(baseUrl).hostname, ...localhostAllowedHostnames()];

  async function answer(request: Request): Promise<Response> {
    const wrong = hostHeaderValidationResponse(request, hosts) ?? wrongOrigin(request);
    if (wrong) return wrong;
    if (request.method !== 'POST')
      return refusal(405, -32_000, `${request.method} is not possible here, only POST.`, { Allow: methods });
    if (!isJsonContentType(request.headers.get('content-type')))
      return refusal(415, -32_000, 'Send a message as application/json.');
    const body = await readRequestBody(request, mostBytes);
    if (body.tooLarge) return refusal(413, -32_000, `A message has at most ${mostBytes} bytes.`);
    const message = parse(body.text);
    if (message === undefined) return refusal(400, -32_700, 'The message is no JSON.');
    // A batch would be as many questions as fit into it.
    if (Array.isArray(message)) return refusal(400, -32_600, 'Send one message in a request, not a batch.');
    if (isListening(message))
      return refusal(
        404,
        -32_601,
        'Nothing changes while it is asked, so that there is nothing to listen to.',
      );
    return handler.fetch(request, { parsedBody: message });
  }

  return {
    async fetch(request) {
      if (request.method === 'OPTIONS') return preflight();
      const response = await answer(request);
      const headers = new Headers(response.headers);
      for (const [name, value] of Object.entries({ ...cors, 'Cache-Control': 'no-store' }))
        headers.set(name, value);
      headers.set('X-Content-Type-Options', 'nosniff');
      return new Response(response.body, { status: response.status, headers });
    },
  };
}

/**
 * What is published is public, so that pages of every origin may ask. On this computer it may be a draft, which only pages of this
 * computer may read.
 */
function wrongOrigin(request: Request): Response | undefined {
  const { hostname } = new URL(request.url);
  if (localhostAllowedHostnames().includes(hostname))
    return originValidationResponse(request, localhostAllowedOrigins());
  const origin = request.headers.get('origin');
  if (origin === null || /^(?:null|[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+)$/.test(origin)) return undefined;
  return refusal(403, -32_000, 'The Origin is none.');
}

function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...cors,
      Allow: methods,
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers':
        'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name',
      'Access-Control-Max-Age': '86400',
      'Cache-Control': 'no-store',
    },
  });
}

/** A message of JSON-RPC, as clients of the protocol expect one. */
function refusal(status: number, code: number, message: string, headers = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A stream that would stay open for ever. */
function isListening(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === 'subscriptions/listen';
}
