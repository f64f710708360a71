import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { quote } from '../../../core/text/foreign-text.ts';
import { explainError, describeAskProblem, type AskProblem } from '../../answers/explain-error.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
import type { Tool } from './tool.ts';
import { tools } from './tools.ts';

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
export function createMcpServer(options: McpServerOptions): Server {
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

    return callTool(tool, params.arguments, options);
  });

  return server;
}

/** The answer of a tool. A wrong call is an answer, too: the model may correct it. */
async function callTool(
  tool: Tool,
  args: unknown,
  { open, onError }: McpServerOptions,
): Promise<CallToolResult> {
  try {
    const index = await open();
    const { text, content } = await tool.answer(args, { index, day: await index.day() });
    return { content: [{ type: 'text', text }], structuredContent: { ...content } };
  } catch (error) {
    const problem = explainError(error);
    if (!problem || problem.reason === 'unreadable') {
      onError(error);
    }

    const text = problem ? describeProblem(problem) : 'The program failed. Its log says why.';
    return { content: [{ type: 'text', text }], isError: true };
  }
}

/** The message, and for a query the query with a mark below its first wrong character. */
function describeProblem(problem: AskProblem): string {
  const message = describeAskProblem(problem);
  return problem.pointer === undefined ? message : `${message}\n${problem.pointer}`;
}

function createJsonSchema(schema: z.ZodType): { type: 'object' } {
  return z.toJSONSchema(schema, { io: 'input' }) as { type: 'object' };
}
