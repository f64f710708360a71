/** Checks the limits of hosts before anything is sent. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../core/errors.ts';
import { listFiles } from '../core/files.ts';
import type { Settings } from '../core/schema/written.ts';
import { formatCount } from '../core/text.ts';

const bytesPerMiB = 2 ** 20;
const bytesPerGB = 1e9;

/**
 * Finds limits of a host that a site exceeds. A problem is a warning if the host may still accept it, for example on a paid plan. Sources:
 * - https://developers.cloudflare.com/workers/platform/limits/#static-assets
 * - https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits
 */
export function findExcess(
  host: Settings['hosting'] | 'folder',
  out: string,
  files = measureFiles(out),
): Problem[] {
  const count = formatCount(files.length, 'file');
  if (host === 'cloudflare') {
    const advice =
      'Publish this index at GitHub Pages or into a folder: "hosting" in site/site.json';
    const large = files.filter(({ bytes }) => bytes > 25 * bytesPerMiB);
    const problems = large.map(({ path, bytes }): Problem => ({
      subject: path,
      message: `has ${roundUp(bytes / bytesPerMiB)} MiB; Cloudflare accepts 25 MiB per file. ${advice}`,
    }));
    if (files.length > 100_000) {
      const message = `has ${count}; Cloudflare accepts 100,000. ${advice}`;
      return [...problems, { subject: out, message }];
    }
    if (files.length > 20_000) {
      const message = `has ${count}; the free plan of Cloudflare accepts 20,000, and Workers Paid 100,000`;
      return [...problems, { subject: out, message, level: 'warning' }];
    }
    return problems;
  }

  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (host === 'pages' && bytes > bytesPerGB) {
    const message = `has ${roundUp(bytes / bytesPerGB)} GB; GitHub Pages accepts 1 GB. Publish this index at Cloudflare or into a folder: "hosting" in site/site.json`;
    return [{ subject: out, message, level: 'warning' }];
  }
  return [];
}

function measureFiles(out: string) {
  return listFiles(out).map(({ path }) => ({ path, bytes: statSync(join(out, path)).size }));
}

/** Rounds up to a tenth, so that 25.01 MiB is not shown as 25 MiB. */
const roundUp = (value: number) => Math.ceil(value * 10) / 10;
