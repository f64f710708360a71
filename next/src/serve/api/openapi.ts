import * as z from 'zod';
import type { Route } from './route.ts';

/** Made by a build: the Worker needs no description of itself. */
export function describeApi(routes: readonly Route[], facts: object): object {
  const schemas: Record<string, object> = {};
  const paths: Record<string, Record<string, object>> = {};

  /** Named schemas are listed once. */
  function toSchema(schema: z.ZodType, io: 'input' | 'output'): object {
    const {
      $schema: _,
      $defs = {},
      ...own
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    const all = JSON.parse(
      JSON.stringify({ own, $defs }).replaceAll('#/$defs/', '#/components/schemas/'),
    ) as { own: object & { id?: string }; $defs: Record<string, object> };
    for (const [name, each] of Object.entries(all.$defs)) {
      schemas[name] = { ...each, id: undefined };
    }
    const { id, ...rest } = all.own;
    if (id === undefined) {
      return rest;
    }
    schemas[id] = rest;
    return { $ref: `#/components/schemas/${id}` };
  }

  const toContent = (
    content: Readonly<Record<string, { readonly schema: z.ZodType }>>,
    io: 'input' | 'output',
  ) =>
    Object.fromEntries(
      Object.entries(content).map(([type, { schema }]) => [type, { schema: toSchema(schema, io) }]),
    );

  for (const { method, path, operationId, summary, security, request = {}, responses } of routes) {
    const parameters = (['params', 'query', 'headers'] as const).flatMap((part) => {
      const { properties = {}, required = [] } = request[part]
        ? (toSchema(request[part], 'input') as {
            properties?: Record<string, { description?: string; example?: unknown }>;
            required?: string[];
          })
        : {};
      return Object.entries(properties).map(([name, { description, example, ...schema }]) => ({
        name,
        in: { params: 'path', query: 'query', headers: 'header' }[part],
        required: part === 'params' || required.includes(name),
        description,
        example,
        schema,
      }));
    });
    (paths[path] ??= {})[method] = {
      operationId,
      summary,
      security,
      parameters: parameters.length > 0 ? parameters : undefined,
      requestBody: request.body && { content: toContent(request.body.content, 'input') },
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, { description, content }]) => [
          status,
          { description, content: content && toContent(content, 'output') },
        ]),
      ),
    };
  }
  return {
    openapi: '3.1.0',
    ...facts,
    paths,
    components: { schemas, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}
