/** A server of a built site that sends what its `_headers` say. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listen } from './listen.ts';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
};

/** Serves a folder as a host of files does: with the headers of `_headers`, and 404.html for what is not there. */
export async function serveSite(folder: string): Promise<{ url: string; close: () => void }> {
  const rules = readHeaders(readFileSync(join(folder, '_headers'), 'utf8'));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname === '/' ? '/index.html' : decodeURIComponent(pathname);
    const isThere = existsSync(join(folder, path)) && statSync(join(folder, path)).isFile();
    const file = isThere ? path : '/404.html';
    const headers = rules.filter(({ pattern }) => pattern.test(file)).map(({ header }) => header);
    response.writeHead(isThere ? 200 : 404, {
      'content-type': types[file.split('.').at(-1)!] ?? 'application/json',
      ...Object.fromEntries(headers),
      'cache-control': 'no-store',
    });
    response.end(readFileSync(join(folder, file)));
  });
  const { origin, close } = await listen(server);
  return { url: `${origin}/`, close };
}

/** Lines of a path, each followed by indented headers. */
function readHeaders(text: string) {
  let pattern = /^$/;
  const rules: { pattern: RegExp; header: [string, string] }[] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [name = '', value = ''] = line.trim().split(/:\s+/, 2);
    if (/^\s/.test(line)) {
      rules.push({ pattern, header: [name, value] });
    } else {
      pattern = new RegExp(`^${line.trim().replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
    }
  }
  return rules;
}
