import type { Endpoint, ParameterSchema } from '../../../ask/server/api/endpoint.ts';
import {
  clientConfiguration,
  publishedServer,
  staticServer,
} from '../../../ask/server/mcp/connection.ts';
import type { Tool } from '../../../ask/server/mcp/tool.ts';
import { tools } from '../../../ask/server/mcp/tools.ts';
import { detailsOn, silenceOf } from '../../../ask/answers/details-on.ts';
import { answerVersion } from '../../../ask/answers/version-answer.ts';
import type { Component } from '../../../decide/component.ts';
import { detailsOf } from '../../../decide/details.ts';
import { grouped } from '../../../core/text/text.ts';
import { toolArguments, withValues, type ExampleValues } from '../examples.ts';
import { curl, endpointsOf, reading } from '../renovate/reader-commands.ts';
import { isStatic, type SiteContext } from '../site-context.ts';
import type { SiteInput } from '../site-input.ts';
import {
  isBuiltFor,
  isForMachines,
  isOfComponent,
  pathFor,
  pathsOf,
  type PublishedPath,
} from '../paths.ts';
import { jsonSchemaOf, schemaNames, schemasOf } from '../documents/json-schemas.ts';
import { scanProgram } from './use-page.ts';
import { renderPage } from './templates.ts';

/** A row of a table: a file, a request or a tool. A browser sends its example when a person opens it. */
interface Row {
  readonly anchor: string;
  readonly request: string;
  readonly summary: string;
  /** A real address; empty if there is none. */
  readonly href: string;
  /** The address of the schema of a file; empty if none is published. */
  readonly schema: string;
  readonly description: string;
  readonly parameters: readonly object[];
  readonly problems: readonly object[];
  readonly deprecation: Endpoint['deprecation'];
  readonly example: Example | undefined;
}

interface Example {
  readonly command: string;
  readonly method: string;
  /** Relative, because an index may be below a path of its host; empty if nothing answers. */
  readonly address: string;
  readonly body: string;
}

/** `api.html`: files, requests and tools, from the same tables and schemas as `openapi.json`. */
export function renderApiPage(
  site: SiteContext,
  { sample, policies }: SiteInput,
  values: ExampleValues,
): string {
  const server = (isStatic(site) ? staticServer : publishedServer)(site.baseUrl);

  return renderPage(site, 'api', {
    commands: sample ? commandsOn(sample, site) : [],
    files: pathsOf(site)
      .filter((path) => isForMachines(path) && !isPart(path))
      .map((path) => rowOfFile(path, sample, site)),
    schemas: schemasOf(site).map((name) => ({
      href: `schema/${name}.json`,
      title: jsonSchemaOf(name).title,
    })),
    endpoints: endpointsOf(site).map((endpoint) => rowOfEndpoint(endpoint, site, values)),
    search: `npx release-index search 'supportLeft:<90d' --index ${site.baseUrl}\n`,
    tools: tools.map((tool) => rowOfTool(tool, site, values)),
    client: clientConfiguration(server),
    policies,
  });
}

/** The three requests that most people need, with the answers of this index on the day of the build. */
function commandsOn(sample: Component, site: SiteContext): object[] {
  const { name, judgement } = sample;
  const version = (judgement.latest ?? judgement.releases.at(-1))?.version;
  if (version === undefined) {
    return [];
  }

  const silence = silenceOf(sample.freshness.troubles);
  const { label, sentence, advice } = answerVersion(detailsOn(detailsOf(sample), site.day), {
    version,
    silence,
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

function rowOfFile(path: PublishedPath, sample: Component | undefined, site: SiteContext): Row {
  const { summary, onlyIf, readers, mediaType, schema } = path;
  const href = hrefOf(path, sample);
  const hasText = href !== '' && !mediaType.startsWith('image/');

  return {
    anchor: '',
    request: withAngles(path.path),
    summary,
    href,
    schema: schema !== undefined && schemaNames.includes(schema) ? `schema/${schema}.json` : '',
    description: `For: ${readers}.${onlyIf === undefined ? '' : ` ${onlyIf}`}`,
    parameters: [],
    problems: [],
    deprecation: undefined,
    example: hasText ? exampleOf('GET', href, site) : undefined,
  };
}

export function rowOfEndpoint(endpoint: Endpoint, site: SiteContext, values: ExampleValues): Row {
  const { name, method, path, optionalSegment, summary, answers, deprecation } = endpoint;
  const address = withValues(endpoint.example, values, encodeURIComponent);

  const withoutSegment =
    optionalSegment === undefined
      ? ''
      : ` Without ${optionalSegment}, leave it out with its slash.`;

  return {
    anchor: `endpoint-${name}`,
    request: `${method} ${withAngles(path)}`,
    summary,
    href: '',
    schema: '',
    description: endpoint.description + withoutSegment,
    parameters: [...endpoint.parameters, ...(endpoint.body ?? [])].map((parameter) => ({
      ...parameter,
      place: 'in' in parameter ? parameter.in : 'body',
      limits: limitsOf(parameter.schema),
    })),
    // The section explains 400, which every request may have.
    problems: Object.entries(answers)
      .filter(([status]) => status !== '200' && status !== '400')
      .map(([status, { description }]) => ({ status, description })),
    deprecation,
    example: address === undefined ? undefined : exampleOf(method, address.slice(1), site),
  };
}

function rowOfTool(tool: Tool, site: SiteContext, values: ExampleValues): Row {
  const { name, description } = tool;
  const [summary = '', ...more] = description.split(/(?<=\.) /);
  const toolInput = toolArguments(tool.example, values);

  return {
    anchor: `tool-${name}`,
    request: name,
    summary,
    href: '',
    schema: '',
    description: more.join(' '),
    parameters: [],
    problems: [],
    deprecation: undefined,
    example: toolInput && toolCall(name, toolInput, site),
  };
}

/** A call of a tool. Only a host with a Worker answers it; otherwise, these are its arguments. */
function toolCall(name: string, toolInput: object, site: SiteContext): Example {
  if (isStatic(site)) {
    return { command: JSON.stringify(toolInput), method: '', address: '', body: '' };
  }

  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: toolInput },
  };
  const body = JSON.stringify(call);
  const headers =
    "-H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'";
  const command = `${curl(site)} '${site.baseUrl}/mcp' ${headers} -d '${body}'`;

  return { command, method: 'POST', address: 'mcp', body };
}

function exampleOf(method: string, address: string, site: SiteContext): Example {
  const option = method === 'GET' ? '' : `-X ${method} `;
  const command = `${curl(site)} ${option}'${site.baseUrl}/${address}'`;

  return { command, method, address, body: '' };
}

function withAngles(path: string): string {
  return path.replaceAll('{', '<').replaceAll('}', '>');
}

function limitsOf(schema: ParameterSchema): string {
  if (schema.type === 'string') {
    return `at most ${grouped(schema.maxLength)} characters`;
  }

  const range = `${grouped(schema.minimum)} to ${grouped(schema.maximum)}`;

  return schema.default === undefined ? range : `${range}, else ${grouped(schema.default)}`;
}

/** A part of a file that would be too long, which lists it. */
function isPart({ path }: PublishedPath): boolean {
  return path.includes('{part}');
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
