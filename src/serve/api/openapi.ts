import * as z from 'zod';
import { mapValues } from '../../core/objects.ts';
import { publishedSchemas } from '../../core/schema/documents.ts';
import { type Shape, listPaths, type Operation } from './route.ts';
import { routes } from './routes.ts';

/** Schemas with a name, to which others refer. The functions below add to them. */
type NamedSchemas = Record<string, object>;
type JsonSchema = z.core.JSONSchema.BaseSchema;

const Problem = z
  .looseObject({
    status: z.int(),
    detail: z.string().describe('What is wrong, and the remedy.'),
    parameter: z.string().optional(),
    position: z.int().optional().describe('The first wrong character of a query, from 1.'),
  })
  .meta({ id: 'Problem' });

/** `openapi.json`: the files, and what a Worker answers. Made by a build: the Worker needs no description of itself. */
export function describeApi(title: string, url: string, hasWorker: boolean): object {
  const operations = describeOperations(hasWorker ? routes : []);
  return { openapi: '3.1.0', info: { title, version: '2' }, servers: [{ url }], ...operations };
}

function describeOperations(answered: readonly Operation[]): object {
  const schemas: NamedSchemas = {};
  const paths: Record<string, object> = {};
  for (const operation of [...listFileOperations(), ...answered]) {
    for (const path of listPaths(operation.path)) {
      const prefix = path.includes('{namespace}') ? 'namespaced-' : '';
      const operationId = `${prefix}${operation.operationId}`;
      const description = describeOperation({ ...operation, path, operationId }, schemas);
      paths[path] = { ...paths[path], [operation.method]: description };
    }
  }

  return {
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access key or token.' },
      },
    },
  };
}

function describeOperation(operation: Operation, schemas: NamedSchemas): object {
  const { operationId, summary, permission, request: { body } = {}, returns } = operation;
  const form = body && z.strictObject(body);
  const bodies = form && {
    'application/json': form,
    'application/x-www-form-urlencoded': form,
    'multipart/form-data': form,
  };
  return {
    operationId,
    summary,
    description: permission && `Permission: ${permission}`,
    security: permission && [{}, { bearer: [permission] }],
    parameters: listParameters(operation, schemas),
    requestBody: bodies && { content: describeContent(bodies, schemas, 'input') },
    responses: {
      200: { description: 'Success', content: describeContent(returns, schemas) },
      default: {
        description: 'An error (RFC 9457)',
        content: describeContent({ 'application/problem+json': Problem }, schemas),
      },
    },
  };
}

/** By type of content. */
function describeContent(content: Shape, schemas: NamedSchemas, io?: 'input'): object {
  return mapValues(content, (schema) => ({ schema: describeSchema(schema, schemas, io) }));
}

const places = [
  ['params', 'path'],
  ['query', 'query'],
  ['headers', 'header'],
] as const;

function listParameters({ path, request = {} }: Operation, schemas: NamedSchemas): object[] {
  return places.flatMap(([part, place]) => {
    const required = part === 'params';
    return Object.entries(request[part] ?? {}).flatMap(([name, type]) => {
      // A path may lack what its route has.
      if (required && !path.includes(`{${name}}`)) {
        return [];
      }
      const { description, example, ...schema } = describeSchema(type, schemas, 'input');
      return { name, in: place, required, description, example, schema };
    });
  });
}

/** JSON Schema. Adds to `schemas` what has a name. */
function describeSchema(
  schema: z.ZodType,
  schemas: NamedSchemas,
  io: 'input' | 'output' = 'output',
): JsonSchema {
  const { $schema: _, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  // References are anywhere in a schema.
  const text = JSON.stringify(own).replaceAll('#/$defs/', '#/components/schemas/');
  const { $defs, id, ...rest } = JSON.parse(text) as JsonSchema;
  for (const [name, definition] of Object.entries($defs ?? {})) {
    schemas[name] = { ...definition, id: undefined };
  }
  if (id === undefined) {
    return rest;
  }

  schemas[id] = rest;
  return { $ref: `#/components/schemas/${id}` };
}

/** The published files that programs read, with the names of their schemas. */
const files = {
  '/{component}.json': 'component',
  '/index.json': 'index',
  '/all.json': 'all',
  '/details/{component}.json': 'details',
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
    summary: 'A published file.',
    request: { params: { component: z.string(), year: z.string() } },
    returns: { 'application/json': publishedSchemas[schema] },
  }));
}
