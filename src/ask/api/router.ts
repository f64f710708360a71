import { type PublishedIndex, TooMuchToSearchError } from '../published-index.ts';
import { QueryError } from '../../core/query/query-error.ts';
import { type Endpoint, pathsOf, segmentsOf } from './endpoint.ts';
import { readBody } from './read-body.ts';
import { readParameters, type Stated } from './read-parameters.ts';
import { notAllowed, preflight, problem, ProblemError } from './respond.ts';
import { addMonths } from '../../core/dates.ts';

/** What an endpoint answers from. */
export interface Question {
  readonly request: Request;
  readonly stated: Stated;
  readonly index: PublishedIndex;
  readonly settings: ApiSettings;
}

export interface ApiSettings extends StreamSettings {
  /** Where the site is published, without a slash at its end. */
  readonly baseUrl: string;
}

export interface StreamSettings {
  /** After which a client comes back. */
  readonly retryMs: number;
  /** Between two comments that keep a connection alive. */
  readonly heartbeatMs: number;
  /** After which a stream ends, so that its client meets the newest files when it comes back. */
  readonly lifetimeMs: number;
}

export type Handler = (question: Question) => Promise<Response>;

/** Answers requests by a table of endpoints; undefined where none has the address. */
export function createApi<Name extends string>(
  endpoints: readonly (Endpoint & { readonly name: Name })[],
  handlers: Readonly<Record<Name, Handler>>,
) {
  return async (
    request: Request,
    index: PublishedIndex,
    settings: ApiSettings,
  ): Promise<Response | undefined> => {
    const url = new URL(request.url);
    const here = endpoints.filter((endpoint) => readSegments(endpoint, url.pathname) !== undefined);
    if (here.length === 0) return undefined;
    const methods = methodsOf(here);
    if (request.method === 'OPTIONS') return preflight(methods);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const endpoint = here.find((candidate) => candidate.method === method);
    if (!endpoint) return notAllowed(request, methods);
    const segments = readSegments(endpoint, url.pathname)!;
    const response = await answerOrRefuse(request, async () => {
      const stated = readParameters(endpoint, segments, url, request.headers);
      const inBody = endpoint.body ? await readBody(endpoint.body, request) : {};
      return handlers[endpoint.name]({ request, stated: { ...stated, ...inBody }, index, settings });
    });
    for (const [name, value] of deprecationHeaders(endpoint, url.origin))
      response.headers.append(name, value);
    return response;
  };
}

async function answerOrRefuse(request: Request, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof ProblemError) return problem(request, error.status, error.message, error.members);
    if (error instanceof QueryError) {
      const { position, expected, message } = error;
      return problem(request, 400, `query: ${message}`, { parameter: 'query', position, expected });
    }
    if (error instanceof TooMuchToSearchError) {
      const expected = 'a query that names one component exactly, such as component:<component> isSupported';
      const detail = `query: ${error.message}. Expected ${expected}; /index.json lists the components`;
      return problem(request, 400, detail, { parameter: 'query', expected });
    }
    const detail = `The index cannot be read now: ${(error as Error).message}.`;
    return problem(request, 503, detail);
  }
}

function methodsOf(endpoints: readonly Endpoint[]): string[] {
  const own = endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(own), 'OPTIONS'];
}

function readSegments(endpoint: Endpoint, pathname: string): Stated | undefined {
  const read = pathsOf(endpoint).map((path) => readPath(path, pathname));
  return read.find((segments) => segments !== undefined);
}

/** What stands in an address for the segments of a path; undefined where it is another address. */
function readPath(path: string, pathname: string): Stated | undefined {
  const pattern = path.replaceAll(/[.]/g, String.raw`\.`).replaceAll(/\{\w+\}/g, '([^/]+)');
  const found = new RegExp(`^${pattern}$`).exec(pathname);
  if (!found) return undefined;
  try {
    return Object.fromEntries(
      segmentsOf(path).map((name, index) => [name, decodeURIComponent(found[index + 1]!)]),
    );
  } catch {
    // A % that stands for nothing.
    return undefined;
  }
}

/** How long it is said that an endpoint goes away before it does. */
const noticeMonths = 6;

/** What an answer of an endpoint that goes away says of that; none for every other. */
export function deprecationHeaders(
  { path, deprecation }: Endpoint,
  origin: string,
): [name: string, value: string][] {
  if (!deprecation) return [];
  const { since, sunset, successor } = deprecation;
  const earliest = addMonths(since, noticeMonths);
  if (sunset < earliest) throw new Error(`${path} may go away on ${earliest} at the earliest; got ${sunset}`);
  return [
    ['Deprecation', `@${Date.parse(since) / 1000}`],
    ['Sunset', new Date(sunset).toUTCString()],
    ['Link', `<${origin}${successor}>; rel="successor-version"`],
    ['Link', `<${origin}/api.html#endpoints>; rel="deprecation"; type="text/html"`],
  ];
}
