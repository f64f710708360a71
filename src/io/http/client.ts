import { isUtf8 } from 'node:buffer';
import {
  createAddressGuard,
  defaultLimits,
  openConnections,
  systemAddresses,
  type AddressBook,
  type HttpLimits,
} from './connections.ts';
import { createBearerTokens, readOwnCredentials, type CredentialSources } from './credentials.ts';
import { HttpError, showUrl, type HttpHeaders } from './error.ts';
import { fetchDocument } from './fetch-document.ts';
import { createRequestKey, parseUrl, type HttpRequest } from './request.ts';
import {
  createHosts,
  systemClock,
  runWithRetries,
  type Clock,
  type HttpRun,
} from './scheduling.ts';
import {
  isIntact,
  packBody,
  unpackBody,
  type HttpAnswer,
  type StoredAnswer,
  type ValidatorStore,
} from './validators.ts';

/** `env` also holds HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
export interface HttpOptions extends CredentialSources {
  /** names the project and its address */
  userAgent: string;
  /** stops the whole run */
  signal?: AbortSignal | undefined;
  /** answers of earlier runs; without it no request is conditional */
  validators?: ValidatorStore | undefined;
  limits?: Partial<HttpLimits> | undefined;
  clock?: Partial<Clock> | undefined;
  addresses?: Partial<AddressBook> | undefined;
  /** hosts that may be asked over plain http */
  plainHttpHosts?: readonly string[] | undefined;
}

export interface HttpResponse {
  /** after redirects */
  url: string;
  headers: HttpHeaders;
  body: Buffer;
  /** the body as strict UTF-8 without its byte order mark; else `HttpError` of kind `content` */
  text(): string;
  /** the body as JSON; else `HttpError` of kind `content` */
  json(): unknown;
  /** the host says that the stored body is still valid */
  notModified: boolean;
}

export interface Fetcher {
  /**
   * Throws `HttpError`. A run requests a document once, even if the request fails. The host may be in a local network because
   * only a person names it. The target of a redirect may not, unless it is requested elsewhere.
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
  /** ends requests under way, drops all connections and forgets all answers */
  close(): Promise<void>;
  /** `requests` includes redirects and repeats; `latestDate` is the latest instant in a `Date` header, in milliseconds. */
  readonly counts: Readonly<{ requests: number; latestDate?: number }>;
}

/** Names the project's address, for complaints. */
export function describeUserAgent({ repositoryUrl }: { repositoryUrl: string }): string {
  return `release-index (+${repositoryUrl})`;
}

export function createHttp(options: HttpOptions): Http {
  const client = new HttpClient(options);
  return {
    counts: client.counts,
    fetch: (request) => client.fetch(request),
    openSession: () => client.openSession(),
    close: () => client.close(),
  };
}

class HttpClient {
  readonly counts: HttpRun['counts'];
  readonly #run: HttpRun;
  readonly #validators: ValidatorStore | undefined;
  readonly #closing = new AbortController();
  readonly #answers = new Map<string, Promise<HttpAnswer>>();

  constructor(options: HttpOptions) {
    const limits = { ...defaultLimits, ...options.limits };
    const clock = { ...systemClock, ...options.clock };
    const guard = createAddressGuard(
      { ...systemAddresses, ...options.addresses },
      options.plainHttpHosts,
    );

    this.#validators = options.validators;

    this.#run = {
      ...openConnections(limits, options.env ?? {}, guard),
      userAgent: options.userAgent,
      credentials: readOwnCredentials(options),
      bearer: createBearerTokens(clock.now),
      guard,
      hosts: createHosts(clock),
      limits,
      clock,
      signal: AbortSignal.any([this.#closing.signal, options.signal ?? []].flat()),
      counts: { requests: 0 },
    };

    this.counts = this.#run.counts;
  }

  async fetch(request: HttpRequest): Promise<HttpResponse> {
    return toResponse(request, (await this.#getAnswer(request)).answer);
  }

  openSession(): HttpSession {
    const answers = new Map<string, HttpAnswer>();

    return {
      fetch: async (request) => {
        const { key, answer } = await this.#getAnswer(request);
        if ((request.method ?? 'GET') === 'GET' && request.isKept !== false) {
          answers.set(key, answer);
        }

        return toResponse(request, answer);
      },
      keep: () => {
        for (const [key, answer] of answers) {
          this.#validators?.keep(key, this.#run.credentials.redact(answer.url.href), answer);
        }
      },
    };
  }

  async close(): Promise<void> {
    // Cancels pending repeats, or the process would stay alive.
    this.#closing.abort();
    await this.#run.agent.destroy();
    this.#answers.clear();
  }

  async #getAnswer(request: HttpRequest): Promise<{ key: string; answer: HttpAnswer }> {
    const url = parseUrl(request, this.#run.guard);
    const { asNpm, authenticate } = request;

    // The server may answer differently with a credential.
    const isPersonal = this.#run.credentials.mayChange(url, {
      asNpm,
      asksRealm: authenticate !== undefined,
    });
    const key = createRequestKey(url, request, isPersonal);
    const answer = this.#answers.get(key) ?? this.#requestAnswer(url, request, key);
    this.#answers.set(key, answer);
    return { key, answer: await answer };
  }

  async #requestAnswer(url: URL, request: HttpRequest, key: string): Promise<HttpAnswer> {
    const { method = 'GET', maxBytes = this.#run.limits.maxBytes } = request;

    this.#run.guard.trust(url);

    const fetchAnswer = (stored?: StoredAnswer) =>
      runWithRetries(this.#run, { method, url }, () =>
        fetchDocument(this.#run, request, { url, stored }),
      );

    const stored = method === 'GET' ? this.#validators?.read(key) : undefined;
    let answer = await fetchAnswer(stored);
    if (answer.status === 304 && stored) {
      if (await isIntact(stored, maxBytes)) {
        const headers = new Map([...answer.headers, ...stored.headers]);
        return { ...stored, url: answer.url, headers, notModified: true };
      }

      answer = await fetchAnswer();
    }

    const body = await packBody(answer.body);
    return { url: answer.url, headers: answer.headers, ...body, notModified: false };
  }
}

async function toResponse(
  { method = 'GET' }: HttpRequest,
  answer: HttpAnswer,
): Promise<HttpResponse> {
  const { url, headers, notModified } = answer;
  const body = await unpackBody(answer);
  return { url: url.href, headers, body, text, json, notModified };

  function text(): string {
    if (isUtf8(body)) {
      return new TextDecoder().decode(body);
    }

    throw createContentError('is not valid UTF-8');
  }

  function json(): unknown {
    const document = text();
    try {
      return JSON.parse(document);
    } catch (error) {
      const start = document.slice(0, 40).replace(/\s+/g, ' ').trim();
      throw createContentError(
        `is not valid JSON (it begins with ${JSON.stringify(start)})`,
        error,
      );
    }
  }

  function createContentError(problem: string, cause?: unknown): HttpError {
    const message = `${method} ${showUrl(url)} ${problem}`;
    return new HttpError({ kind: 'content', url: url.href, message, status: 200, cause });
  }
}
