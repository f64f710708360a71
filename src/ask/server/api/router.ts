import { explainError } from '../../answers/explain-error.ts';
import { buildExports } from './build-exports.ts';
import { buildsEndpoint } from './builds.ts';
import {
  listEndpointPaths,
  type AnnouncedEnd,
  type Endpoint,
  type ApiCall,
  type ParameterValues,
} from './endpoint.ts';
import { componentEndpoint, componentsEndpoint } from './component-endpoints.ts';
import { readBody } from './read-body.ts';
import { readParameters } from './read-request.ts';
import { releasesEndpoint } from './releases-endpoint.ts';
import { answerAskProblem, answerFailure, answerPreflight, rejectMethod } from './respond.ts';
import { policyEndpoint, scanEndpoint } from './scan-endpoints.ts';
import { attestEndpoint, envelopesEndpoint } from './statement-endpoints.ts';
import { answerEndpoint, planEndpoint, verdictEndpoint } from './verdict-endpoints.ts';

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
type ApiRequest = Omit<ApiCall, 'parameters' | 'body'>;

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
  const { deprecation } = match.endpoint;
  if (deprecation) {
    announceEnd(response.headers, deprecation, settings.baseUrl);
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
    const parameters = readParameters(endpoint, segments, request);
    const body = endpoint.body ? await readBody(endpoint.body, request) : {};
    return await endpoint.handle({ ...apiRequest, parameters, body });
  } catch (error) {
    const problem = explainError(error);
    if (problem) {
      const question = endpoint.parameters.find(({ isQuestion }) => isQuestion);
      return answerAskProblem(request, problem, question?.name);
    }

    console.error(error);
    return answerFailure(request);
  }
}

function listMethods(matches: readonly Match[]): string[] {
  const methods = matches.flatMap(({ endpoint: { method } }) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  );
  return [...new Set(methods)];
}

/** The endpoints with a path, one for each method. */
function listMatches(table: readonly Endpoint[], pathname: string): Match[] {
  const matches: Match[] = [];
  for (const endpoint of table) {
    for (const path of listEndpointPaths(endpoint)) {
      const segments = readSegments(path, pathname);
      if (segments) {
        matches.push({ endpoint, segments });
      }
    }
  }
  return matches;
}

/** The values of the segments in braces; undefined if the path of the request is another or is not encoded well. */
function readSegments(path: string, pathname: string): ParameterValues | undefined {
  const pattern = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const match = new RegExp(`^${pattern}$`).exec(pathname);
  if (!match) {
    return undefined;
  }

  try {
    const segments = Object.entries(match.groups ?? {});
    return Object.fromEntries(segments.map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return undefined;
  }
}

/** Adds the headers of a deprecated endpoint (RFC 9745, RFC 8594). */
function announceEnd(
  headers: Headers,
  { since, sunset, successor }: AnnouncedEnd,
  baseUrl: string,
): void {
  headers.append('Deprecation', `@${Date.parse(since) / 1000}`);
  headers.append('Sunset', new Date(sunset).toUTCString());
  headers.append('Link', `<${baseUrl}${successor}>; rel="successor-version"`);
  headers.append('Link', `<${baseUrl}/api.html#requests>; rel="deprecation"; type="text/html"`);
}
