import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { temporaryFolder } from './root.ts';
import { startUpstream } from './upstream.ts';

/** One uploaded state of the site: paths and the hashes of their contents, and the text of its `_headers`. */
interface Version {
  id: string;
  manifest: Record<string, { hash: string; size: number }>;
  headers: string;
  config: Record<string, unknown>;
  /** What the publication says of it. */
  message: string | undefined;
  /** The uploaded module. */
  worker: Worker;
  /** The Worker's variables. */
  vars: Record<string, string>;
  /** What an upload does not name stays as it was. */
  secrets: Record<string, string>;
}

interface Worker {
  fetch(request: Request, env: object): Promise<Response>;
}

export interface Fault {
  /** Method and path, less the account: `POST /workers/scripts/x/versions`. */
  at: string;
  /** `drop`: the connection breaks off, before (`refuse`) or after (`drop`) the call took effect. */
  kind: 'refuse' | 'drop' | 'error';
}

export type SiteAnswer = 'cut' | { status: number; type?: string; body?: string };

export type Cloudflare = Awaited<ReturnType<typeof startCloudflare>>;

/**
 * Cloudflare as far as wrangler asks it (developers.cloudflare.com/api): uploads by content hash, versions, deployments.
 * What is deployed is served at an address of its own: files with their `_headers`, the rest by the Worker that was uploaded.
 */
