import { componentName } from '../../../core/schemas/definition/component-name.ts';
import { lifetimes } from '../headers.ts';

/** An operation of OpenAPI. */
export interface Operation {
  readonly [field: string]: unknown;
  readonly responses: object;
}

export const credentialScheme = {
  type: 'http',
  scheme: 'bearer',
  description:
    'An access key of the index, a token made from one, or an access token of an issuer that it trusts.',
};

const text = { type: 'string' };

/** The parameters in the paths of files, by the names in braces. */
const fileParameters = {
  component: {
    description: 'Name of a component; index.json lists them.',
    schema: { ...text, pattern: componentName.source },
  },
  part: {
    description: 'Number of a part; all.json and search.json list theirs.',
    schema: { type: 'integer', minimum: 1 },
  },
  year: {
    description: 'A year with a change, or with a run.',
    schema: { type: 'integer', minimum: 2000 },
  },
};

const problem = {
  'application/problem+json': { schema: createReference('schemas', 'problem') },
};

/** The parts that operations refer to, by `createReference`. */
export const sharedParts = {
  parameters: Object.fromEntries(
    Object.entries(fileParameters).map(([name, parameter]) => [
      name,
      { name, in: 'path', required: true, ...parameter },
    ]),
  ),
  headers: {
    'Cache-Control': {
      description: 'An hour for every file.',
      schema: { ...text, enum: Object.values(lifetimes) },
    },
    'Access-Control-Allow-Origin': {
      description: 'Scripts of every origin may read.',
      schema: { ...text, const: '*' },
    },
    ETag: {
      description: 'Send it back as If-None-Match to learn whether the file changed.',
      schema: text,
    },
    // The header Cache-Control of answers that are not files.
    Freshness: {
      description: 'An hour, or no-store if the answer holds for this moment only.',
      schema: {
        ...text,
        enum: [...Object.values(lifetimes), 'no-store', 'no-store, no-transform'],
      },
    },
    Link: {
      description:
        'The next page (rel="next"), if there is one; the successor of a deprecated endpoint.',
      schema: text,
    },
  },
  responses: {
    NotModified: { description: 'The file is still the one that If-None-Match names.' },
    NotFound: {
      description: 'There is no such file. The answer is not cached.',
      content: problem,
    },
    Failed: {
      description: 'The program failed, which is no outage: asking again does not help.',
      content: problem,
    },
  },
};

/** The schema of a message of the Model Context Protocol. The protocol describes the rest of it. */
export const mcpMessage = {
  type: 'object',
  description: 'A message of JSON-RPC 2.0.',
  required: ['jsonrpc'],
  properties: { jsonrpc: { ...text, const: '2.0' } },
};

const mcpContent = { 'application/json': { schema: createReference('schemas', 'mcp-message') } };

/** The operation of `/mcp`. The protocol answers requests that it refuses with a message, not with a problem document. */
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
      ...createMcpAnswer(
        'The answer, which is not cached; an event stream of one event in the revisions of 2025.',
      ),
      content: { ...mcpContent, 'text/event-stream': { schema: text } },
    },
    202: { description: 'A notification has arrived. There is no body.' },
    400: createMcpProblem('The message is a batch, or not of the protocol.'),
    403: createMcpProblem('Host or Origin is not allowed.'),
    404: createMcpProblem('The method is unknown.'),
    413: createMcpProblem('The message is too large.'),
    415: createMcpProblem('The content type is not application/json.'),
  },
};

function createMcpProblem(description: string): object {
  return createMcpAnswer(`${description} The message names the expected value.`);
}

function createMcpAnswer(description: string): object {
  return {
    description,
    headers: createHeaderRefs(['Access-Control-Allow-Origin']),
    content: mcpContent,
  };
}

export function createHeaderRefs(names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, createReference('headers', name)]));
}

export function createReference(
  kind: 'headers' | 'parameters' | 'responses' | 'schemas',
  name: string,
): object {
  return { $ref: `#/components/${kind}/${name}` };
}
