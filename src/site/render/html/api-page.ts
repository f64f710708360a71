import type { Endpoint, ParameterSchema } from '../../../ask/api/endpoint.ts';
import { commandLine } from '../../../core/command-prefix.ts';
import { endpoints } from '../../../ask/api/endpoints.ts';
import { clientConfiguration, folderServer, publishedServer } from '../../../ask/mcp/connection.ts';
import { tools } from '../../../ask/mcp/tools.ts';
import type { PublishedNamedPolicy } from '../../../core/schemas/published/policies-file.ts';
import type { Component } from '../../../decide/component.ts';
import { withSample, type EndpointSample } from '../endpoint-sample.ts';
import { curl, isClosed, reading } from '../reader-commands.ts';
import type { SiteContext } from '../site-context.ts';
import { fieldsOf, typeOf } from '../documented-fields.ts';
import { isBuiltFor, isOfComponent, pathFor, publishedPaths, type PublishedPath } from '../paths.ts';
import { jsonSchemaOf, schemaNames } from '../json-schemas.ts';
import { renderPage } from './page-frame.ts';

export interface ApiPageInput {
  examples: ReadonlyMap<string, string>;
  /** The component of the examples, and the values of requests. */
  sample: Component | undefined;
  requests: EndpointSample | undefined;
  policies: readonly PublishedNamedPolicy[];
}

/** `api.html`: every published path and endpoint, made from the same tables and schemas as `openapi.json`. */
export function renderApiPage(
  site: SiteContext,
  { examples, sample, requests, policies }: ApiPageInput,
): string {
  return renderPage(site, 'api', {
    baseUrl: site.baseUrl,
    asksForKey: isClosed(site),
    agentsAskForKey: site.access !== undefined,
    configuration: `{ "extends": [${JSON.stringify(`${site.baseUrl}/renovate.json`)}] }`,
    endpoints: endpoints.map((endpoint) => viewEndpoint(endpoint, site, requests)),
    paths: publishedPaths.map((path) => viewPath(path, sample)),
    documents: publishedPaths.flatMap((path) => viewDocument(path, examples)),
    scan: `${reading(site, commandLine('scan bom.json --index', site.baseUrl))}\n`,
    policies,
    agents: {
      url: `${site.baseUrl}/mcp`,
      tools: tools.map(({ name, description }) => ({ name, description })),
      ofSite: clientConfiguration(publishedServer(site.baseUrl)),
      ofFolder: clientConfiguration(folderServer),
    },
    schemas: schemaNames.map((name) => ({
      name,
      href: `schema/${name}.json`,
      title: jsonSchemaOf(name).title!,
    })),
  });
}

/** Absent values are empty texts. */
function viewPath(path: PublishedPath, sample: Component | undefined) {
  return {
    path: path.path.replaceAll('{', '<').replaceAll('}', '>'),
    summary: path.summary,
    mediaType: path.mediaType,
    readers: path.readers,
    onlyIf: path.onlyIf ?? '',
    href: hrefOf(path, sample),
    anchor: path.schema === undefined ? '' : `schema-${path.schema}`,
  };
}

function viewEndpoint(endpoint: Endpoint, site: SiteContext, requests: EndpointSample | undefined) {
  const { name, method, path, optionalSegment, summary, description, answers, deprecation } = endpoint;
  const address = withSample(endpoint.example, requests, encodeURIComponent);
  return {
    anchor: `endpoint-${name}`,
    request: `${method} ${path.replaceAll('{', '<').replaceAll('}', '>')}`,
    summary,
    description: optionalSegment
      ? `${description} Without ${optionalSegment}, leave it out with its slash.`
      : description,
    deprecation: deprecation ?? false,
    parameters: statedOf(endpoint).map((stated) => ({
      name: stated.name,
      place: stated.in,
      description: stated.description,
      limits: limitsOf(stated.schema),
    })),
    answers: Object.entries(answers).map(([status, answer]) => ({
      status,
      description: answer.description,
      mediaType: answer.isInLines ? `${answer.mediaType}, application/x-ndjson` : (answer.mediaType ?? ''),
      schema: typeof answer.schema === 'string' ? `schema/${answer.schema}.json` : '',
    })),
    example:
      address === undefined
        ? ''
        : `${curl(site)} ${method === 'GET' ? '' : `-X ${method} `}'${site.baseUrl}${address}'`,
  };
}

function statedOf({ parameters, body = [] }: Endpoint) {
  return [...parameters, ...body.map((field) => ({ ...field, in: 'body' as const }))];
}

function limitsOf(schema: ParameterSchema): string {
  if (schema.type === 'string') return `at most ${count(schema.maxLength)} characters`;
  const range = `${count(schema.minimum)} to ${count(schema.maximum)}`;
  return schema.default === undefined ? range : `${range}, else ${count(schema.default)}`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

/** A real address of this form, relative to the page; empty if there is none. */
function hrefOf(path: PublishedPath, sample: Component | undefined): string {
  if (isOfComponent(path)) {
    if (!sample || !isBuiltFor(path, sample.judgement.latest !== undefined)) return '';
    return pathFor(path.path, sample.name);
  }
  return path.path.includes('{') || path.onlyIf !== undefined ? '' : path.path;
}

function viewDocument(path: PublishedPath, examples: ReadonlyMap<string, string>): object[] {
  if (path.schema === undefined) return [];
  const schema = jsonSchemaOf(path.schema);
  const fields = fieldsOf(schema);
  return [
    {
      ...viewPath(path, undefined),
      schema: `schema/${path.schema}.json`,
      // A document without fields is described by its type.
      type: fields.length === 0 ? typeOf(schema) : '',
      fields,
      example: examples.get(path.path) ?? '',
    },
  ];
}
