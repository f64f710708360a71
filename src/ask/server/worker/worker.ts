import { toDay } from '../../../core/model/dates.ts';
import { keepByObject } from '../../../core/model/objects.ts';
import { QuestionError } from '../../../core/query/question-error.ts';
import { openIndex } from '../../answers/published-index.ts';
import { isForMcp, tokenPath } from '../access/protected-paths.ts';
import { isAccepted } from '../api/accept.ts';
import type { ApiSettings } from '../api/endpoint.ts';
import { endpoints, answerFromTable } from '../api/router.ts';
import { answerPreflight, answerProblem, fileMethods, rejectMethod } from '../api/respond.ts';
import { createMcpEndpoint } from '../mcp/mcp-endpoint.ts';

/** Bindings and variables that the host gives the Worker. */
export interface Env {
  /** Serves the files of the site with their headers. */
  ASSETS: { fetch(request: Request): Promise<Response> };
  /** The address of the published site. */
  BASE_URL: string;
  /** The address of a preview, for links. */
  PREVIEW_URL?: string;
  /** This version of the Worker and its files. */
  VERSION: { readonly timestamp: string };
  /** The instant from which readers had the newest run of the index, if an earlier version already published it. */
  PUBLISHED_AT?: string;
  /** Secrets: lists of access keys as JSON. */
  RELEASE_INDEX_ACCESS_KEYS?: string;
  RELEASE_INDEX_ACCESS_KEYS_2?: string;
  /** Replaces the day of the clock. */
  TODAY?: string;
}

/** Maximum characters of search.json and its parts: a larger catalogue exceeds the memory of the host. */
const maxSearched = 32 * 2 ** 20;

/** Maximum time from the upload of a version until all readers get it. */
const maxSwitchMs = 120_000;

/** The index, and the answers to agents, of a version of the Worker. Its files never change, so its documents are read once. */
export const openSiteOnce = keepByObject((env: Env) => {
  const { PUBLISHED_AT, VERSION } = env;
  const publishedAt =
    PUBLISHED_AT === undefined
      ? Date.parse(VERSION.timestamp) + maxSwitchMs
      : Date.parse(PUBLISHED_AT);
  const index = openIndex(
    { read: (path) => readAsset(env, path), publishedAt: async () => publishedAt },
    { maxSearched, today: () => env.TODAY ?? toDay(new Date()) },
  );
  return { index, answerMcp: createMcpEndpoint(index, env.BASE_URL) };
});

/** The text of a file of the site; undefined if there is none. Throws a `QuestionError` if the host cannot read it. */
async function readAsset({ ASSETS }: Env, path: string): Promise<string | undefined> {
  const response = await ASSETS.fetch(new Request(`https://site.invalid/${path}`));
  if (response.status === 404) {
    return undefined;
  }
  if (!response.ok) {
    throw new QuestionError('unreadable', `${path} answered ${response.status}`);
  }

  return response.text();
}

export function readSettings(env: Env): ApiSettings {
  return {
    baseUrl: env.PREVIEW_URL ?? env.BASE_URL,
    retryMs: 60_000,
    heartbeatMs: 15_000,
    lifetimeMs: 300_000,
  };
}

/** Serves the file as the host would, or else the answer of the Worker. */
export async function serve(request: Request, env: Env): Promise<Response> {
  if (!fileMethods.includes(request.method)) {
    return answerRequest(request, env);
  }

  const file = await env.ASSETS.fetch(request);
  return file.status === 404 ? answerRequest(request, env) : file;
}

/** Answers requests for which there is no file: the host serves files itself. */
async function answerRequest(request: Request, env: Env): Promise<Response> {
  const { index, answerMcp } = openSiteOnce(env);
  if (isForMcp(request)) {
    return answerMcp(request);
  }

  const settings = readSettings(env);
  const answer = await answerFromTable(endpoints, { request, index, settings });
  if (answer) {
    return answer;
  }
  if (request.method === 'OPTIONS') {
    return answerPreflight(fileMethods);
  }
  if (new URL(request.url).pathname === tokenPath) {
    return answerProblem(request, 404, 'This index is public: nothing needs a token.');
  }

  return answerFilePath(request, env);
}

/**
 * Answers a request for which there is no endpoint. The host has no file for `/`, only for `/index.html`. Errors are `no-store`, because
 * RFC 9111, section 4.2.2 lets caches keep a 404, and a component would stay missing after its publication.
 */
async function answerFilePath(request: Request, { ASSETS }: Env): Promise<Response> {
  const { method, url, headers } = request;
  const mayRead = fileMethods.includes(method);
  const address = new URL(url);
  if (address.pathname === '/') {
    address.pathname = '/index.html';
  }

  // A request with another method is rejected only if the file exists.
  const file = await ASSETS.fetch(new Request(address, mayRead ? request : undefined));
  if (file.status !== 404) {
    return mayRead ? file : rejectMethod(request, fileMethods);
  }

  if (mayRead && isAccepted(headers.get('accept'), 'text/html')) {
    const page = await ASSETS.fetch(new Request(new URL('/404.html', url)));
    if (page.ok) {
      return answerWithPage(request, page);
    }
  }

  const detail =
    'There is no such file. /index.json lists the components; <component>.json has the releases of a component.';
  return answerProblem(request, 404, detail);
}

/** 404 with the page for people. The host's length, tag and cache state are for the file with status 200. */
function answerWithPage(request: Request, page: Response): Response {
  const headers = new Headers(page.headers);
  for (const name of ['ETag', 'Content-Length', 'CF-Cache-Status']) {
    headers.delete(name);
  }
  headers.set('Cache-Control', 'no-store');
  headers.set('Vary', 'Accept');
  return new Response(request.method === 'HEAD' ? null : page.body, { status: 404, headers });
}

export default { fetch: answerRequest };
