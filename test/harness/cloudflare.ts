import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { findHeaders } from '../../src/site/headers.ts';
import { listen } from './listen.ts';

/** A Worker version: one uploaded state of the site. */
interface Version {
  id: string;
  /** Hash and size of each file, by path. Paths start with a slash. */
  manifest: Record<string, { hash: string; size: number }>;
  /** The text of `_headers`. */
  headers: string;
  config: Record<string, unknown>;
  vars: Record<string, string>;
  /** Secrets by name. If an upload does not name a secret, its old value stays. */
  secrets: Record<string, string>;
}

interface Call {
  body: Buffer;
  headers: IncomingMessage['headers'];
  /** The last segment of the request's path. */
  id: string;
}

/**
 * Imitates the parts of Cloudflare's API that wrangler calls (developers.cloudflare.com/api): uploads by content hash, versions and
 * deployments. A second server serves the files of the live version, with the headers of `_headers`. No server runs the Worker.
 */
export async function startCloudflare() {
  const contents = new Map<string, Buffer>();
  const sessions = new Map<string, Version['manifest']>();
  const versions = new Map<string, Version>();
  const deployments: object[] = [];
  const api = await listen((request, response) => void answerApi(request, response));
  const site = await listen(answerSite);
  const cloudflare = {
    siteUrl: site,
    /** The environment variables that make wrangler call this server. */
    credentials: {
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: 'account',
      CLOUDFLARE_API_BASE_URL: `${api}/client/v4`,
    },
    /** One entry for each API request so far, such as `PUT /workers/scripts/index`. */
    calls: [] as string[],
    live: undefined as Version | undefined,
  };
  const subdomain = { enabled: false, previews_enabled: false };
  /** Answers by method and path. In these patterns, `script` stands for `/workers/scripts/<name>`. */
  const routes: readonly [RegExp, (call: Call) => unknown][] = [
    [/ \/workers\/services\//, describeService],
    [/ \/workers\/workers\//, () => ({ subdomain })],
    [/ \/workers\/assets\/upload$/, acceptContents],
    [/ script\/assets-upload-session$/, openSession],
    [/ script\/subdomain$/, () => subdomain],
    [/ script\/settings$/, () => ({ bindings: [] })],
    [/^PUT script$/, addWorker],
    [/^PUT script\/secrets$/, putSecret],
    [/^POST script\/versions$/, async (call) => describe(await addVersion(call))],
    [/ script\/versions\//, describe],
    [/^POST script\/deployments$/, addDeployment],
    [/^GET script\/deployments$/, () => ({ deployments })],
  ];
  return cloudflare;

  function readBytes(path: string): Buffer | undefined {
    const file = cloudflare.live?.manifest[`/${path}`];
    return file && contents.get(file.hash)!;
  }

  async function answerApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => Buffer.alloc(0));
    const path = request.url!.replace(/^\/client\/v4\/accounts\/[^/]+/, '').replace(/\?.*/, '');
    const call = `${request.method} ${path}`;
    cloudflare.calls.push(call);
    const route = call.replace(/\/workers\/scripts\/[^/]+/, 'script');
    const answer = routes.find(([pattern]) => pattern.test(route))?.[1];
    const id = path.split('/').at(-1)!;
    const result = await answer?.({ body, headers: request.headers, id });
    const errors =
      result === undefined ? [{ code: 10090, message: `the imitation knows no ${call}` }] : [];
    response.writeHead(errors.length > 0 ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: errors.length === 0, errors, messages: [], result }));
  }

  function describeService(): object | undefined {
    const environment = { environment: 'production', script: {} };
    return versions.size > 0 ? { default_environment: environment } : undefined;
  }

  async function addWorker(call: Call): Promise<object> {
    const { id } = await addVersion(call);
    deploy(id);
    return { id: 'x', deployment_id: id, startup_time_ms: 1 };
  }

  function putSecret({ body }: Call): object {
    const { name, text } = JSON.parse(String(body)) as { name: string; text: string };
    cloudflare.live!.secrets[name] = text;
    return {};
  }

  function addDeployment({ body }: Call): object {
    const { versions: chosen } = JSON.parse(String(body)) as { versions: { version_id: string }[] };
    deploy(chosen[0]!.version_id);
    return { id: randomUUID() };
  }

  function deploy(id: string): void {
    cloudflare.live = versions.get(id)!;
    deployments.unshift({
      ...origin,
      id: randomUUID(),
      versions: [{ version_id: id, percentage: 100 }],
    });
  }

  function openSession({ body }: Call): object {
    const { manifest } = JSON.parse(String(body)) as Pick<Version, 'manifest'>;
    const hashes = new Set(Object.values(manifest).map(({ hash }) => hash));
    const missing = [...hashes].filter((hash) => !contents.has(hash));
    const jwt = createToken();
    sessions.set(jwt, manifest);
    return { jwt, buckets: missing.length > 0 ? [missing] : [] };
  }

  async function acceptContents(call: Call) {
    for (const [hash, file] of (await parseForm(call)).entries()) {
      contents.set(hash, Buffer.from(await (file as File).text(), 'base64'));
    }
    return { jwt: call.headers.authorization!.replace('Bearer ', '') };
  }

  async function addVersion(call: Call): Promise<Version> {
    const form = await parseForm(call);
    const metadata = form.get('metadata')!;
    const text = typeof metadata === 'string' ? metadata : await metadata.text();
    const { assets, bindings } = JSON.parse(text) as {
      assets: { jwt: string; config: Record<string, unknown> };
      bindings: { type: string; name: string; text: string }[];
    };
    const select = (kind: string) =>
      Object.fromEntries(
        bindings.filter(({ type }) => type === kind).map(({ name, text }) => [name, text]),
      );
    const { _headers: rules = '', ...config } = assets.config;
    const version: Version = {
      id: randomUUID(),
      manifest: sessions.get(assets.jwt)!,
      headers: String(rules),
      config,
      vars: select('plain_text'),
      secrets: { ...cloudflare.live?.secrets, ...select('secret_text') },
    };
    versions.set(version.id, version);
    return version;
  }

  function answerSite({ url }: IncomingMessage, response: ServerResponse): void {
    const bytes = readBytes(url!.slice(1));
    if (bytes === undefined) {
      response.writeHead(404).end();
    } else {
      response.writeHead(200, findHeaders(url!)).end(bytes);
    }
  }
}

/** The author and the time of a version or deployment. Wrangler prints both. */
const origin = { author_email: 'a@example.com', created_on: '2026-01-01T00:00:00Z' };

/** Describes a version with the keys that wrangler reads. */
function describe({ id }: { id: string }): object {
  const resources = { script: {}, script_runtime: {} };
  return { id, annotations: {}, metadata: { ...origin, source: 'wrangler' }, resources };
}

function parseForm({ body, headers }: Call): Promise<FormData> {
  const type = headers['content-type']!;
  return new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
}

/** Creates an unsigned JWT, because wrangler reads the expiry of an upload token. */
function createToken(): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode({ exp: 4_000_000_000, id: randomUUID() })}.x`;
}
