import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isJsonContentType,
  localhostAllowedHostnames,
  readRequestBody,
} from '@modelcontextprotocol/server';
import type { PublishedIndex } from '../../answers/published-index.ts';
import { answerPreflight } from '../api/respond.ts';
import { createMcpServer } from '../mcp/mcp-server.ts';

/** Two and a half times the longest text of a tool call, as JSON escapes some of its characters. */
const maxBytes = 160 * 1024;

/** Answers a request for `/mcp`. */
export type AnswerMcp = (request: Request) => Promise<Response>;

/**
 * The tools over stateless HTTP, for the protocol revisions from 2025 on. Rejects requests for hosts other than the host of
 * `baseUrl`, the address of the site, and localhost.
 */
export function createMcpEndpoint(index: PublishedIndex, baseUrl: string): AnswerMcp {
  // No streaming: a tool sends only its answer, as one JSON document.
  const handler = createMcpHandler(() =>
    createMcpServer({
      open: () => index,
      onError: (error) => console.error(error),
    }),
  );
  const hosts = [new URL(baseUrl).hostname, ...localhostAllowedHostnames()];

  return async (request) => {
    if (request.method === 'OPTIONS') {
      return answerPreflight(['POST', 'OPTIONS']);
    }

    const rejection = hostHeaderValidationResponse(request, hosts) ?? rejectOrigin(request);
    const response = rejection ?? (await answerMessage(request, handler));
    const headers = new Headers(response.headers);
    headers.set('Access-Control-Allow-Origin', '*');
    headers.set('Access-Control-Expose-Headers', 'WWW-Authenticate');
    headers.set('Cache-Control', 'no-store');
    headers.set('X-Content-Type-Options', 'nosniff');
    return new Response(response.body, { status: response.status, headers });
  };
}

/** Passes on one message, and rejects what the handler would read without a limit or keep open. */
async function answerMessage(
  request: Request,
  handler: ReturnType<typeof createMcpHandler>,
): Promise<Response> {
  if (request.method !== 'POST') {
    return createRejection(405, -32_000, `${request.method} is not allowed here, only POST.`, {
      Allow: 'POST, OPTIONS',
    });
  }
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return createRejection(415, -32_000, 'Send a message as application/json.');
  }

  const body = await readRequestBody(request, maxBytes);
  if (body.tooLarge) {
    return createRejection(413, -32_000, `A message has at most ${maxBytes} bytes.`);
  }

  const message = parseJson(body.text);
  if (message === undefined) {
    return createRejection(400, -32_700, 'The message is not valid JSON.');
  }

  // A batch could hold any number of calls.
  if (Array.isArray(message)) {
    return createRejection(400, -32_600, 'Send one message in a request, not a batch.');
  }
  if (isListening(message)) {
    return createRejection(
      404,
      -32_601,
      'Subscriptions are not supported: the tools never change.',
    );
  }

  return handler.fetch(request, { parsedBody: message });
}

/** Pages of any origin may read a published index, if their browser states the origin as browsers do. */
function rejectOrigin(request: Request): Response | undefined {
  const origin = request.headers.get('origin');

  // `null`, `https://example.com:8443`, `vscode-webview://id`
  if (origin === null || /^(?:null|[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+)$/.test(origin)) {
    return undefined;
  }

  return createRejection(403, -32_000, 'Invalid Origin header.');
}

/** An error in the form of JSON-RPC, which clients of the protocol expect. */
function createRejection(status: number, code: number, message: string, headers = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a message would open a stream that never ends. */
function isListening(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === 'subscriptions/listen';
}