export async function startCloudflare() {
  const contents = new Map<string, Buffer>();
  const sessions = new Map<string, Version['manifest']>();
  const versions = new Map<string, Version>();
  /** Newest first. */
  const deployments: object[] = [];
  const api = await startUpstream(() => (request, response) => void answerApi(request, response));
  const site = await startUpstream(() => (request, response) => void answerSite(request, response));
  const apiBaseUrl = `${api.url}client/v4`;
  const token = `token-${randomUUID()}`;
  const cloudflare = {
    apiBaseUrl,
    siteUrl: new URL(site.url).origin,
    token,
    /** The variables with which wrangler finds it. */
    credentials: {
      CLOUDFLARE_API_TOKEN: token,
      CLOUDFLARE_ACCOUNT_ID: 'account',
      CLOUDFLARE_API_BASE_URL: apiBaseUrl,
    },
    /** `METHOD /path`, in the order they came. */
    calls: [] as string[],
    /** How often each content was sent, by hash. */
    sent: new Map<string, number>(),
    live: undefined as Version | undefined,
    fault: undefined as Fault | undefined,
    /** Answers in place of files, by path; `cut` breaks the connection off. */
    answers: new Map<string, SiteAnswer>(),
    /** Something that happens while a call of the API is answered. */
    during: undefined as { call: string; happens(): void } | undefined,
    async close() {
      await Promise.all([api.close(), site.close()]);
    },
  };
  return cloudflare;

  async function answerApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const path = request.url!.replace(/^\/client\/v4\/accounts\/[^/]+/, '').replace(/\?.*/, '');
    const call = `${request.method} ${path}`;
    cloudflare.calls.push(call);
    if (call === cloudflare.during?.call) {
      cloudflare.during.happens();
    }
    const fault =
      cloudflare.fault && call.startsWith(cloudflare.fault.at) ? cloudflare.fault : undefined;
    if (fault?.kind === 'refuse') {
      return void request.socket.destroy();
    }
    if (fault?.kind === 'error') {
      return fail(response, 500, 10013, 'An unknown error has occurred');
    }
    if (!isAuthorised(request)) {
      return fail(response, 403, 10000, 'Authentication error');
    }
    const answer = await handle(request, path, body);
    if (fault?.kind === 'drop') {
      return void request.socket.destroy();
    }
    if (!answer) {
      return fail(response, 404, 10090, `the imitation knows no ${call}`);
    }
    send(response, answer.status ?? 200, {
      success: true,
      errors: [],
      messages: [],
      result: answer.result,
    });
  }

  function isAuthorised({ headers }: IncomingMessage): boolean {
    const bearer = headers.authorization?.replace('Bearer ', '') ?? '';
    return bearer === cloudflare.token || sessions.has(bearer);
  }

  async function handle(
    { method, headers }: IncomingMessage,
    path: string,
    body: Buffer,
  ): Promise<{ status?: number; result: unknown } | undefined> {
    const script = /^\/workers\/scripts\/[^/]+(.*)$/.exec(path)?.[1];
    const exists = versions.size > 0;
    if (path.startsWith('/workers/services/')) {
      const environment = {
        environment: 'production',
        script: { last_deployed_from: 'wrangler', tag: 't' },
      };
      return exists ? { result: { default_environment: environment } } : undefined;
    }
    if (path.startsWith('/workers/workers/')) {
      return { result: { subdomain: { enabled: false, previews_enabled: false } } };
    }
    if (path === '/workers/assets/upload') {
      return acceptContents(headers, body);
    }
    if (script === '/assets-upload-session') {
      return openSession(body);
    }
    if (script === '/subdomain') {
      return { result: { enabled: false, previews_enabled: false } };
    }
    if (script === '/settings') {
      return { result: { bindings: [] } };
    }
    if (script === '' && method === 'PUT') {
      const { id } = await addVersion(headers, body);
      deploy(id);
      return { result: { id: 'x', deployment_id: id, startup_time_ms: 1 } };
    }
    if (script === '/versions' && method === 'POST') {
      return { result: describe(await addVersion(headers, body)) };
    }
    if (script?.startsWith('/versions/')) {
      return { result: describe(versions.get(script.slice(10))!) };
    }
    if (script === '/deployments' && method === 'POST') {
      const [{ version_id: id }] = (
        JSON.parse(String(body)) as { versions: [{ version_id: string }] }
      ).versions;
      deploy(id);
      return { result: { id: randomUUID() } };
    }
    if (script === '/deployments') {
      return { result: { deployments } };
    }
    return undefined;
  }

  function deploy(id: string): void {
    cloudflare.live = versions.get(id)!;
    deployments.unshift({
      id: randomUUID(),
      source: 'wrangler',
      strategy: 'percentage',
      author_email: 'a@example.com',
      created_on: new Date(1_800_000_000_000 + deployments.length).toISOString(),
      versions: [{ version_id: id, percentage: 100 }],
    });
  }

  function openSession(body: Buffer): { result: unknown } {
    const { manifest } = JSON.parse(String(body)) as Pick<Version, 'manifest'>;
    const missing = Object.values(manifest)
      .map(({ hash }) => hash)
      .filter((hash) => !contents.has(hash));
    const jwt = makeToken();
    sessions.set(jwt, manifest);
    return { result: { jwt, buckets: missing.length > 0 ? [[...new Set(missing)]] : [] } };
  }

  async function acceptContents(
    headers: IncomingMessage['headers'],
    body: Buffer,
  ): Promise<{ status: number; result: unknown }> {
    for (const [hash, file] of (await parseForm(headers, body)).entries()) {
      contents.set(hash, Buffer.from(await (file as File).text(), 'base64'));
      cloudflare.sent.set(hash, (cloudflare.sent.get(hash) ?? 0) + 1);
    }
    const jwt = headers.authorization!.replace('Bearer ', '');
    const isWhole = Object.values(sessions.get(jwt)!).every(({ hash }) => contents.has(hash));
    return { status: isWhole ? 201 : 202, result: { jwt } };
  }

  async function addVersion(headers: IncomingMessage['headers'], body: Buffer): Promise<Version> {
    const form = await parseForm(headers, body);
    const metadata = form.get('metadata')!;
    const {
      assets,
      bindings = [],
      main_module: module,
      annotations,
    } = JSON.parse(typeof metadata === 'string' ? metadata : await metadata.text()) as {
      assets: { jwt: string; config: Record<string, unknown> };
      bindings?: { type: string; name: string; text: string }[];
      main_module: string;
      annotations?: { 'workers/message'?: string };
    };
    const readBindings = (kind: string) =>
      Object.fromEntries(
        bindings.flatMap(({ type, name, text }) => (type === kind ? [[name, text]] : [])),
      );
    const { _headers: rules = '', ...config } = assets.config;
    const version: Version = {
      id: randomUUID(),
      manifest: sessions.get(assets.jwt)!,
      headers: String(rules),
      config,
      message: annotations?.['workers/message'],
      worker: loadWorker(await (form.get(module) as File).text()),
      vars: readBindings('plain_text'),
      secrets: { ...[...versions.values()].at(-1)?.secrets, ...readBindings('secret_text') },
    };
    versions.set(version.id, version);
    return version;
  }

  async function answerSite(
    { url, method = 'GET', headers }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { live, siteUrl } = cloudflare;
    const path = url!.replace(/\?.*/, '');
    const instead = cloudflare.answers.get(path);
    if (instead === 'cut') {
      return void response.destroy();
    }
    if (instead) {
      const { status, type = 'text/plain', body = 'no' } = instead;
      response.writeHead(status, { 'content-type': type }).end(body);
      return;
    }
    if (!live) {
      return void response.writeHead(404).end();
    }
    const request = new Request(new URL(url!, siteUrl), { method, headers: readHeaders(headers) });
    const isFile = Object.hasOwn(live.manifest, path);
    const answer =
      isFile && live.config['run_worker_first'] !== true
        ? answerFile(live, path)
        : await live.worker.fetch(request, openEnvironment(live));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(method === 'HEAD' ? undefined : Buffer.from(await answer.arrayBuffer()));
  }

  function openEnvironment(version: Version): object {
    return {
      ...version.vars,
      ...version.secrets,
      VERSION: { timestamp: '2026-01-01T00:00:00Z' },
      ASSETS: {
        fetch: (request: Request) =>
          Promise.resolve(answerFile(version, new URL(request.url).pathname)),
      },
    };
  }

  function answerFile({ manifest, headers }: Version, path: string): Response {
    const file = manifest[path];
    const body = file && new Uint8Array(contents.get(file.hash)!);
    return new Response(body, { status: body ? 200 : 404, headers: rulesFor(headers, path) });
  }
}

