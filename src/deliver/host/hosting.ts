import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { moduleFile } from '../../io/program.ts';
import { sha256 } from '../../io/files/sha256.ts';

/** The settings of the host, derived from the address that the site is built for. */
export interface Hosting {
  /** Unique per address, so that two sites in one account never replace each other. */
  worker: string;
  /** The address, without a slash at its end. */
  baseUrl: string;
  /** `domain`: in a zone of the account; `workers.dev`: below the account's own name; `loopback`: for tests. */
  kind: 'domain' | 'workers.dev' | 'loopback';
}

const longestName = 63;

/** The address has no path. */
export function hostingFor(baseUrl: string): Hosting {
  const url = new URL(baseUrl);
  const { hostname } = url;
  if (hostname.endsWith('.workers.dev')) {
    return { worker: hostname.split('.')[0]!, baseUrl, kind: 'workers.dev' };
  }
  const worker = url.protocol === 'http:' ? dashed(hostname) : workerName(url.host);
  return { worker, baseUrl, kind: url.protocol === 'http:' ? 'loopback' : 'domain' };
}

/**
 * The name of the host with dashes. Another address gives the same where the name holds dashes of its own, a port, or is cut:
 * a digest distinguishes those, and a plain name stays as it always was.
 */
function workerName(host: string): string {
  const name = dashed(host);
  if (/^[a-z0-9.]+$/.test(host) && name.length <= longestName) return name;
  const digest = `-${sha256(host).slice(0, 8)}`;
  return `${name.slice(0, longestName - digest.length).replace(/-$/, '')}${digest}`;
}

function dashed(host: string): string {
  return host.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
}

export interface ConfigInput {
  hosting: Hosting;
  /** The built site. */
  out: string;
  /** The rules for readers; everybody may read where absent. */
  access?: AccessConfig | undefined;
  /** For a preview on this computer: what the Worker finds as secrets, as no host keeps any. */
  localSecrets?: Readonly<Record<string, string>> | undefined;
}

/**
 * Wrangler's configuration (developers.cloudflare.com/workers/wrangler/configuration), for preview and publication alike.
 * `html_handling: none`: every file is served under its own name without a redirect; the Worker serves `/`.
 * `not_found_handling: none`: a miss reaches the Worker, which alone can keep it from being cached.
 * The rules for readers are a part of the bundle: a variable of the host holds 5 KB, and is not bound to a version.
 */
export function wranglerConfig({ hosting, out, access, localSecrets }: ConfigInput): object {
  return {
    name: hosting.worker,
    main: moduleFile(`ask/worker/${localSecrets ? 'preview-worker' : access ? 'auth-worker' : 'worker'}`),
    compatibility_date: '2026-10-01',
    // For node:zlib, which can flush: a stream must not hold a message back.
    compatibility_flags: ['nodejs_compat'],
    minify: true,
    send_metrics: false,
    workers_dev: hosting.kind === 'workers.dev',
    preview_urls: false,
    ...(hosting.kind === 'domain' && {
      routes: [{ pattern: new URL(hosting.baseUrl).hostname, custom_domain: true }],
    }),
    vars: { BASE_URL: hosting.baseUrl, ...localSecrets },
    define: { RELEASE_INDEX_ACCESS: JSON.stringify(JSON.stringify(access ?? null)) },
    assets: {
      directory: out,
      binding: 'ASSETS',
      html_handling: 'none',
      not_found_handling: 'none',
      // The host serves no file before the Worker has let the request in.
      ...((localSecrets || access?.protect === 'everything') && { run_worker_first: true }),
    },
  };
}
