import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles } from '../../src/core/files.ts';
import { createIndex } from '../harness/index-folder.ts';
import { startNginx } from '../harness/nginx.ts';
import { lacks } from '../harness/programs.ts';
import { startPreview } from './preview.ts';

const index = createIndex({ hosting: 'pages' });
index.write('program/release-index-1.0.0.tgz', 'a package');
for (const verb of ['build', 'sign']) {
  expect(await index.run(verb)).toMatchObject({ status: 0 });
}
const files = listFiles(index.out).map(({ path }) => path);
const paths = files.filter((path) => path !== '_headers');

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

/** The headers of the contract. */
function expectedHeaders(path: string): Record<string, string> {
  const extension = path.split('.').at(-1)!;
  return {
    ...common,
    'content-type': types[extension] ?? 'text/plain; charset=utf-8',
    ...(extension === 'html' && {
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/,
      ) as unknown as string,
    }),
  };
}

async function expectHeaders(origin: string): Promise<void> {
  for (const path of ['', ...paths]) {
    const { status, headers } = await fetch(`${origin}/${path}`, { method: 'HEAD' });
    const expected = expectedHeaders(path || 'index.html');
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
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  }
}

test('preview serves every path with the headers of the contract', async () => {
  await expectHeaders(await startPreview(index.root));
});

test('preview refuses pages of another origin, and other names of this computer', async () => {
  const origin = await startPreview(index.root);
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${origin}/svc.json`, { headers })).status;

  expect(await ask({ origin })).toBe(200);
  expect(await ask({ origin: 'https://example.com' })).toBe(403);
  expect(await ask({ origin: 'http://127.0.0.1:1' })).toBe(403);
});

test.skipIf(lacks('nginx'))(
  'nginx serves every path with the headers of the contract',
  async () => {
    const settings = resolve(import.meta.dirname, '../../site/servers/nginx.conf');
    const origin = await startNginx(index.out, settings);

    await expectHeaders(origin);
    expect((await fetch(`${origin}/_headers`)).status).toBe(404);
  },
);
