import type { Endpoint, ParameterSchema } from '../../../ask/api/endpoint.ts';
import {
  clientConfiguration,
  folderServer,
  publishedServer,
  staticServer,
} from '../../../ask/mcp/connection.ts';
import { tools } from '../../../ask/mcp/tools.ts';
import { detailsOn } from '../../../ask/details-on.ts';
import { answerVersion } from '../../../ask/version-answer.ts';
import type { Component } from '../../../decide/component.ts';
import { detailsOf } from '../../../decide/details.ts';
import { withValues, type Examples } from '../examples.ts';
import { curl, endpointsOf, reading } from '../reader-commands.ts';
import { isStatic, type SiteContext, type SiteFile } from '../site-context.ts';
import type { SiteInput } from '../site-input.ts';
import { grouped } from '../../../core/text.ts';
import {
  isBuiltFor,
  isOfComponent,
  pathFor,
  pathsOf,
  publishedPaths,
  type PublishedPath,
} from '../paths.ts';
import { fieldsOf, typeOf, jsonSchemaOf, schemaNamesOf } from '../json-schemas.ts';
import { scanProgram } from './guide-pages.ts';
import { renderPage } from './templates.ts';

/**
 * `api.html`, `api-files.html`, `api-stream.html` and `api-agents.html`: one page for each way to read an index, from the same
 * tables and schemas as `openapi.json`.
 */
export function renderApiPages(
  site: SiteContext,
  { sample, policies }: SiteInput,
  { documents, values }: Examples,
): SiteFile[] {
  const endpoints = endpointsOf(site);
  const viewed = (shown: readonly Endpoint[]) =>
    shown.map((one) => viewEndpoint(one, site, values));
  const pages: Readonly<Record<string, object>> = {
    api: {
      endpoints: viewed(endpoints.filter((endpoint) => !isStreamed(endpoint))),
      scan: `${reading(site, `npx release-index scan bom.json --index ${site.baseUrl}`)}\n`,
      search: `npx release-index search 'supportLeft:<90d' --index ${site.baseUrl}\n`,
      commands: sample ? commandsOn(sample, site) : [],
      policies,
    },
    'api-files': {
      configuration: `{ "extends": [${JSON.stringify(`${site.baseUrl}/renovate.json`)}] }`,
      paths: pathsOf(site).map((path) => viewPath(path, sample)),
      documents: pathsOf(site).flatMap((path) => viewDocument(path, documents)),
      schemas: schemaNamesOf(site).map((name) => ({
        href: `schema/${name}.json`,
        title: jsonSchemaOf(name).title,
      })),
    },
    ...(isStatic(site)
      ? {}
      : { 'api-stream': { endpoints: viewed(endpoints.filter(isStreamed)) } }),
    'api-agents': {
      tools,
      ofSite: clientConfiguration((isStatic(site) ? staticServer : publishedServer)(site.baseUrl)),
      ofFolder: clientConfiguration(folderServer),
    },
  };
  return Object.entries(pages).map(([name, view]) => ({
    path: `${name}.html`,
    body: renderPage(site, name, view),
  }));
}

/** The three requests that most people need, with the answers of this index on the day of the build. */
function commandsOn(sample: Component, site: SiteContext): object[] {
  const { name, judgement } = sample;
  const version = (judgement.latest ?? judgement.releases.at(-1))?.version;
  if (version === undefined) {
    return [];
  }
  const { label, sentence, advice } = answerVersion(detailsOn(detailsOf(sample), site.day), {
    version,
  });
  const api = `${site.baseUrl}/api/components/${name}/releases/${encodeURIComponent(version)}`;
  const latest = {
    aim: 'Latest version',
    command: `${curl(site)} -f ${site.baseUrl}/latest/${name}.txt\n`,
    answer: version,
  };
  const supported = {
    aim: 'Is this version supported?',
    command: isStatic(site)
      ? `${reading(site, `npx release-index explain ${name} ${version} --index ${site.baseUrl}`)}\n`
      : `${curl(site)} '${api}' | jq -r '.label, .sentence, .advice'\n`,
    answer: isStatic(site) ? `${sentence} ${advice}` : [label, sentence, advice].join('\n'),
  };
  const failing = {
    aim: 'Fail the build where it is not',
    command: `${reading(site, `npx --yes ${scanProgram} scan ${name}@${version} --index ${site.baseUrl}`)}\n`,
  };
  return [...(judgement.latest ? [latest] : []), supported, failing];
}

function isStreamed({ answers }: Endpoint): boolean {
  return answers[200]?.mediaType === 'text/event-stream';
}

function viewPath(path: PublishedPath, sample: Component | undefined) {
  return {
    ...path,
    path: path.path.replaceAll('{', '<').replaceAll('}', '>'),
    href: hrefOf(path, sample),
    anchor: anchorOf(path),
  };
}

/** Empty without a schema. If two documents share a schema, only the first anchor has its name. */
function anchorOf({ path, schema }: PublishedPath): string {
  if (schema === undefined) {
    return '';
  }
  const first = publishedPaths.find((other) => other.schema === schema);
  return `schema-${first?.path === path ? schema : path}`;
}

function viewEndpoint(endpoint: Endpoint, site: SiteContext, values: Examples['values']) {
  const { name, method, path, optionalSegment, description, answers } = endpoint;
  const address = withValues(endpoint.example, values, encodeURIComponent);
  return {
    ...endpoint,
    anchor: `endpoint-${name}`,
    request: `${method} ${path.replaceAll('{', '<').replaceAll('}', '>')}`,
    description: optionalSegment
      ? `${description} Without ${optionalSegment}, leave it out with its slash.`
      : description,
    parameters: [...endpoint.parameters, ...(endpoint.body ?? [])].map((stated) => ({
      ...stated,
      place: 'in' in stated ? stated.in : 'body',
      limits: limitsOf(stated.schema),
    })),
    answers: Object.entries(answers).map(([status, answer]) => ({
      ...answer,
      status,
      mediaType: answer.isInLines ? `${answer.mediaType}, application/x-ndjson` : answer.mediaType,
      schema: typeof answer.schema === 'string' && `schema/${answer.schema}.json`,
    })),
    example:
      address &&
      `${curl(site)} ${method === 'GET' ? '' : `-X ${method} `}'${site.baseUrl}${address}'`,
    // Relative, because an index may be below a path of its host.
    answer: address?.slice(1),
  };
}

function limitsOf(schema: ParameterSchema): string {
  if (schema.type === 'string') {
    return `at most ${grouped(schema.maxLength)} characters`;
  }
  const range = `${grouped(schema.minimum)} to ${grouped(schema.maximum)}`;
  return schema.default === undefined ? range : `${range}, else ${grouped(schema.default)}`;
}

/** A real address of this form, relative to the page; empty if there is none. */
function hrefOf(path: PublishedPath, sample: Component | undefined): string {
  if (isOfComponent(path)) {
    if (!sample || !isBuiltFor(path, sample.judgement.latest !== undefined)) {
      return '';
    }
    return pathFor(path.path, sample.name);
  }
  return path.path.includes('{') || path.onlyIf !== undefined ? '' : path.path;
}

function viewDocument(path: PublishedPath, examples: Examples['documents']): object[] {
  if (path.schema === undefined) {
    return [];
  }
  const schema = jsonSchemaOf(path.schema);
  const fields = fieldsOf(schema);
  return [
    {
      ...viewPath(path, undefined),
      schema: `schema/${path.schema}.json`,
      // A document without fields is described by its type.
      type: fields.length === 0 && typeOf(schema),
      fields,
      example: examples.get(path.path),
    },
  ];
}
