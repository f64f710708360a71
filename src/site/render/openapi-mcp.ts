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

const refused = (description: string) => ({
  description: `${description} The message says what is right.`,
  headers,
  content: { 'application/json': { schema: message } },
});

/** `/mcp` for OpenAPI: what goes in and out is described by the protocol itself, and by the tools. */
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
      400: refused('It is no message of the protocol, or a batch.'),
      403: refused('Host or Origin is not one that may ask.'),
      404: refused('There is no such method.'),
      413: refused('The message is too large.'),
      415: refused('It is not sent as application/json.'),
    },
  },
};
