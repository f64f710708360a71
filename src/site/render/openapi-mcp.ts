import { tools } from '../../ask/mcp/tools.ts';

const message = {
  type: 'object',
  description: 'A message of JSON-RPC 2.0.',
  required: ['jsonrpc'],
  properties: { jsonrpc: { type: 'string', const: '2.0' } },
};

const headers = {
  'Access-Control-Allow-Origin': { $ref: '#/components/headers/Access-Control-Allow-Origin' },
};

const rejected = (description: string) => ({
  description: `${description} The message names the expected value.`,
  headers,
  content: { 'application/json': { schema: message } },
});

/** `/mcp` for OpenAPI. The protocol itself and the tools describe the messages. */
export const mcpPath = {
  post: {
    operationId: 'mcp',
    summary: 'Answers agents by the Model Context Protocol (Streamable HTTP, without sessions).',
    description: `Revision 2026-07-28 and those of 2025. Tools, which change nothing: ${tools.map(({ name }) => name).join(', ')}.`,
    externalDocs: {
      url: 'https://modelcontextprotocol.io/specification/2026-07-28',
      description: 'The protocol',
    },
    requestBody: { required: true, content: { 'application/json': { schema: message } } },
    responses: {
      200: {
        description:
          'The answer, which is not cached; an event stream of one event in the revisions of 2025.',
        headers,
        content: {
          'application/json': { schema: message },
          'text/event-stream': { schema: { type: 'string' } },
        },
      },
      202: { description: 'A notification has arrived. There is no body.' },
      400: rejected('The message is a batch, or not of the protocol.'),
      403: rejected('Host or Origin is not allowed.'),
      404: rejected('The method is unknown.'),
      413: rejected('The message is too large.'),
      415: rejected('The content type is not application/json.'),
    },
  },
};
