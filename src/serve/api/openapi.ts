import * as z from 'zod';
import { listPaths, type Operation } from './route.ts';
import { routes } from './routes.ts';

/** Schemas with a name, to which others refer. */
type Named = Record<string, object>;

const Problem = z
  .looseObject({
    status: z.int(),
    detail: z.string().describe('What is wrong, and the remedy.'),
    parameter: z.string().optional(),
    position: z.int().optional().describe('The first wrong character of a query, from 1.'),
  })
  .meta({ id: 'Problem' });

/** `openapi.json`: what the Worker answers, and the files. Made by a build: the Worker needs no description of itself. */
export function describeApi(title: string, url: string, files: FileSchemas): object {
  const schemas: Named = {};
  const paths: Record<string, object> = {};
  for (const operation of [...listFileOperations(files), ...routes]) {
    for (const path of listPaths(operation.path)) {
      const prefix = path.includes('{namespace}') ? 'namespaced-' : '';
      const operationId = `${prefix}${operation.operationId}`;
      const described = describeOperation({ ...operation, path, operationId }, schemas);
      paths[path] = { ...paths[path], [operation.method]: described };
    }
  }

  const description = 'An access key or token.';
  return {
    openapi: '3.1.0',
    info: { title, version: '2' },
    servers: [{ url }],
    paths,
    components: {
      schemas,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description } },
    },
  };
}

function describeOperation(operation: Operation, schemas: Named): object {
  const { operationId, summary, permission, request: { body } = {}, returns } = operation;
  const describeContent = (content: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') =>
    Object.fromEntries(
      Object.entries(content).map(([type, schema]) => [
        type,
        { schema: describeSchema(schema, schemas, io) },
      ]),
    );
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
    requestBody: bodies && { content: describeContent(bodies, 'input') },
    responses: {
      200: { description: 'Success', content: describeContent(returns, 'output') },
      default: {
        description: 'An error (RFC 9457)',
        content: describeContent({ 'application/problem+json': Problem }, 'output'),
      },
    },
  };
}

const places = [
  ['params', 'path'],
  ['query', 'query'],
  ['headers', 'header'],
] as const;

function listParameters({ path, request = {} }: Operation, schemas: Named): object[] {
  return places.flatMap(([part, place]) =>
    Object.entries(request[part] ?? {})
      .filter(([name]) => part !== 'params' || path.includes(`{${name}}`))
      .map(([name, schema]) => {
        const { description, example, ...rest } = describeSchema(
          schema,
          schemas,
          'input',
        ) as z.core.JSONSchema.Schema;
        const required = part === 'params';
        return { name, in: place, required, description, example, schema: rest };
      }),
  );
}

/** JSON Schema. A schema with a name joins `schemas`. */
function describeSchema(schema: z.ZodType, schemas: Named, io: 'input' | 'output'): object {
  const { $schema: _, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const { $defs, id, ...rest } = JSON.parse(
    JSON.stringify(own).replaceAll('#/$defs/', '#/components/schemas/'),
  ) as { $defs?: Named; id?: string };
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
};

type FileSchemas = Readonly<Record<string, z.ZodType>>;

function listFileOperations(schemas: FileSchemas): Operation[] {
  return Object.entries(files).map(([path, schema]): Operation => {
    const [, parameter] = /\{(\w+)\}/.exec(path) ?? [];
    return {
      method: 'get',
      path,
      operationId: `read${path.replaceAll(/\W+/g, '-')}`,
      summary: 'A published file.',
      request: { params: parameter === undefined ? {} : { [parameter]: z.string() } },
      returns: { 'application/json': schemas[schema]! },
    };
  });
}
