import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig } from '../../src/publish/wrangler.ts';
import { baseUrl, createFolder } from './index-folder.ts';

/** What is uploaded as the Worker of a site, in a new folder. */
export function bundleWorker(out: string): string {
  const folder = createFolder();
  const config = join(folder, 'wrangler.json');
  writeFileSync(config, JSON.stringify(createConfig({ out, baseUrl })));
  const words = ['wrangler', 'deploy', '--dry-run', '--config', config, '--outdir', folder];
  execFileSync('npx', ['--no', '--', ...words], { stdio: 'pipe' });
  return folder;
}

/** A built site in the runtime of the host, as it is published there. `access`: the content of `site/access.json`. */
export async function startWorker(
  out: string,
  { access, keys = [] }: { access?: object; keys?: readonly object[] } = {},
) {
  const dir = createFolder();
  const configPath = join(dir, 'wrangler.json');
  const config = createConfig({ out, baseUrl, access });
  const vars = { ...config.vars, RELEASE_INDEX_ACCESS_KEYS: JSON.stringify(keys) };
  // Without this, the runtime tells the Worker http, which no client of a site uses.
  const dev = { upstream_protocol: 'https' };
  writeFileSync(configPath, JSON.stringify({ ...config, vars, dev }));

  Object.assign(process.env, {
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_LOG_PATH: join(dir, 'logs'),
    WRANGLER_REGISTRY_PATH: join(dir, 'registry'),
  });
  // Files of tests that start no Worker import this one, too, and it takes as long as a hundred tests to load.
  const { createTestHarness } = await import('wrangler');
  const host = createTestHarness({ workers: [{ configPath }] });
  const { url } = await host.listen();
  return {
    /** On loopback, without a slash at its end. */
    url: url.origin,
    /** Asks at the address of the index. */
    // Wrangler has the types of undici.
    fetch: (path: string, init?: RequestInit) =>
      host.fetch(baseUrl + path, init as never) as unknown as Promise<Response>,
    close: () => host.close(),
  };
}
