import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { quote } from '../../../core/text/foreign-text.ts';
import { didYouMean } from '../../../core/text/wording.ts';
import { explainError, describeAskProblem } from '../../answers/explain-error.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
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
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, describeUnknownTool(params.name));
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

      const text = problem
        ? [describeAskProblem(problem), problem.pointer ?? []].flat().join('\n')
        : 'The program failed. Its log says why.';
      // The model may correct its call.
      return { content: [{ type: 'text', text }], isError: true };
    }
  });

  return server;
}

function describeUnknownTool(name: string): string {
  const names = tools.map((tool) => tool.name);
  return `There is no tool ${quote(name)}.${didYouMean(name, names)} Tools are ${names.join(', ')}.`;
}

function createJsonSchema(schema: z.ZodType): { type: 'object' } {
  return z.toJSONSchema(schema, { io: 'input' }) as { type: 'object' };
}
