import type { AccessConfig } from '../../core/schemas/access/access-config.ts';
import { spellComponentName } from '../../core/schemas/definition/component-name.ts';
import { sha256 } from '../../io/files/file-system.ts';
import { resolveModule } from '../../io/program.ts';

export interface WorkerInput {
  hosting: Hosting;
  /** The built site. */
  out: string;
  /** The access rules; absent for a public site. */
  access?: AccessConfig | undefined;
  /** Since when the newest run of the site is public, if it is already. */
  publishedAt?: string | undefined;
  /** For a local preview only: the secrets of the Worker, as no host keeps them. */
  localSecrets?: Readonly<Record<string, string>> | undefined;
}

/**
 * Wrangler's configuration (developers.cloudflare.com/workers/wrangler/configuration) for preview and publication.
 * `html_handling: none`: the host serves every file under its own name without a redirect; the Worker serves `/`.
 * `not_found_handling: none`: a missing path reaches the Worker, since only the Worker can keep the answer from being cached.
 * The access rules are in the bundle: a variable of the host holds only 5 KB and is not tied to a version.
 */
export function createWorkerConfig(input: WorkerInput): object {
  const { hosting, out, access, publishedAt, localSecrets } = input;
  const { hostname } = new URL(hosting.baseUrl);
  const publishedWorker = access ? 'auth-worker' : 'worker';

  return {
    name: hosting.worker,
    main: resolveModule(`ask/server/worker/${localSecrets ? 'preview-worker' : publishedWorker}`),
    compatibility_date: '2026-10-01',
    // For node:zlib, which can flush: compression must not delay a streamed message.
    compatibility_flags: ['nodejs_compat'],
    minify: true,
    workers_dev: hosting.kind === 'workers.dev',
    preview_urls: false,
    routes: hosting.kind === 'domain' ? [{ pattern: hostname, custom_domain: true }] : undefined,
    vars: { BASE_URL: hosting.baseUrl, PUBLISHED_AT: publishedAt, ...localSecrets },
    version_metadata: { binding: 'VERSION' },
    define: { RELEASE_INDEX_ACCESS: JSON.stringify(JSON.stringify(access ?? null)) },
    assets: {
      directory: out,
      binding: 'ASSETS',
      html_handling: 'none',
      not_found_handling: 'none',
      // The Worker must authorize a request before the host serves any file.
      run_worker_first: Boolean(localSecrets) || access?.protect === 'everything',
    },
  };
}

/** The settings of the host, derived from the address of the site. */
interface Hosting {
  /** Unique per address: two sites in one account must never replace each other. */
  worker: string;
  /** The address, without a trailing slash. */
  baseUrl: string;
  /** `domain`: in a zone of the account; `workers.dev`: the account's subdomain; `loopback`: for tests. */
  kind: 'domain' | 'workers.dev' | 'loopback';
}

const maxNameLength = 63;

/** Expects an address without a path. */
export function describeHosting(baseUrl: string): Hosting {
  const url = new URL(baseUrl);
  const { hostname } = url;
  if (hostname.endsWith('.workers.dev')) {
    return { worker: hostname.slice(0, hostname.indexOf('.')), baseUrl, kind: 'workers.dev' };
  }

  return url.protocol === 'http:'
    ? { worker: spellComponentName(hostname), baseUrl, kind: 'loopback' }
    : { worker: createWorkerName(url.host), baseUrl, kind: 'domain' };
}

/**
 * The host name with dashes in place of dots. A host with dashes, a port or a long name gets a digest, since another address
 * could give the same name.
 */
function createWorkerName(host: string): string {
  const name = spellComponentName(host);
  if (/^[a-z0-9.]+$/.test(host) && name.length <= maxNameLength) {
    return name;
  }

  const digest = `-${sha256(host).slice(0, 8)}`;
  return `${name.slice(0, maxNameLength - digest.length).replace(/-$/, '')}${digest}`;
}
