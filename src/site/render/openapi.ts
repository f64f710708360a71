import { pathsOf } from '../../ask/api/endpoint.ts';
import { endpoints } from '../../ask/api/endpoints.ts';
import { componentName } from '../../core/schemas/component-name.ts';
import type { EndpointSample } from './endpoint-sample.ts';
import { documentOperation, endpointHeaders, mcpPath } from './openapi-endpoints.ts';
import { headersFor } from './headers.ts';
import { isClosed } from './reader-commands.ts';
import type { SiteContext } from './site-context.ts';
import { publishedPaths, type PublishedPath } from './paths.ts';
import { componentSchemas, schemaNames } from './json-schemas.ts';

const credential = {
  type: 'http',
  scheme: 'bearer',
  description: 'An access key of the index, or an access token of an issuer that it trusts.',
};
const byCredential = [{ credential: [] }];

/**
 * `openapi.json` (OpenAPI 3.1): every published path and every endpoint. The schemas are those of `schema/*.json`, inside the document, so
 * that it is complete by itself. `sample`: the component of the examples.
 */
export function renderOpenApi(
  site: SiteContext,
  examples: ReadonlyMap<string, string>,
  sample: EndpointSample | undefined,
): string {
  const asksEverywhere = isClosed(site);
  const document = {
    openapi: '3.1.1',
    info: {
      title: site.config.title,
      version: '1.0.0',
      description: `${site.config.description} Static files, and a few questions that are answered from them: every answer is the same for everyone and ${asksEverywhere ? 'asks for a credential' : 'needs no key'}. A file may be kept for an hour.`,
    },
    servers: [{ url: site.baseUrl }],
    externalDocs: { url: `${site.baseUrl}/api.html`, description: 'The same for people' },
    security: asksEverywhere ? byCredential : [],
    paths: {
      ...Object.fromEntries(
        publishedPaths.map((path) => [`/${path.path}`, pathItem(path, examples.get(path.path))]),
      ),
      ...Object.fromEntries(
        endpoints.flatMap((endpoint) =>
          pathsOf(endpoint).map((path) => [
            path,
            { [endpoint.method.toLowerCase()]: documentOperation(endpoint, path, sample) },
          ]),
        ),
      ),
      '/mcp': site.access ? { post: { ...mcpPath.post, security: byCredential } } : mcpPath,
    },
    components: {
      ...(site.access && { securitySchemes: { credential } }),
      parameters: {
        component: parameter('component', 'Name of a component; index.json lists them.', {
          schema: { type: 'string', pattern: componentName.source },
          example: sample?.component,
        }),
        asset: parameter('asset', 'Name of a file of the pages.', {
          schema: { type: 'string' },
          example: 'site.css',
        }),
        part: parameter('part', 'Number of a part; all.json and search.json list theirs.', {
          schema: { type: 'integer', minimum: 1 },
        }),
        advisory: parameter('advisory', 'Id of an advisory that details/ names.', {
          schema: { type: 'string' },
          example: 'CVE-2026-1234',
        }),
        year: parameter('year', 'A year in which something changed.', {
          schema: { type: 'integer', minimum: 2000 },
        }),
        schema: parameter('schema', 'Name of a schema.', {
          schema: { type: 'string', enum: schemaNames },
          example: 'component',
        }),
      },
      headers: {
        'Cache-Control': {
          description: 'An hour for every file.',
          schema: { type: 'string', const: headersFor('x.json', site.access?.protect)!.get('Cache-Control') },
        },
        'Access-Control-Allow-Origin': {
          description: 'Scripts of every origin may read.',
          schema: { type: 'string', const: '*' },
        },
        ETag: {
          description: 'Send it back as If-None-Match to learn whether the file changed.',
          schema: { type: 'string' },
        },
        ...endpointHeaders,
      },
      responses: {
        NotModified: { description: 'The file is still the one that If-None-Match names.' },
        NotFound: {
          description: 'There is no such file. The answer is not cached.',
          content: { 'application/problem+json': { schema: ref('schemas', 'problem') } },
        },
      },
      schemas: componentSchemas(),
    },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function parameter(name: string, description: string, rest: { schema: object; example?: unknown }): object {
  return { name, in: 'path', required: true, description, ...rest };
}

const headerNames = ['Cache-Control', 'Access-Control-Allow-Origin', 'ETag'];

/** Keys without a value are left out of the document. */
function pathItem(
  { path, summary, mediaType, schema, readers, onlyIf }: PublishedPath,
  example: string | undefined,
): object {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1]!);
  const isJson = mediaType === 'application/json';
  return {
    get: {
      operationId: path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, ''),
      summary,
      description: `${onlyIf === undefined ? '' : `${onlyIf} `}For: ${readers}.`,
      parameters: names.length > 0 ? names.map((name) => ref('parameters', name)) : undefined,
      responses: {
        200: {
          description: summary,
          headers: Object.fromEntries(headerNames.map((name) => [name, ref('headers', name)])),
          content: {
            [mediaType]: {
              schema:
                schema === undefined
                  ? { type: isJson ? ['array', 'object'] : 'string' }
                  : ref('schemas', schema),
              example: isJson && example !== undefined ? JSON.parse(example) : example,
            },
          },
        },
        304: ref('responses', 'NotModified'),
        404: ref('responses', 'NotFound'),
      },
    },
  };
}

function ref(kind: 'headers' | 'parameters' | 'responses' | 'schemas', name: string): object {
  return { $ref: `#/components/${kind}/${name}` };
}
