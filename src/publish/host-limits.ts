/** What a host refuses, known before anything is sent. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../core/errors.ts';
import { listFiles } from '../core/files.ts';
import type { Settings } from '../core/schema/written.ts';
import { formatCount } from '../core/text.ts';

const bytesPerMiB = 2 ** 20;
const bytesPerGB = 1e9;

/**
 * What a built site has more of than its host takes. A warning where the host may still take it: by its plan, or as long as it likes.
 * https://developers.cloudflare.com/workers/platform/limits/#static-assets,
 * https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits
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
      message: `has ${roundUp(bytes / bytesPerMiB)} MiB; Cloudflare takes 25 MiB a file. ${advice}`,
    }));
    if (files.length > 100_000) {
      const message = `has ${count}; Cloudflare takes 100,000. ${advice}`;
      return [...problems, { subject: out, message }];
    }
    if (files.length > 20_000) {
      const message = `has ${count}; the free plan of Cloudflare takes 20,000. Workers Paid takes 100,000`;
      return [...problems, { subject: out, message, level: 'warning' }];
    }
    return problems;
  }

  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (host === 'pages' && bytes > bytesPerGB) {
    const message = `has ${roundUp(bytes / bytesPerGB)} GB; GitHub Pages takes 1 GB. Publish this index at Cloudflare or into a folder: "hosting" in site/site.json`;
    return [{ subject: out, message, level: 'warning' }];
  }
  return [];
}

function measureFiles(out: string) {
  return listFiles(out).map(({ path }) => ({ path, bytes: statSync(join(out, path)).size }));
}

/** To a tenth: what is too much never looks as if it were not. */
const roundUp = (value: number) => Math.ceil(value * 10) / 10;
