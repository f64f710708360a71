import * as z from 'zod';
import {
  findNeededPermission,
  mcpPath,
  tokenPath,
} from '../../../ask/server/access/protected-paths.ts';
import {
  listEndpointPaths,
  describeProblemAnswer,
  listSegmentNames,
  type DescribedResponse,
  type BodyField,
  type Endpoint,
  type Parameter,
} from '../../../ask/server/api/endpoint.ts';
import { bodyTypes } from '../../../ask/server/api/read-body.ts';
import { endSentence } from '../../../core/text/wording.ts';
import { insertValues, type ExampleValues } from '../examples.ts';
import { findMediaType } from '../headers.ts';
import { conditions, describedPaths, type DescribedPath } from '../paths.ts';
import { isClosed, listEndpoints, type SiteContext } from '../site-context.ts';
import { createOpenApiSchemas } from './json-schemas.ts';
import { mcpMessage, mcpOperation } from './mcp-operation.ts';
import {
  credentialScheme,
  createHeaderRefs,
  createReference,
  sharedParts,
  type Answer,
  type Operation,
} from './openapi-parts.ts';

/** The tags of operations, by the beginning of their paths; the last row is for all others. */
const tagsByPath = {
  '/api/auth/': 'Access',
  '/packages/': 'Scans',
  '/policies/': 'Scans',
  '/build-export/': 'Runs of this index',
  '/api/builds': 'Runs of this index',
  [mcpPath]: 'Agents',
  '/': 'Questions',
};

/** The paths that need a credential in every index with access rules. */
const protectedPaths = [mcpPath, tokenPath];

/**
 * `openapi.json` (OpenAPI 3.1): every machine-readable path and every endpoint. Contains the schemas of all documents, so it is
 * self-contained.
 */
export function renderOpenApi(site: SiteContext, values: ExampleValues): string {
  const { config, baseUrl, access } = site;
  const isPrivate = isClosed(site);
  const paths: Record<string, object> = {};
  for (const { path, method, operation } of listOperations(site, values)) {
    const isProtected = isPrivate || (access && protectedPaths.includes(path));
    const described = isProtected ? addPermission(operation, method, path) : operation;
    paths[path] = { ...paths[path], [method]: described };
  }

  const document = {
    openapi: '3.1.1',
    info: {
      title: config.title,
      version: '1.0.0',
      contact: { url: config.repositoryUrl },
      description: `${endSentence(config.description)} Static files, and a few endpoints that answer questions from them. ${describeAccess(site)} A file may be cached for an hour.`,
    },
    servers: [{ url: baseUrl }],
    externalDocs: { url: `${baseUrl}/api.html`, description: 'The same for people' },
    tags: [...new Set(['Files', ...Object.values(tagsByPath)])].map((name) => ({ name })),
    security: isPrivate ? [{ credential: [] }] : [],
    paths,
    components: {
      securitySchemes: access && { credential: credentialScheme },
      ...sharedParts,
      schemas: { ...createOpenApiSchemas(), 'mcp-message': mcpMessage },
    },
  };

  return `${JSON.stringify(document)}\n`;
}

/** The requests that need a credential, in a sentence. */
function describeAccess(site: SiteContext): string {
  if (isClosed(site)) {
    return 'Every request needs a credential.';
  }

  return site.access
    ? `Only ${protectedPaths.join(' and ')} need a credential.`
    : 'Every answer is the same for everybody and needs no key.';
}

/** Every operation with its path and its method. */
function listOperations(site: SiteContext, values: ExampleValues) {
  const files = describedPaths.map((file) => ({
    path: `/${file.path}`,
    method: 'get',
    operation: createFileOperation(file),
  }));
  const answers = listEndpoints(site).flatMap((endpoint) =>
    listEndpointPaths(endpoint).map((path) => ({
      path,
      method: endpoint.method.toLowerCase(),
      operation: createOperation(endpoint, path, values),
    })),
  );

  const operation = { tags: [findTag(mcpPath)], ...mcpOperation };
  return [...files, ...answers, { path: mcpPath, method: 'post', operation }];
}

/**
 * Adds the permission that an operation requires, and the answers to clients without it. The endpoint that makes tokens requires a
 * credential but no permission, and describes its own 403.
 */
