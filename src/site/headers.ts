/** Headers of files: what `_headers` tells the host, and what the preview serves. */
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
const types: Headers = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  atom: 'application/atom+xml',
  xml: 'application/xml',
  ics: 'text/calendar; charset=utf-8',
  tgz: 'application/gzip',
};

export function findHeaders(path: string): Headers {
  const ending = path.split('.').at(-1) ?? '';
  return {
    'content-type': types[ending] ?? 'text/plain; charset=utf-8',
    ...common,
    ...(ending === 'html' && pages),
  };
}

/** `_headers`: each header is in one rule for a path, since the host joins them. */
export function renderHeaders(): string {
  const rules = Object.entries({ '/*': common, '/*.html': pages }).map(([path, headers]) => {
    const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
    return `${path}\n${lines.join('')}`;
  });
  return rules.join('');
}
