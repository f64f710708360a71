import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../../src/core/files.ts';
import { findHeaders } from '../../src/site/headers.ts';
import { listen } from './listen.ts';

/**
 * Serves a built site as a static file host does.
 * - `url`: ends with a slash
 * - `asked`: the paths of all requests so far
 */
export async function serveSite(folder: string) {
  const asked: string[] = [];
  const origin = await listen(({ url = '' }, response) => {
    asked.push(url);
    const path = decodeURIComponent(url.slice(1).replace(/\?.*/, '')) || 'index.html';
    // A host of files has no answer for a folder.
    const isFile = statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true;
    const body = isFile ? readFileSync(join(folder, path)) : undefined;
    const file = body ? path : '404.html';
    response.writeHead(body ? 200 : 404, findHeaders(file));
    response.end(body ?? readIfThere(join(folder, file)));
  });
  return { origin, url: `${origin}/`, asked };
}
