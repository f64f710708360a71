import { sha256Hex } from '../sha256.ts';

/** The headers of every answer that is no file. */
const everywhere = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Link, Deprecation, Sunset',
  'X-Content-Type-Options': 'nosniff',
};

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  503: 'Service Unavailable',
};

export type Headers = Readonly<Record<string, string>>;

/** An error in the form of RFC 9457. It is never cached. */
export function problem(
  request: Request,
  status: number,
  detail: string,
  members: object = {},
  headers: Headers = {},
): Response {
  const instance = new URL(request.url).pathname;
  const document = { type: 'about:blank', title: titles[status], status, detail, ...members, instance };
  return respond(request, status, `${JSON.stringify(document)}\n`, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    Vary: 'Accept',
    ...headers,
  });
}

/** What is possible at an address, for a method that is not. */
export function notAllowed(request: Request, methods: readonly string[]): Response {
  const possible = methods.filter((method) => method !== 'OPTIONS').join(' and ');
  const detail = `${request.method} is not allowed here, only ${possible}.`;
  return problem(request, 405, detail, {}, { Allow: methods.join(', ') });
}

/** What a browser asks before it sends a condition to another origin. The host itself refuses that for files. */
export function preflight(methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      Allow: methods.join(', '),
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': methods.filter((method) => method !== 'OPTIONS').join(', '),
      'Access-Control-Allow-Headers': 'Content-Type, If-None-Match, If-Modified-Since, Range, Last-Event-ID',
      'Access-Control-Max-Age': '86400',
      'Cache-Control': 'no-store',
    },
  });
}

/** A JSON document that holds for an hour; 304 for one who has it. */
export async function cachedJson(request: Request, body: string, headers: Headers = {}): Promise<Response> {
  const ETag = `"${(await sha256Hex(body)).slice(0, 32)}"`;
  const all = {
    'Content-Type': 'application/json',
    'Cache-Control': 'public, max-age=3600',
    ETag,
    ...headers,
  };
  const isKnown = matchesTag(request.headers.get('if-none-match') ?? '', ETag);
  return isKnown ? respond(request, 304, null, all) : respond(request, 200, body, all);
}

/** A JSON document that holds for this moment only. */
export function currentJson(request: Request, body: string, headers: Headers = {}): Response {
  const all = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers };
  return respond(request, 200, body, all);
}

export function respond(
  { method }: Request,
  status: number,
  body: string | ReadableStream<Uint8Array> | null,
  headers: Headers,
): Response {
  return new Response(method === 'HEAD' ? null : body, { status, headers: { ...everywhere, ...headers } });
}

/** Whether a header such as Accept names a value, and not with a weight of nothing (RFC 9110, section 12.4.2). */
export function isNamed(header: string | null, value: string): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === value && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

/** RFC 9110, section 13.1.2: by weak comparison. */
function matchesTag(header: string, tag: string): boolean {
  return header.split(',').some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === tag);
}

/** A request that cannot be answered, with what helps. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** More members of the problem document. */
  readonly members: Readonly<Record<string, string | number>>;

  constructor(status: number, detail: string, members: ProblemError['members'] = {}) {
    super(detail);
    this.status = status;
    this.members = members;
  }
}

const json = 'application/json';
const lines = 'application/x-ndjson';

/** The form of a list that `Accept` asks for (RFC 9110, section 12.5.1): an array, or an element a line. Throws a `ProblemError`. */
export function acceptedForm(request: Request): typeof json | typeof lines {
  const ranges = rangesOf(request.headers.get('accept') || '*/*');
  const [array, eachInLine] = [preferenceOf(json, ranges), preferenceOf(lines, ranges)];
  if (array.weight === 0 && eachInLine.weight === 0)
    throw new ProblemError(406, `Accept: expected ${json} or ${lines}`, { expected: `${json} or ${lines}` });
  if (array.weight !== eachInLine.weight) return array.weight > eachInLine.weight ? json : lines;
  return eachInLine.exactness > array.exactness ? lines : json;
}

/** A list in that form, as a body. */
export function listAs(form: ReturnType<typeof acceptedForm>, elements: readonly object[]): string {
  if (form === lines) return elements.map((element) => `${JSON.stringify(element)}\n`).join('');
  return `${JSON.stringify(elements, undefined, 2)}\n`;
}

interface Range {
  readonly name: string;
  readonly weight: number;
}

function rangesOf(header: string): Range[] {
  return header.split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const [, weight = '1'] = /^q=(.+)$/.exec(parameters.find((text) => text.startsWith('q=')) ?? '') ?? [];
    return { name, weight: Number(weight) || 0 };
  });
}

/** What the range says of it that names it most exactly. */
function preferenceOf(type: string, ranges: readonly Range[]): { weight: number; exactness: number } {
  for (const [index, name] of [type, 'application/*', '*/*'].entries()) {
    const range = ranges.find((each) => each.name === name);
    if (range) return { weight: range.weight, exactness: -index };
  }
  return { weight: 0, exactness: -Infinity };
}
