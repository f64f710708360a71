/** Writes the configuration of wrangler, Cloudflare's CLI, which deploys the site. */
import { extname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { inputError } from '../core/errors.ts';
import { sha256 } from '../core/files.ts';

/** The parts of a deployment at Cloudflare. */
interface WorkerSite {
  out: string;
  baseUrl: string;
  /** The content of `site/access.json`. Absent if the index requires no credential. */
  access?: object | undefined;
}

/** The path of the configuration, in a folder that git ignores. */
export const configFile = '.cache/wrangler.json';
export const deployCommand = `npx wrangler deploy --config ${configFile}`;

/**
 * Creates the configuration. Throws an `InputError` for a URL that Cloudflare cannot serve. Contains no secrets, because Cloudflare keeps a
 * Worker's secrets from version to version.
 */
export function createConfig({ out, baseUrl, access }: WorkerSite) {
  const { hostname, protocol, pathname } = new URL(baseUrl);
  if (pathname !== '/') {
    const message = `releasesUrl: ${baseUrl} has a path, but Cloudflare serves a site at the root of a host name`;
    throw inputError('site/site.json', message);
  }

  const isOwnDomain = protocol === 'https:' && !hostname.endsWith('.workers.dev');
  return {
    name: nameWorker(baseUrl),
    main: join(import.meta.dirname, `../serve/worker${extname(import.meta.filename)}`),
    compatibility_date: '2026-10-01',
    compatibility_flags: ['nodejs_compat'],
    minify: true,
    keep_names: false,
    workers_dev: hostname.endsWith('.workers.dev'),
    preview_urls: false,
    send_metrics: false,
    ...(isOwnDomain && { routes: [{ pattern: hostname, custom_domain: true }] }),
    vars: { BASE_URL: baseUrl },
    define: {
      // The rules of `site/access.json` are in the bundle, because a variable can hold only 5 KB.
      RELEASE_INDEX_ACCESS: JSON.stringify(access ?? null),
      RELEASE_INDEX_VERSION: JSON.stringify(manifest.version),
    },
    assets: {
      directory: out,
      binding: 'ASSETS',
      // Each file has its own URL, without redirects.
      html_handling: 'none',
      // A request for a path without a file reaches the Worker, which also serves `/`.
      not_found_handling: 'none',
    },
  };
}

/**
 * Returns the name of the Worker: `svc-index` for svc-index.me.workers.dev. Every other host gets a name of its own, so that two sites in
 * an account never replace each other.
 */
export function nameWorker(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  if (hostname.endsWith('.workers.dev')) {
    return hostname.slice(0, hostname.indexOf('.'));
  }

  const name = hostname.replaceAll('.', '-');
  // Without a hash, a-b.example and a.b.example would get the same name.
  return hostname.includes('-') || name.length > 63
    ? `${name.slice(0, 54)}-${sha256(hostname).slice(0, 8)}`
    : name;
}
