import { expect, test } from 'vitest';
import { findHeaders, renderHeaders } from '../../src/site/headers.ts';

const common = {
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
};

test.each([
  ['svc.json', 'application/json'],
  ['data/journal/svc.ndjson', 'application/x-ndjson'],
  ['feed.atom', 'application/atom+xml'],
  ['sitemap.xml', 'application/xml'],
  ['assets/site.css', 'text/css; charset=utf-8'],
  ['assets/icon.svg', 'image/svg+xml'],
  ['support.ics', 'text/calendar; charset=utf-8'],
  ['release-index-1.0.0.tgz', 'application/gzip'],
  ['SHA256SUMS', 'text/plain; charset=utf-8'],
  ['latest/svc.unknown', 'text/plain; charset=utf-8'],
  ['api/v1/products/svc', 'application/json'],
  // A product's name may end like a file.
  ['api/v1/products/svc.html.old', 'application/json'],
])('the file %s has the media type %s, and may be kept for an hour', (path, type) => {
  expect(findHeaders(path)).toEqual({ 'content-type': type, ...common });
});

test('a page allows only scripts of its own site', () => {
  expect(findHeaders('components/svc.html')).toEqual({
    'content-type': 'text/html; charset=utf-8',
    ...common,
    'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'; /),
  });
});

test('_headers has the same rules for a host, each header once for a path', () => {
  const policy = findHeaders('x.html')['content-security-policy']!;

  expect(renderHeaders()).toBe(`\
/*
  cache-control: public, max-age=3600
  access-control-allow-origin: *
  x-content-type-options: nosniff
/*.html
  content-security-policy: ${policy}
/api/v1/*
  content-type: application/json
`);
});
