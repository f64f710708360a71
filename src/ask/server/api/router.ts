import { buildExports } from './build-exports.ts';
import { buildsEndpoint } from './builds.ts';
import {
  verdictEndpoint,
  componentsEndpoint,
  componentEndpoint,
  answerEndpoint,
  releasesEndpoint,
} from './release-endpoints.ts';
import {
  listEndpointPaths,
  type Endpoint,
  type ApiCall,
  type ParameterValues,
} from './endpoint.ts';
import { planEndpoint } from './plan-endpoint.ts';
import { attestEndpoint, scanEndpoint, envelopesEndpoint, policyEndpoint } from './scans.ts';
import { explainError } from '../../answers/explain-error.ts';
import { readBody } from './read-body.ts';
import { readParameters } from './read-request.ts';
import { answerFailure, answerPreflight, explain, rejectMethod } from './respond.ts';

/** All requests that the Worker answers. Routing, validation and documentation use this table. */
export const endpoints: readonly Endpoint[] = [
  releasesEndpoint,
  componentsEndpoint,
  componentEndpoint,
  planEndpoint,
  verdictEndpoint,
  answerEndpoint,
  ...buildExports,
  buildsEndpoint,
  scanEndpoint,
  attestEndpoint,
  envelopesEndpoint,
  policyEndpoint,
];

/** A request, and what its endpoint may use for the answer. */
type ApiRequest = Omit<ApiCall, 'parameters'>;

/** An endpoint with the path of a request, and the values of its segments. */
interface Match {
  readonly endpoint: Endpoint;
  readonly segments: ParameterValues;
}

/** Answers a request from a table of endpoints; undefined if no endpoint has its path. */
export async function answerFromTable(
  table: readonly Endpoint[],
  apiRequest: ApiRequest,
): Promise<Response | undefined> {
  const { request, settings } = apiRequest;
  const matches = listMatches(table, new URL(request.url).pathname);
  if (matches.length === 0) {
    return undefined;
  }

  const methods = listMethods(matches);
  if (request.method === 'OPTIONS') {
    return answerPreflight(methods);
  }

  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const match = matches.find(({ endpoint }) => endpoint.method === method);
  if (!match) {
    return rejectMethod(request, methods);
  }

  const response = await answerOrExplain(match, apiRequest);
  for (const [name, value] of listDeprecationHeaders(match.endpoint, settings.baseUrl)) {
    response.headers.append(name, value);
  }

  return response;
}

/** Errors become problem documents. */
async function answerOrExplain(
  { endpoint, segments }: Match,
  apiRequest: ApiRequest,
): Promise<Response> {
  const { request } = apiRequest;
  try {
    const parameterValues = readParameters(endpoint, segments, request);
    const bodyValues = endpoint.body && (await readBody(endpoint.body, request));
    return await endpoint.handle({
      ...apiRequest,
      parameters: { ...parameterValues, ...bodyValues },
    });
  } catch (error) {
    const problem = explainError(error);
    if (problem) {
      const question = endpoint.parameters.find(({ isQuestion }) => isQuestion);
      return explain(request, problem, question?.name);
    }

    console.error(error);
    return answerFailure(request);
  }
}

function listMethods(matches: readonly Match[]): string[] {
  const methods = matches.flatMap(({ endpoint: { method } }) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  );
  return [...new Set(methods), 'OPTIONS'];
}

/** The endpoints with a path, one for each method. */
function listMatches(table: readonly Endpoint[], pathname: string): Match[] {
  const matches: Match[] = [];
  for (const endpoint of table) {
    const segments = readSegments(endpoint, pathname);
    if (segments) {
      matches.push({ endpoint, segments });
    }
  }
  return matches;
}

/** The values of the path segments; undefined if the path does not match. */
function readSegments(endpoint: Endpoint, pathname: string): ParameterValues | undefined {
  for (const path of listEndpointPaths(endpoint)) {
    const pattern = path.replaceAll('.', String.raw`\.`).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = new RegExp(`^${pattern}$`).exec(pathname);
    if (!match) {
      continue;
    }

    try {
      const segments = Object.entries(match.groups ?? {});
      return Object.fromEntries(segments.map(([name, text]) => [name, decodeURIComponent(text)]));
    } catch {
      // Invalid percent-encoding.
    }
  }

  return undefined;
}

/** Headers of a deprecated endpoint (RFC 9745, RFC 8594). */
function listDeprecationHeaders(
  { deprecation }: Endpoint,
  baseUrl: string,
): [name: string, value: string][] {
  if (!deprecation) {
    return [];
  }

  const { since, sunset, successor } = deprecation;
  return [
    ['Deprecation', `@${Date.parse(since) / 1000}`],
    ['Sunset', new Date(sunset).toUTCString()],
    ['Link', `<${baseUrl}${successor}>; rel="successor-version"`],
    ['Link', `<${baseUrl}/api.html#requests>; rel="deprecation"; type="text/html"`],
  ];
}
