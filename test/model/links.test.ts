import { expect, test } from 'vitest';
import { HttpsUrl, SiteUrl, UpstreamUrl } from '../../src/model/links.ts';

const isAccepted = (text: string) =>
  [HttpsUrl, UpstreamUrl, SiteUrl].map((schema) => schema.safeParse(text).success);

test.each([
  ['https://example.com/svc', [true, true, true]],
  ['https://my-products.example.com:8443/a%20b', [true, true, true]],
  ['https://example.com/list?all=1#top', [true, true, false]],
  ['https://example.com/{version}', [true, true, false]],
  ['http://127.0.0.1:4873/', [false, true, true]],
  ['http://localhost/', [false, true, true]],
  ['http://[::1]/', [false, true, true]],
])('the address %s is taken for a link, an upstream, a site: %j', (text, expected) => {
  expect(isAccepted(text)).toEqual(expected);
});

test.each([
  'http://example.com/',
  'http://127.0.0.1.example.com/',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'http://user@localhost/',
  'ftp://example.com/',
  'javascript:alert(1)',
  'HTTPS://example.com/',
  'https://example.com:99999/',
  'https://256.256.256.256/',
  'https://a b.example.com/',
  'https://example.com/"',
  "https://example.com/'",
  'https://example.com/<b>',
  'https://example.com/\\',
  'https://example.com/\n',
  'https://example.com/\u0085',
  'https://example.com/\uD800',
  `https://example.com/${'x'.repeat(1981)}`,
  'https://',
  '',
])('%j is no address of any kind', (text) => {
  expect(isAccepted(text)).toEqual([false, false, false]);
});