/** The program that was uploaded, which the host runs. */
function loadWorker(code: string): Worker {
  const file = join(temporaryFolder(), 'worker.mjs');
  writeFileSync(file, code);
  return (createRequire(import.meta.url)(file) as { default: Worker }).default;
}

function readHeaders(headers: IncomingMessage['headers']): Headers {
  return new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    ),
  );
}

function describe({ id }: Version): object {
  return {
    id,
    number: 1,
    annotations: {},
    metadata: {
      author_email: 'a@example.com',
      created_on: '2026-01-01T00:00:00Z',
      source: 'wrangler',
      has_preview: false,
    },
    resources: {
      bindings: [],
      script: { etag: 'e', handlers: ['fetch'] },
      script_runtime: { usage_model: 'standard' },
    },
    startup_time_ms: 1,
  };
}

/** The host's reading of `_headers`: later rules win here, as no two name the same header. */
function rulesFor(text: string, path: string): Record<string, string> {
  const headers: Record<string, string> = {};
  let applies = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('/')) {
      const [before, after] = line.split('*') as [string, string?];
      applies =
        after === undefined ? path === line : path.startsWith(before) && path.endsWith(after);
    } else if (applies && line.includes(': ')) {
      const [name, ...value] = line.trim().split(': ');
      headers[name!] = value.join(': ');
    }
  }
  return headers;
}

function parseForm(headers: IncomingMessage['headers'], body: Buffer): Promise<FormData> {
  return new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type']! },
  }).formData();
}

/** Wrangler reads the expiry of the tokens it is given. */
function makeToken(): string {
  return `${encode({ alg: 'none' })}.${encode({ exp: 4_000_000_000, id: randomUUID() })}.x`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function fail(response: ServerResponse, status: number, code: number, message: string): void {
  send(response, status, { success: false, errors: [{ code, message }], messages: [] });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
