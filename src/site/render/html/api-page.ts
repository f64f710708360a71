import {
  computeDetailsOn,
  listSupportedVersions,
  type DetailsOn,
} from '../../../ask/answers/component-on.ts';
import { summariseTroubles } from '../../../ask/answers/silence.ts';
import { answerVersion } from '../../../ask/answers/version-answer.ts';
import type { Endpoint } from '../../../ask/server/api/endpoint.ts';
import {
  renderClientConfiguration,
  describePublishedServer,
  describeStaticServer,
} from '../../../ask/server/mcp/connection.ts';
import type { Tool } from '../../../ask/server/mcp/tool.ts';
import { tools } from '../../../ask/server/mcp/tools.ts';
import type { Component } from '../../../decide/component.ts';
import { describeDetails } from '../../../decide/details.ts';
import { insertArguments, insertValues, type ExampleValues } from '../examples.ts';
import { fillPath, markPlaceholders, describedPaths, type DescribedPath } from '../paths.ts';
import {
  isStatic,
  listEndpoints,
  writeCurl,
  writeReadingCommand,
  type SiteContext,
  type SiteInput,
} from '../site-context.ts';
import { computeReplacement } from './component-page.ts';
import { renderPage } from './templates.ts';

/** `api.html`: files, requests and tools, from the same tables and schemas as `openapi.json`. */
export function renderApiPage(
  site: SiteContext,
  { sample }: Pick<SiteInput, 'sample'>,
  values: ExampleValues,
): string {
  const { baseUrl } = site;
  const server = isStatic(site) ? describeStaticServer(baseUrl) : describePublishedServer(baseUrl);
  // `all.json` and `search.json` list their parts, so the page does not. A plain file host has no `openapi.json`.
  const files = describedPaths.filter(
    ({ path }) => !path.includes('{part}') && !(isStatic(site) && path === 'openapi.json'),
  );
  // The first version of the export is empty.
  const requests = listEndpoints(site).filter(
    ({ answers, path }) => !(501 in answers) && !path.startsWith('/build-export/v1/'),
  );

  return renderPage(site, 'api', {
    commands: sample ? listCommands(sample, values, site) : [],
    files: files.map((path) => describeFile(path, sample)),
    requests: requests.map((endpoint) => describeEndpoint(endpoint, values)),
    tools: tools.map((tool) => describeTool(tool, values)),
    search: writeReadingCommand(site, `npx release-index search isLatest --index ${baseUrl}`),
    client: renderClientConfiguration(server),
  });
}

/** Up to three commands with the answers of this index on the day of the build. */
function listCommands(sample: Component, { version }: ExampleValues, site: SiteContext): object[] {
  const { name, judgement } = sample;
  if (version === undefined) {
    return [];
  }

  const curl = `${writeCurl(site)} -f ${site.baseUrl}`;
  const today = computeDetailsOn(describeDetails(sample), site.day);
  const commands = [
    { aim: 'Is this version supported?', ...askForSupport(version, today, sample, site) },
    {
      aim: 'Supported lines, for a build matrix',
      command: `${curl}/supported/${name}.json\n`,
      answer: JSON.stringify(listSupportedVersions(today)),
    },
  ];
  if (judgement.latest) {
    commands.unshift({
      aim: 'Latest version',
      command: `${curl}/latest/${name}.txt\n`,
      answer: version,
    });
  }
  return commands;
}

function askForSupport(version: string, today: DetailsOn, sample: Component, site: SiteContext) {
  const { name, freshness } = sample;
  const silence = summariseTroubles(freshness.troubles);
  const replacement = computeReplacement(sample);
  const { label, sentence, advice } = answerVersion(today, { version, silence, replacement });
  if (isStatic(site)) {
    const explain = `npx release-index explain ${name} ${version} --index ${site.baseUrl}`;
    return {
      command: `${writeReadingCommand(site, explain)}\n`,
      answer: `${sentence} ${advice}`,
    };
  }

  const api = `${site.baseUrl}/api/components/${name}/releases/${encodeURIComponent(version)}`;
  return {
    command: `${writeCurl(site)} '${api}' | jq -r '.label, .sentence, .advice'\n`,
    answer: [label, sentence, advice].join('\n'),
  };
}

function describeFile(path: DescribedPath, sample: Component | undefined) {
  const { summary, schema } = path;
  const href = findHref(path, sample);

  return {
    request: markPlaceholders(path.path),
    summary,
    href,
    // Without a placeholder, the request itself is the address.
    isFixed: href === path.path,
    schema: schema && `schema/documents.json#/$defs/${schema}`,
  };
}

export function describeEndpoint(endpoint: Endpoint, values: ExampleValues) {
  const { name, method, path, summary, parameters, deprecation } = endpoint;
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => `${parameter.name}=`)
    .join('&');
  const address = insertValues(endpoint.example, values, encodeURIComponent);

  return {
    anchor: `endpoint-${name}`,
    request: `${method} ${markPlaceholders(path)}${query === '' ? '' : `?${query}`}`,
    summary,
    // Relative, because an index may be below a path of its host.
    href: method === 'GET' ? address?.slice(1) : undefined,
    deprecation,
  };
}

function describeTool({ name, description, example }: Tool, values: ExampleValues) {
  const toolInput = insertArguments(example, values);
  return {
    anchor: `tool-${name}`,
    request: name,
    // The first sentence: clients read the whole description from the server.
    summary: description.split(/(?<=\.) /)[0]!,
    example: toolInput && JSON.stringify(toolInput),
  };
}

/** A real address of this form, relative to the page; undefined if it may not exist. */
function findHref({ path, needs }: DescribedPath, sample: Component | undefined) {
  const exists = needs === undefined || (needs === 'latest' && sample?.judgement.latest);
  const address = sample ? fillPath(path, sample.name) : path;
  return exists && !address.includes('{') ? address : undefined;
}
