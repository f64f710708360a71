/** The program of the host that uploads: a version of the site as it expects one, and its start. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { inputError } from '../core/errors.ts';
import { formatJson, sha256 } from '../core/files.ts';

/** What a version at Cloudflare is made of. */
export interface WorkerSite {
  root: string;
  out: string;
  baseUrl: string;
  /** The content of site/access.json; absent for an index that asks for no credential. */
  access?: object | undefined;
  /** The Worker's secrets, by name; without them, the host keeps its own. */
  secrets?: Readonly<Record<string, string>> | undefined;
}

/** Below the index, for `wrangler deploy --config … --secrets-file …`. */
const folder = '.cache/wrangler';

/** Writes what wrangler reads. Throws an `InputError` for an address that Cloudflare cannot serve. */
export function writeConfig(site: WorkerSite): void {
  if (new URL(site.baseUrl).pathname !== '/') {
    const message = `releasesUrl: ${site.baseUrl} has a path; Cloudflare serves a site at the root of a name`;
    throw inputError('site/site.json', message);
  }

  const path = join(site.root, folder);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'wrangler.json'), formatJson(createConfig(site)));
  writeFileSync(join(path, 'secrets.json'), JSON.stringify(site.secrets ?? {}), { mode: 0o600 });
}

/**
 * `html_handling: none`: each file has its own address, without redirects. `not_found_handling: none`: what is no file reaches the
 * Worker, which also serves `/`. The rules of access are in the bundle, as a variable holds only 5 KB.
 */
function createConfig({ out, baseUrl, access }: WorkerSite): object {
  const { hostname, protocol } = new URL(baseUrl);
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
