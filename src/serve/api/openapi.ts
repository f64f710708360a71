import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathItemObject,
} from 'zod-openapi';
import { memoize } from '../../core/memoize.ts';
import { mapValues } from '../../core/objects.ts';
import { publishedSchemas } from '../../core/schema/documents.ts';
import { listPaths, type Operation, type Shape } from './route.ts';
import { routes } from './routes.ts';

const Problem = z
  .looseObject({
    status: z.int(),
    detail: z.string().describe('What the problem is, and how to solve it.'),
    parameter: z.string().optional().describe('The name of the parameter with the wrong value.'),
    position: z
      .int()
      .optional()
      .describe(
        'The position of the first wrong character of a query. The first character has position 1.',
      ),
  })
  .meta({ id: 'Problem' });

/**
 * Renders `openapi.json`, which describes the published files and the Worker's operations. The build does this, because the Worker does not
 * need it.
 */
export function describeApi(title: string, url: string, hasWorker: boolean): object {
  return { ...describeOperations(hasWorker), info: { title, version: '2' }, servers: [{ url }] };
}

const describeOperations = memoize((hasWorker: boolean) => {
  const paths: Record<string, ZodOpenApiPathItemObject> = {};
  for (const operation of [...listFileOperations(), ...(hasWorker ? routes : [])]) {
    for (const path of listPaths(operation.path)) {
      paths[path] = { ...paths[path], [operation.method]: describeOperation(operation, path) };
    }
  }

  return createDocument({
    openapi: '3.1.0',
    // `describeApi` fills in `info` and `servers`. They are listed here because this order of the keys becomes the order in the document.
    info: { title: '', version: '' },
    servers: [],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access key, or a token that was made from one or that an issuer gave.',
        },
      },
    },
  });
});

/** Describes an operation. `path`: one of the paths that `listPaths` returns for the operation. */
function describeOperation(operation: Operation, path: string): ZodOpenApiOperationObject {
  const { operationId, summary, permission, request = {}, returns } = operation;
  const { params = {}, query = {}, headers = {}, body } = request;
  const form = body && { schema: z.strictObject(body) };
  return {
    operationId: path.includes('{namespace}') ? `namespaced-${operationId}` : operationId,
    summary,
    ...(permission && {
      description: `If the index is protected, the credential needs the permission ${permission}.`,
      security: [{}, { bearer: [permission] }],
    }),
    requestParams: {
      path: z.object(selectParams(params, path)),
      query: z.object(query),
      header: z.object(headers),
    },
    ...(form && {
      requestBody: {
        content: {
          'application/json': form,
          'application/x-www-form-urlencoded': form,
          'multipart/form-data': form,
        },
      },
    }),
    responses: {
      200: { description: 'Success', content: mapValues(returns, (schema) => ({ schema })) },
      default: {
        description: 'An error (RFC 9457)',
        content: { 'application/problem+json': { schema: Problem } },
      },
    },
  };
}

/**
 * Returns the parameters that a path contains. All are required. A route with an optional namespace has two paths: one path requires the
 * namespace, and the other path does not contain it.
 */
function selectParams(params: Shape, path: string): Shape {
  const named = Object.entries(params).filter(([name]) => path.includes(`{${name}}`));
  return Object.fromEntries(
    named.map(([name, type]) => [
      name,
      type instanceof z.ZodOptional ? (type.unwrap() as z.ZodType) : type,
    ]),
  );
}

/** Published files that programs read, with the names of their schemas. */
const files = {
  '/{component}.json': 'component',
  '/index.json': 'index',
  '/all.json': 'all',
  '/details/{component}.json': 'details',
  '/latest/{component}.json': 'latest',
  '/supported/{component}.json': 'supported',
  '/status.json': 'status',
  '/changes/{year}.json': 'changes',
  '/builds/{year}.json': 'builds',
  '/policies.json': 'policies',
} as const;

function listFileOperations(): Operation[] {
  return Object.entries(files).map(([path, schema]) => ({
    method: 'get',
    path,
    operationId: `read${path.replaceAll(/\W+/g, '-')}`,
    summary: `Reads the published file ${path}.`,
    request: { params: { component: z.string(), year: z.string() } },
    returns: { 'application/json': publishedSchemas[schema] },
  }));
}
