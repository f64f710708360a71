import { addMonths } from '../../../core/model/dates.ts';
import { explainError } from '../../answers/explain-error.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
import {
  endpointPaths,
  type ApiSettings,
  type Endpoint,
  type ParameterValues,
} from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { readBody, readParameters } from './read-request.ts';
import { answerFailure, explain, notAllowed, preflight } from './respond.ts';

/** Answers a request from a table of endpoints; undefined if no endpoint has its path. */
type Api = (
  request: Request,
  index: PublishedIndex,
  settings: ApiSettings,
) => Promise<Response | undefined>;

export function createApi(table: readonly Endpoint[]): Api {
  return async (request, index, settings) => {
    const url = new URL(request.url);
    const matches = table
      .map((endpoint) => {
        const segments = readSegments(endpoint, url.pathname);
        return segments ? { endpoint, segments } : undefined;
      })
      .filter((value) => value !== undefined);
    if (matches.length === 0) {
      return undefined;
    }

    const methods = listMethods(matches.map(({ endpoint }) => endpoint));
    if (request.method === 'OPTIONS') {
      return preflight(methods);
    }

    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const match = matches.find(({ endpoint }) => endpoint.method === method);
    if (!match) {
      return notAllowed(request, methods);
    }

    const { endpoint, segments } = match;
    const response = await answerOrExplain(request, async () => {
      const parameterValues = readParameters(endpoint, segments, url, request.headers);
      const inBody = endpoint.body ? await readBody(endpoint.body, request) : {};
      return endpoint.handle({
        request,
        parameters: { ...parameterValues, ...inBody },
        index,
        settings,
      });
    });

    for (const [name, value] of deprecationHeaders(endpoint, settings.baseUrl)) {
      response.headers.append(name, value);
    }

    return response;
  };
}

export const answerEndpoint = createApi(endpoints);

/** Errors become problem documents. */
async function answerOrExplain(
  request: Request,
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const problem = explainError(error);
    if (problem) {
      return explain(request, problem);
    }

    console.error(error);
    return answerFailure(request);
  }
}

function listMethods(table: readonly Endpoint[]): string[] {
  const methods = table.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods), 'OPTIONS'];
}

/** The values of the path segments; undefined if the path does not match. */
function readSegments(endpoint: Endpoint, pathname: string): ParameterValues | undefined {
  for (const path of endpointPaths(endpoint)) {
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

/** Minimum time between the announcement and the end of an endpoint. */
const noticeMonths = 6;

/** Headers of a deprecated endpoint (RFC 9745, RFC 8594). */
function deprecationHeaders(
  { path, deprecation }: Endpoint,
  baseUrl: string,
): [name: string, value: string][] {
  if (!deprecation) {
    return [];
  }

  const { since, sunset, successor } = deprecation;
  const earliest = addMonths(since, noticeMonths);
  if (sunset < earliest) {
    throw new Error(`${path} may go away on ${earliest} at the earliest; got ${sunset}`);
  }

  return [
    ['Deprecation', `@${Date.parse(since) / 1000}`],
    ['Sunset', new Date(sunset).toUTCString()],
    ['Link', `<${baseUrl}${successor}>; rel="successor-version"`],
    ['Link', `<${baseUrl}/api.html#requests>; rel="deprecation"; type="text/html"`],
  ];
}
