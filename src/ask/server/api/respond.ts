import { STATUS_CODES } from 'node:http';
import { computeSha256 } from '../../../core/model/digest.ts';
import { describeAskProblem, type AskProblem } from '../../answers/explain-error.ts';

/** Lets pages of any origin read an answer and some of its headers, and no browser guess its type. By default, nobody caches it. */
const commonHeaders = {
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Link, Deprecation, Sunset, Retry-After, Release-Index-Note, Release-Index-Total',
  'X-Content-Type-Options': 'nosniff',
};

type HeaderValues = Readonly<Record<string, string>>;

/** `hostOptions`: options of the host that are not in the standard. */
export function respond(
  { method }: Request,
  status: number,
  body: string | ReadableStream<Uint8Array> | null,
  headers: HeaderValues,
  hostOptions: object = {},
): Response {
  const allHeaders = new Headers(commonHeaders);
  for (const [name, value] of Object.entries(headers)) {
    allHeaders.set(name, value);
  }

  return new Response(method === 'HEAD' ? null : body, {
    ...hostOptions,
    status,
    headers: allHeaders,
  });
}

/** A JSON document that is valid for an hour; 304 if `If-None-Match` names its ETag. */
export async function answerCachedJson(
  request: Request,
  body: string,
  headers: HeaderValues = {},
): Promise<Response> {
  const ETag = `"${(await computeSha256(body)).slice(0, 32)}"`;
  const allHeaders = {
    'Content-Type': 'application/json',
    'Cache-Control': 'public, max-age=3600',
    ETag,
    ...headers,
  };

  // Weak comparison (RFC 9110, section 13.1.2).
  const tags = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim());
  const isKnown = tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === ETag);
  return isKnown
    ? respond(request, 304, null, allHeaders)
    : respond(request, 200, body, allHeaders);
}

/** A JSON document that must not be cached. */
export function answerJson(request: Request, body: string, headers: HeaderValues = {}): Response {
  return respond(request, 200, body, { 'Content-Type': 'application/json', ...headers });
}

export function formatJson(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** A JSON array with one line for each element. */
export function formatElements(elements: readonly object[]): string {
  const lines = elements.map((element) => JSON.stringify(element));
  return lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`;
}

/** RFC 9110 has another name for 413. */
const titles: Readonly<Record<number, string | undefined>> = {
  ...STATUS_CODES,
  413: 'Content Too Large',
};

/** An error in the form of RFC 9457. `members`: further ones of its document. */
export function answerProblem(
  request: Request,
  status: number,
  detail: string,
  { members, headers }: { members?: object | undefined; headers?: HeaderValues } = {},
): Response {
  const instance = new URL(request.url).pathname;
  const document = {
    type: 'about:blank',
    title: titles[status],
    status,
    detail,
    ...members,
    instance,
  };

  return respond(request, status, `${JSON.stringify(document)}\n`, {
    'Content-Type': 'application/problem+json',
    Vary: 'Accept',
    ...headers,
  });
}

/** The text of an unknown error may hold anything, so only the log shows it. */
export function answerFailure(request: Request): Response {
  return answerProblem(request, 500, 'The program failed. Its log says why.');
}

/**
 * A question without an answer: 404 for an unknown name, 503 if the index cannot be read or is too large, else 400 or the stated
 * status. `parameter`: the name of the parameter with the question, if the endpoint has one.
 */
export function answerAskProblem(
  request: Request,
  problem: AskProblem,
  parameter?: string,
): Response {
  const { reason, didYouMean, position, expected } = problem;
  const message = describeAskProblem(problem);

  switch (reason) {
    case 'unknown':
      return answerProblem(request, 404, message, { members: { didYouMean } });
    case 'request':
      return answerProblem(request, problem.status ?? 400, message, {
        members: problem.members,
      });
    case 'unreadable':
      return answerProblem(request, 503, message, { headers: { 'Retry-After': '10' } });
    case 'too-large':
      return answerProblem(request, 503, message, { members: { parameter } });
    case 'no-version':
    case 'too-much':
    case 'query':
      return answerProblem(request, 400, message, {
        members: { parameter, position, expected },
      });
  }
}

/** The methods that only read. */
export const fileMethods: readonly string[] = ['GET', 'HEAD'];

/** 405 with the allowed methods. `methods`: those besides OPTIONS, which every path allows. */
export function rejectMethod(request: Request, methods: readonly string[]): Response {
  const detail = `${request.method} is not allowed here, only ${methods.join(' and ')}.`;
  return answerProblem(request, 405, detail, { headers: { Allow: formatAllowed(methods) } });
}

function formatAllowed(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].join(', ');
}

const requestHeaders =
  'Content-Type, If-None-Match, If-Modified-Since, Range, Last-Event-ID, Authorization, Mcp-Protocol-Version, Mcp-Method, Mcp-Name';

/** Answers a preflight, which browsers send before most requests of scripts to another origin. `methods`: as for `rejectMethod`. */
export function answerPreflight(methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...commonHeaders,
      Allow: formatAllowed(methods),
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': requestHeaders,
      'Access-Control-Max-Age': '86400',
    },
  });
}
