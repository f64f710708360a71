import * as z from 'zod';
import {
  segmentsOf,
  type Answer,
  type BodyField,
  type Endpoint,
  type Parameter,
} from '../../ask/api/endpoint.ts';
import { tools } from '../../ask/mcp/tools.ts';
import { defined } from '../../core/text.ts';
import { withSample, type EndpointSample } from './endpoint-sample.ts';

/** Headers of endpoints, beside those of files. */
export const endpointHeaders = {
  Freshness: {
    description: 'An hour, or no-store if the answer holds for this moment only.',
    schema: {
      type: 'string',
      enum: ['public, max-age=3600', 'private, max-age=3600', 'no-store', 'no-store, no-transform'],
    },
  },
  Link: {
    description: 'The next page (rel="next"), if there is one; the successor of a deprecated endpoint.',
    schema: { type: 'string' },
  },
};

const unreadable: Answer = {
  description: 'The index cannot be read now.',
  mediaType: 'application/problem+json',
  schema: 'problem',
};

/** An endpoint as an operation of OpenAPI. `path`: one of its paths. */
export function documentOperation(
  endpoint: Endpoint,
  path: string = endpoint.path,
  sample?: EndpointSample,
): object {
  const { name, method, summary, description, parameters, body, isDocument, answers, deprecation } = endpoint;
  const segments = segmentsOf(path);
  const stated = parameters.filter(
    (parameter) => parameter.in !== 'path' || segments.includes(parameter.name),
  );
  const successor = deprecation && ` It goes away on ${deprecation.sunset}: use ${deprecation.successor}.`;
  return defined({
    operationId: path === endpoint.path ? name : `${name}-without-${endpoint.optionalSegment}`,
    summary,
    description: `${description}${successor ?? ''}`,
    deprecated: deprecation && true,
    parameters: stated.map((parameter) => documentParameter(parameter, sample)),
    requestBody: body && (isDocument ? documentUpload(body) : documentBody(body)),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, documentAnswer(answer)]),
      ),
      ...(method === 'GET' &&
        answers[200]?.schema !== undefined && {
          304: { description: 'The answer is still the one that If-None-Match names.' },
        }),
      503: documentAnswer(unreadable),
    },
  });
}

function documentParameter(
  { name, in: place, isRequired, description, schema, example }: Parameter,
  sample: EndpointSample | undefined,
): object {
  return defined({
    name,
    in: place,
    required: place === 'path' || isRequired === true,
    description,
    schema,
    allowEmptyValue: 'pattern' in schema && new RegExp(schema.pattern).test('') ? true : undefined,
    example: example === undefined ? undefined : withSample(example, sample),
  });
}

function documentBody(fields: readonly BodyField[]): object {
  const schema = documentForm(fields);
  const mediaTypes = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
  return { required: false, content: Object.fromEntries(mediaTypes.map((type) => [type, { schema }])) };
}

function documentUpload(fields: readonly BodyField[]): object {
  const document = { type: 'string', description: 'The document: a file, or its text.' };
  const form = documentForm(fields, { document });
  return {
    required: true,
    content: {
      'application/json': { schema: { type: 'object' } },
      'text/plain': { schema: { type: 'string' } },
      'multipart/form-data': { schema: { ...form, required: ['document'] } },
    },
  };
}

function documentForm(fields: readonly BodyField[], others: object = {}): object {
  const own = fields.map(({ name, description, schema, example }) => [
    name,
    defined({ ...schema, description, example }),
  ]);
  return {
    type: 'object',
    properties: { ...others, ...Object.fromEntries(own) },
    additionalProperties: false,
  };
}

function documentSchema(schema: Answer['schema']): object {
  if (schema === undefined) return { type: 'string' };
  if (typeof schema === 'string') return { $ref: `#/components/schemas/${schema}` };
  const { $schema: _, ...inline } = z.toJSONSchema(schema);
  return inline;
}

function documentAnswer({ description, mediaType, schema, isInLines }: Answer): object {
  const headers = {
    'Cache-Control': 'Freshness',
    'Access-Control-Allow-Origin': 'Access-Control-Allow-Origin',
    ...(mediaType === 'application/json' && { Link: 'Link' }),
  };
  return defined({
    description,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, header]) => [name, { $ref: `#/components/headers/${header}` }]),
    ),
    content: mediaType && {
      [mediaType]: { schema: documentSchema(schema) },
      ...(isInLines && { 'application/x-ndjson': { schema: { type: 'string' } } }),
    },
  });
}

const mcpMessage = {
  type: 'object',
  description: 'A message of JSON-RPC 2.0.',
  required: ['jsonrpc'],
  properties: { jsonrpc: { type: 'string', const: '2.0' } },
};

const mcpHeaders = {
  'Access-Control-Allow-Origin': { $ref: '#/components/headers/Access-Control-Allow-Origin' },
};

const rejected = (description: string) => ({
  description: `${description} The message names the expected value.`,
  headers: mcpHeaders,
  content: { 'application/json': { schema: mcpMessage } },
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
    requestBody: { required: true, content: { 'application/json': { schema: mcpMessage } } },
    responses: {
      200: {
        description:
          'The answer, which is not cached; an event stream of one event in the revisions of 2025.',
        headers: mcpHeaders,
        content: {
          'application/json': { schema: mcpMessage },
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