function addPermission({ responses, ...operation }: Operation, method: string, path: string) {
  const permission = findNeededPermission(method.toUpperCase(), path);
  const invalid = describeProblemAnswer('The credential is missing or not valid.');
  const forbidden = describeProblemAnswer(`The credential has no permission ${permission}.`);
  const isForTokens = path === tokenPath;

  return {
    ...operation,
    security: [{ credential: isForTokens ? [] : [permission] }],
    responses: {
      ...responses,
      401: createAnswer(invalid),
      403: isForTokens ? responses[403] : joinAnswers(createAnswer(forbidden), responses[403]),
    },
  };
}

/** Describes two answers with one status, which have different media types. */
function joinAnswers(answer: Answer, other?: Answer): Answer {
  return other
    ? {
        ...answer,
        description: `${answer.description} Or: ${other.description}`,
        content: { ...answer.content, ...other.content },
      }
    : answer;
}

function createFileOperation(file: DescribedPath): Operation {
  const { path, summary, readers, needs, schema, standard } = file;
  const names = listSegmentNames(path);
  const fileSchema =
    standard === undefined
      ? createSchema(schema)
      : { description: `A document as described at ${standard}.` };

  return {
    tags: ['Files'],
    operationId: path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, ''),
    summary,
    description: `${needs === undefined ? '' : `${conditions[needs]} `}For: ${readers}.`,
    parameters:
      names.length > 0 ? names.map((name) => createReference('parameters', name)) : undefined,
    responses: {
      200: {
        description: summary,
        headers: createHeaderRefs(['Cache-Control', 'Access-Control-Allow-Origin', 'ETag']),
        content: { [findMediaType(path)]: { schema: fileSchema } },
      },
      304: createReference('responses', 'NotModified'),
      404: createReference('responses', 'NotFound'),
    },
  };
}

/** An endpoint as an operation of OpenAPI. `path`: one of its paths. */
export function createOperation(
  endpoint: Endpoint,
  path: string,
  values: ExampleValues,
): Operation {
  const { name, method, summary, description, parameters, body, answers, deprecation } = endpoint;
  const segments = listSegmentNames(path);
  const omitted = listSegmentNames(endpoint.path).find((each) => !segments.includes(each));
  const removal = deprecation
    ? ` It will be removed on ${deprecation.sunset}. Use ${deprecation.successor}.`
    : '';

  return {
    tags: [findTag(path)],
    operationId: omitted === undefined ? name : `${name}-without-${omitted}`,
    summary,
    description: description + removal,
    deprecated: deprecation ? true : undefined,
    parameters: parameters
      .filter((parameter) => parameter.in !== 'path' || segments.includes(parameter.name))
      .map((parameter) => createParameter(parameter, values)),
    requestBody: body && createBody(body),
    responses: {
      500: createReference('responses', 'Failed'),
      503: createAnswer(describeProblemAnswer('The index cannot be read now.')),
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, createAnswer(answer)]),
      ),
      304:
        method === 'GET' && answers[200]?.schema !== undefined
          ? createReference('responses', 'NotModified')
          : undefined,
    },
  };
}

/** The first tag whose prefix the path has. */
function findTag(path: string): string {
  return Object.entries(tagsByPath).find(([prefix]) => path.startsWith(prefix))![1];
}

function createParameter(
  { name, in: location, isRequired, description, schema, example }: Parameter,
  values: ExampleValues,
): object {
  return {
    name,
    in: location,
    required: location === 'path' || isRequired === true,
    description,
    schema,
    example: insertValues(example, values),
  };
}

function createBody(fields: readonly BodyField[]): object {
  const properties = fields.map(({ name, description, schema, example }) => [
    name,
    { ...schema, description, example },
  ]);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };

  return {
    required: false,
    content: Object.fromEntries(bodyTypes.map((type) => [type, { schema }])),
  };
}

function createSchema(schema: DescribedResponse['schema']): object {
  if (schema === undefined) {
    return { type: 'string' };
  }
  if (typeof schema === 'string') {
    return createReference('schemas', schema);
  }

  const { $schema: _, ...inline } = z.toJSONSchema(schema);
  return inline;
}

function createAnswer({ description, mediaType, schema, isInLines }: DescribedResponse): Answer {
  return {
    description,
    headers: {
      'Cache-Control': createReference('headers', 'Freshness'),
      ...createHeaderRefs(['Access-Control-Allow-Origin']),
      Link: mediaType === 'application/json' ? createReference('headers', 'Link') : undefined,
    },
    content: mediaType && {
      [mediaType]: { schema: createSchema(schema) },
      'application/x-ndjson': isInLines ? { schema: { type: 'string' } } : undefined,
    },
  };
}
