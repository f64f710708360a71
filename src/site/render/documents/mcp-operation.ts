import { createHeaderRefs, createReference, type Operation } from './openapi-parts.ts';

/** The schema of a message of the Model Context Protocol. The protocol describes the rest of it. */
export const mcpMessage = {
  type: 'object',
  description: 'A message of JSON-RPC 2.0.',
  required: ['jsonrpc'],
  properties: { jsonrpc: { type: 'string', const: '2.0' } },
};

const mcpContent = { 'application/json': { schema: createReference('schemas', 'mcp-message') } };

/** The operation of `/mcp`. A rejection is a message of the protocol, not a problem document. */
export const mcpOperation: Operation = {
  operationId: 'mcp',
  summary: 'Answers agents by the Model Context Protocol (Streamable HTTP, without sessions).',
  description:
    'Revision 2026-07-28 and those of 2025. The tools change nothing: api.html lists them.',
  externalDocs: {
    url: 'https://modelcontextprotocol.io/specification/2026-07-28',
    description: 'The protocol',
  },
  requestBody: { required: true, content: mcpContent },
  responses: {
    200: {
      ...createAnswer(
        'The answer, which is not cached; an event stream of one event in the revisions of 2025.',
      ),
      content: { ...mcpContent, 'text/event-stream': { schema: { type: 'string' } } },
    },
    202: { description: 'A notification has arrived. There is no body.' },
    400: createRejection('The message is a batch, or not of the protocol.'),
    403: createRejection('Host or Origin is not allowed.'),
    404: createRejection('The method is unknown; the revisions of 2025 answer 200.'),
    406: createRejection('Accept does not name both application/json and text/event-stream.'),
    413: createRejection('The message is too large.'),
    415: createRejection('The content type is not application/json.'),
  },
};

function createRejection(description: string): object {
  return createAnswer(`${description} The message names the expected value.`);
}

function createAnswer(description: string): object {
  return {
    description,
    headers: createHeaderRefs(['Access-Control-Allow-Origin']),
    content: mcpContent,
  };
}
