import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  readRequestBody,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { isObject } from '../../../core/model/objects.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import { explainError, describeAskProblem, type AskProblem } from '../../answers/explain-error.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
import { longestTexts } from '../../texts/read-text.ts';
import { tools } from './tools.ts';
import { answerPreflight } from '../api/respond.ts';

const instructions =
  'An index of the releases of components: which versions exist, which are still supported and until when, and what to move to. Versions are texts: quote them exactly. A verdict is as of the day in the answer. Unknown facts are left out, never guessed.';

/** The list of tools is the same for all clients and rarely changes. */
const hint = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

// Made once: making a JSON Schema takes longer than an answer.
const toolList = tools.map(({ name, title, description, input, output }) => ({
  name,
  title,
  description,
  inputSchema: createJsonSchema(input),
  outputSchema: createJsonSchema(output),
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
}));

interface McpServerOptions {
  /** Called for each tool call. */
  open(): PublishedIndex | Promise<PublishedIndex>;
  /** Called with an unexpected error. */
  onError(error: unknown): void;
}

/** A server for one request over HTTP, or for one connection over standard input and output. */
export function createMcpServer({ open, onError }: McpServerOptions): Server {
  const server = new Server(
    { name: 'release-index', title: 'Release index', version: '1.0.0' },
    {
      instructions,
      capabilities: { tools: { listChanged: false } },
      cacheHints: { 'server/discover': hint, 'tools/list': hint },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: toolList }));

  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) {
      const names = tools.map((each) => each.name).join(', ');
      const message = `There is no tool ${quote(params.name)}. Tools are ${names}.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }

    try {
      const index = await open();
      const { text, content } = await tool.answer(params.arguments, {
        index,
        day: await index.day(),
      });
      return { content: [{ type: 'text', text }], structuredContent: { ...content } };
    } catch (error) {
      const problem = explainError(error);
      if (!problem || problem.reason === 'unreadable') {
        onError(error);
      }

      // The model may correct its call.
      const text = problem ? describeProblem(problem) : 'The program failed. Its log says why.';
      return { content: [{ type: 'text', text }], isError: true };
    }
  });

  return server;
}

/** The message, and for a query the query with a mark below its first wrong character. */
function describeProblem(problem: AskProblem): string {
  const message = describeAskProblem(problem);
  return problem.pointer === undefined ? message : `${message}\n${problem.pointer}`;
}

function createJsonSchema(schema: z.ZodType): { type: 'object' } {
  return z.toJSONSchema(schema, { io: 'input' }) as { type: 'object' };
}

/** More than a call with the longest text, which has up to six bytes a character: JSON may write `\\u00e4` for `ä`. */
const maxBytes = 6 * longestTexts.request + 10_000;

/**
 * Answers requests for `/mcp`: the tools over stateless HTTP, for the protocol revisions from 2025 on. Rejects requests for hosts other than the host of
 * `baseUrl`, the address of the site, and localhost.
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
      return answerPreflight(['POST', 'OPTIONS']);
    }

    const response =
      hostHeaderValidationResponse(request, hosts) ??
      rejectOrigin(request) ??
      (await answerMessage(request, handler));
    const headers = new Headers(response.headers);
    headers.set('Access-Control-Allow-Origin', '*');
    headers.set('Access-Control-Expose-Headers', 'WWW-Authenticate');
    headers.set('Cache-Control', 'no-store');
    headers.set('X-Content-Type-Options', 'nosniff');
    return new Response(response.body, { status: response.status, headers });
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

/** Pages of any origin may read a published index, if their browser states the origin as browsers do. */
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
