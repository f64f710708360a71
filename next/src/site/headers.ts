/** Headers of files: what `_headers` tells the host, and what the preview serves. */
const common = {
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
};
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const types: Readonly<Record<string, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  atom: 'application/atom+xml',
  xml: 'application/xml',
  ics: 'text/calendar; charset=utf-8',
};

export function findHeaders(path: string): Record<string, string> {
  const extension = path.split('.').at(-1) ?? '';
  const type = types[extension] ?? 'text/plain; charset=utf-8';
  return {
    'content-type': type,
    ...common,
    ...(extension === 'html' && { 'content-security-policy': policy }),
  };
}

/** `_headers`: one rule a header and path, as the host joins them. */
export function renderHeaders(): string {
  const rules = [
    ['/*', common],
    ['/*.html', { 'content-security-policy': policy }],
  ] as const;
  return rules
    .map(
      ([path, headers]) =>
        `${path}\n${Object.entries(headers)
          .map(([name, value]) => `  ${name}: ${value}\n`)
          .join('')}`,
    )
    .join('');
}
