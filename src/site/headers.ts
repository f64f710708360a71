/** Lists the headers of files, for `_headers`, which the host reads, and for `preview`. */
import { getMimeType } from 'hono/utils/mime';

type Headers = Readonly<Record<string, string>>;

const common: Headers = {
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
};
const pages: Headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};
/** The media types of file extensions that Hono does not know. */
const types: Headers = {
  ndjson: 'application/x-ndjson',
  atom: 'application/atom+xml',
  svg: 'image/svg+xml',
  xml: 'application/xml',
  tgz: 'application/gzip',
};

/** The path of documents without a file extension, as clients of endoflife.date expect them. */
const extensionless = 'api/v1/';
const json: Headers = { 'content-type': 'application/json' };

export function findHeaders(path: string): Headers {
  const ending = path.split('.').at(-1) ?? '';
  return {
    'content-type': types[ending] ?? getMimeType(path) ?? 'text/plain; charset=utf-8',
    ...(path.startsWith(extensionless) && json),
    ...common,
    ...(ending === 'html' && pages),
  };
}

/** The file that the host reads and does not serve. */
export const unservedFile = '_headers';

/** Renders `_headers`, the rules for the host. No two rules set the same header for a path, because the host would join the two values. */
export function renderHeaders(): string {
  const byPath = { '/*': common, '/*.html': pages, [`/${extensionless}*`]: json };
  const rules = Object.entries(byPath).map(([path, headers]) => {
    const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
    return `${path}\n${lines.join('')}`;
  });
  return rules.join('');
}
