import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig } from '../../src/publish/wrangler.ts';
import { baseUrl, createFolder } from './index-folder.ts';

/** Bundles the Worker of a site as a deployment does. Returns the folder with the bundle. */
export function bundleWorker(out: string): string {
  const folder = createFolder();
  const config = join(folder, 'wrangler.json');
  writeFileSync(config, JSON.stringify(createConfig({ out, baseUrl })));
  const words = ['wrangler', 'deploy', '--dry-run', '--config', config, '--outdir', folder];
  execFileSync('npx', ['--no', '--', ...words], { stdio: 'pipe' });
  return folder;
}

/** Starts the Worker of a built site in workerd, as on Cloudflare. `access` is the content of `site/access.json`. */
export async function startWorker(
  out: string,
  { access, keys = [] }: { access?: object; keys?: readonly object[] } = {},
) {
  const dir = createFolder();
  const configPath = join(dir, 'wrangler.json');
  const config = createConfig({ out, baseUrl, access });
  const vars = { ...config.vars, RELEASE_INDEX_ACCESS_KEYS: JSON.stringify(keys) };
  // Makes the Worker see https: in the URL of each request, as it does on Cloudflare.
  const dev = { upstream_protocol: 'https' };
  writeFileSync(configPath, JSON.stringify({ ...config, vars, dev }));

  Object.assign(process.env, {
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_LOG_PATH: join(dir, 'logs'),
    WRANGLER_REGISTRY_PATH: join(dir, 'registry'),
  });
  // wrangler is imported only here, because it loads slowly, and some tests that import this file do not start a Worker.
  const { createTestHarness } = await import('wrangler');
  const host = createTestHarness({ workers: [{ configPath }] });
  const { url } = await host.listen();
  return {
    /** The Worker's address on loopback, without a slash at its end. */
    url: url.origin,
    /** Sends a request to the Worker, with the public address of the index. */
    // The casts are needed because wrangler uses undici's types.
    fetch: (path: string, init?: RequestInit) =>
      host.fetch(baseUrl + path, init as never) as unknown as Promise<Response>,
    close: () => host.close(),
  };
}
