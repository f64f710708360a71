import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { listFiles } from '../../src/core/files.ts';
import { startCli } from '../harness/cli.ts';
import { today } from '../harness/index-folder.ts';

/**
 * Starts a preview of an index, and returns its address.
 * - `out`: the folder of the site
 * - `atEnd`: registers the function that stops the preview
 */
export async function startPreview(
  root: string,
  {
    out = join(root, 'dist'),
    atEnd = onTestFinished,
  }: { out?: string; atEnd?: (end: () => Promise<void>) => void } = {},
): Promise<string> {
  const words = ['preview', '--port', '0', '--root', root, '--out', out, '--as-of', today];
  const preview = startCli(words);
  atEnd(async () => {
    preview.stop();
    expect(await preview.ended).toMatchObject({ status: 0 });
  });
  return vi.waitFor(() => /http:\/\/[^/]+/.exec(preview.stdout())![0], { timeout: 120_000 });
}

const common = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=3600',
  'x-content-type-options': 'nosniff',
};
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  atom: 'application/atom+xml',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  tgz: 'application/gzip',
};

/** Returns the headers that CONTRACT promises for a path. */
function expectedHeaders(path: string, typed: boolean): Record<string, string> {
  // Documents under api/v1/ have no extension, because they imitate the addresses of another API.
  const extension = path.startsWith('api/v1/') ? 'json' : path.split('.').at(-1)!;
  return {
    ...common,
    ...(typed && { 'content-type': types[extension] ?? 'text/plain; charset=utf-8' }),
    ...(extension === 'html' && {
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/,
      ) as unknown as string,
    }),
  };
}

/**
 * Checks the headers of the home page, of every file and of a missing file. With `typed`, it also
 * checks media types.
 */
export async function expectHeaders(origin: string, out: string, typed = true): Promise<void> {
  const files = listFiles(out).map(({ path }) => path);
  for (const path of ['', ...files.filter((file) => file !== '_headers')]) {
    const { status, headers } = await fetch(`${origin}/${path}`, { method: 'HEAD' });
    const expected = expectedHeaders(path || 'index.html', typed);
    const got = Object.keys(expected).map((name) => [name, headers.get(name)]);

    expect({ path, status, ...Object.fromEntries(got) }).toEqual({
      path,
      status: 200,
      ...expected,
    });
  }

  for (const path of ['nothing', 'details/nothing.json']) {
    const { status, headers } = await fetch(`${origin}/${path}`);

    expect([path, status, headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
    if (typed) {
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  }
}
