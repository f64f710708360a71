import { cutStart, toLine } from '../../core/text/foreign-text.ts';
import { decode } from '../files/read-documents.ts';
import type { HttpAnswer, StoredAnswer } from './answer-store.ts';
import { HttpError, showUrl } from './error.ts';
import type { HttpHeaders } from './http-headers.ts';
import { fetchDocument } from './fetch-document.ts';
import { pack, unpack } from './gzip.ts';
import { openRun, type HttpOptions, type HttpRun } from './http-run.ts';
import { createRequestKey, isForeign, parseUrl, type HttpRequest } from './request.ts';
import { runWithRetries } from './retries.ts';

export interface HttpResponse {
  /** After redirects. */
  url: string;
  headers: HttpHeaders;
  body: Buffer;
  /** The body as strict UTF-8 without its byte order mark; else `HttpError` of kind `content`. */
  text(): string;
  /** The body as JSON; else `HttpError` of kind `content`. */
  json(): unknown;
}

export interface Fetcher {
  /**
   * Throws `HttpError`. A run requests a document once, even if the request fails, or twice if both a person and the answer of another
   * host name it. A host that a person named may be in a local network. The target of a redirect may not, unless another request names
   * it.
   */
  fetch(request: HttpRequest): Promise<HttpResponse>;
}

/** The requests of one source. */
export interface HttpSession extends Fetcher {
  /** Keeps the answers for later runs. Call it only for plausible answers. */
  keep(): void;
}

export interface Http extends Fetcher {
  openSession(): HttpSession;
  /** Ends requests under way, drops all connections and forgets all answers. */
  close(): Promise<void>;
  counts: Readonly<HttpRun['counts']>;
}

export function createHttp(options: HttpOptions): Http {
  const closing = new AbortController();
  const { signal = closing.signal } = options;
  const run = openRun(options, AbortSignal.any([closing.signal, signal]));

  return {
    counts: run.counts,
    fetch: async (request) => toResponse(run, request, (await getAnswer(run, request)).answer),
    openSession: () => openSession(run),
    async close() {
      // Cancels pending repeats, or the process would stay alive.
      closing.abort();
      await run.agent.destroy();
      run.answers.clear();
    },
  };
}

function openSession(run: HttpRun): HttpSession {
  const answers = new Map<string, HttpAnswer>();

  return {
    async fetch(request) {
      const { key, answer } = await getAnswer(run, request);
      if ((request.method ?? 'GET') === 'GET' && request.isKept !== false) {
        answers.set(key, answer);
      }

      return toResponse(run, request, answer);
    },
    keep() {
      for (const [key, answer] of answers) {
        run.answerStore?.keep(key, answer);
      }
    },
  };
}

async function getAnswer(
  run: HttpRun,
  request: HttpRequest,
): Promise<{ key: string; answer: HttpAnswer }> {
  const url = parseUrl(request, run.guard);
  const isNamed = !isForeign(request);
  if (isNamed) {
    run.guard.trust(url);
  }

  // The server may answer differently with a credential.
  const isPersonal = isNamed && run.credentials.mayPersonalise(url, request);
  const key = createRequestKey(url, request, isPersonal);
  const answer = run.answers.get(key) ?? requestAnswer(run, url, request, key);
  run.answers.set(key, answer);
  return { key, answer: await answer };
}

async function requestAnswer(
  run: HttpRun,
  url: URL,
  request: HttpRequest,
  key: string,
): Promise<HttpAnswer> {
  const { method = 'GET', maxBytes = run.limits.maxBytes } = request;

  const fetchReply = (condition?: StoredAnswer) =>
    runWithRetries(run, { method, url }, () => fetchDocument(run, request, url, condition));

  const stored = method === 'GET' ? run.answerStore?.read(key) : undefined;
  let reply = await fetchReply(stored);
  if (reply.status === 304 && stored) {
    // Undefined for a damaged body: unpacking compares its checksum.
    const body = await unpack(stored.packed, { maxOutputLength: maxBytes }).catch(() => undefined);
    if (body) {
      // New headers replace stored ones (RFC 9111, section 3.2), except about the content: many servers send a default type.
      const newHeaders = [...reply.headers].filter(([name]) => !name.startsWith('content-'));
      const headers = new Map([...stored.headers, ...newHeaders]);
      return { ...stored, url: reply.url, headers, isNotModified: true };
    }

    reply = await fetchReply();
  }

  // The caller unpacks the body at once, but the run keeps all answers until its end, and some documents of npm have 60 MB.
  const packed = await pack(reply.body, { level: 3 });
  return { url: reply.url, headers: reply.headers, packed, isNotModified: false };
}

async function toResponse(
  { credentials }: HttpRun,
  { method = 'GET' }: HttpRequest,
  answer: HttpAnswer,
): Promise<HttpResponse> {
  const { url, headers } = answer;
  const body = await unpack(answer.packed);
  const createContentError = (problem: string) => {
    const message = credentials.redact(`${method} ${showUrl(url)} ${problem}`);
    return new HttpError({ kind: 'content', url: url.href, message, status: 200 });
  };

  const response: HttpResponse = {
    url: url.href,
    headers,
    body,
    text() {
      const text = decode(body);
      if (text !== undefined) {
        return text;
      }

      throw createContentError('is not valid UTF-8');
    },
    json() {
      const document = response.text();
      try {
        return JSON.parse(document);
      } catch {
        // Redacted before it is cut, or a part of a secret would stay.
        const start = toLine(credentials.redact(cutStart(document)), 40);
        throw createContentError(`is not valid JSON (it begins with ${JSON.stringify(start)})`);
      }
    },
  };
  return response;
}
