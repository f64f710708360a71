import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  readRequestBody,
} from '@modelcontextprotocol/server';
import { isObject } from '../../../core/model/objects.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
import { longestTexts } from '../../texts/read-text.ts';
import { answerPreflight, respond } from '../api/respond.ts';
import { createMcpServer } from './mcp-server.ts';

/** More than a call with the longest text, which has up to six bytes a character: JSON may write `\u00e4` for `ä`. */
const maxBytes = 6 * longestTexts.request + 10_000;

/**
 * Answers requests for `/mcp`: the tools over stateless HTTP, for the protocol revisions from 2025 on. Rejects requests for other hosts
 * than that of `baseUrl`, the address of the site, and localhost.
 */
export function createMcpEndpoint(index: PublishedIndex, baseUrl: string) {
  const handler = createMcpHandler(() =>
    createMcpServer({
      open: () => index,
      onError: (error) => console.error(error),
    }),
  );
  const hosts = [new URL(baseUrl).hostname, ...localhostAllowedHostnames()];

  return async (request: Request): Promise<Response> => {
    if (request.method === 'OPTIONS') {
      return answerPreflight(['POST']);
    }

    const response =
      hostHeaderValidationResponse(request, hosts) ??
      rejectOrigin(request) ??
      (await answerMessage(request, handler));
    return respond(request, response.status, response.body, {
      ...Object.fromEntries(response.headers),
      'Cache-Control': 'no-store',
      'Access-Control-Expose-Headers': 'WWW-Authenticate',
    });
  };
}

/** Passes on one message, and rejects what the handler would accept: a batch, and a message that opens a stream. */
async function answerMessage(
  request: Request,
  handler: ReturnType<typeof createMcpHandler>,
): Promise<Response> {
  if (request.method !== 'POST') {
    return handler.fetch(request);
  }

  const body = await readRequestBody(request, maxBytes);
  if (body.tooLarge) {
    return createRejection(413, -32_000, `A message has at most ${maxBytes} bytes.`);
  }

  let message: unknown;
  try {
    message = JSON.parse(body.text);
  } catch {
    return createRejection(400, -32_700, 'The message is not valid JSON.');
  }

  // A batch could hold any number of calls.
  if (Array.isArray(message)) {
    return createRejection(400, -32_600, 'Send one message in a request, not a batch.');
  }
  // Its stream would never end.
  if (isObject(message) && message['method'] === 'subscriptions/listen') {
    const text = 'Subscriptions are not supported: the tools never change.';
    return createRejection(404, -32_601, text, message['id']);
  }

  return handler.fetch(request, { parsedBody: message });
}

/** Rejects an `Origin` that no browser sends. Pages of any origin may read a published index. */
function rejectOrigin(request: Request): Response | undefined {
  const origin = request.headers.get('origin');

  // `null`, `https://example.com:8443`, `vscode-webview://id`
  if (origin === null || /^(?:null|[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+)$/.test(origin)) {
    return undefined;
  }

  return createRejection(403, -32_000, 'Invalid Origin header.');
}

/** An error in the form of JSON-RPC, which clients of the protocol expect. `id`: of the message, where it was read. */
function createRejection(status: number, code: number, message: string, id?: unknown): Response {
  const body = { jsonrpc: '2.0', error: { code, message }, id: id ?? null };
  return Response.json(body, { status });
}
