/** What wrangler, the program of Cloudflare that uploads, reads of a site. */
import { extname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { inputError } from '../core/errors.ts';
import { sha256 } from '../core/files.ts';

/** What a version at Cloudflare is made of. */
interface WorkerSite {
  out: string;
  baseUrl: string;
  /** The content of site/access.json; absent for an index that asks for no credential. */
  access?: object | undefined;
}

/** Below the index, where git ignores it. */
export const configFile = '.cache/wrangler.json';
export const deployCommand = `npx wrangler deploy --config ${configFile}`;

/**
 * `html_handling: none`: each file has its own address, without redirects. `not_found_handling: none`: what is no file reaches the
 * Worker, which also serves `/`. The rules of access are in the bundle, as a variable holds only 5 KB. Secrets are not here: the host
 * keeps them from version to version. Throws an `InputError` for an address that Cloudflare cannot serve.
 */
export function createConfig({ out, baseUrl, access }: WorkerSite) {
  const { hostname, protocol, pathname } = new URL(baseUrl);
  if (pathname !== '/') {
    const message = `releasesUrl: ${baseUrl} has a path; Cloudflare serves a site at the root of a name`;
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
      RELEASE_INDEX_ACCESS: JSON.stringify(access ?? null),
      RELEASE_INDEX_VERSION: JSON.stringify(manifest.version),
    },
    assets: {
      directory: out,
      binding: 'ASSETS',
      html_handling: 'none',
      not_found_handling: 'none',
    },
  };
}

/** `svc-index` of svc-index.me.workers.dev; else a name of its own for each host: two sites in an account never replace each other. */
export function nameWorker(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  if (hostname.endsWith('.workers.dev')) {
    return hostname.slice(0, hostname.indexOf('.'));
  }

  const name = hostname.replaceAll('.', '-');
  return hostname.includes('-') || name.length > 63
    ? `${name.slice(0, 54)}-${sha256(hostname).slice(0, 8)}`
    : name;
}
