import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestHarness } from 'wrangler';
import { describeHosting, createWorkerConfig } from '../../src/deliver/host/worker-config.ts';
import { findPublishedAt } from '../../src/deliver/publish/index-documents.ts';
import type { AccessConfig } from '../../src/core/schemas/access/access-config.ts';
import { temporaryFolder } from './root.ts';

export type ServedSite = Awaited<ReturnType<typeof serveSite>>;

/** A built site in the runtime of the host, with the Worker beside it. `vars`: what the Worker is told beside that; `access`: who may read the site. */
export async function serveSite(
  out: string,
  baseUrl = 'https://releases.example.com',
  vars: Readonly<Record<string, string>> = {},
  access?: AccessConfig,
) {
  const folder = temporaryFolder();
  const configPath = join(folder, 'wrangler.json');
  const hosting = describeHosting(baseUrl);
  const publishedAt = new Date(findPublishedAt(out)!).toISOString();
  const config = createWorkerConfig({ hosting, out, access, publishedAt }) as { vars: object };
  // The runtime would tell the Worker http, which no client of the site uses.
  const dev = { upstream_protocol: 'https' };
  // What is expected of an answer must not depend on the clock of the machine.
  const { asOf: TODAY } = JSON.parse(readFileSync(join(out, 'status.json'), 'utf8')) as {
    asOf: string;
  };
  writeFileSync(
    configPath,
    JSON.stringify({ ...config, dev, vars: { ...config.vars, TODAY, ...vars } }),
  );
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';
  process.env['WRANGLER_SEND_METRICS'] = 'false';
  process.env['WRANGLER_LOG_PATH'] = join(folder, 'logs');
  const host = createTestHarness({ workers: [{ configPath }] });
  const { url } = await host.listen();
  return {
    /** On loopback, with a slash at its end. */
    url: url.href,
    /** A request for an address of another host reaches the Worker, too. */
    fetch: (address: string, init?: RequestInit) =>
      host.fetch(address, init as never) as unknown as Promise<Response>,
    /** The Worker's console output. */
    logs: () => JSON.stringify(host.getLogs()),
    close: () => host.close(),
  };
}
