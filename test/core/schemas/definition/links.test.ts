import { expect, test } from 'vitest';
import { HttpsUrl, SiteUrl, ServiceUrl } from '../../../../src/core/schemas/urls.ts';
import { describeProblems } from '../../../../src/core/schemas/problems.ts';

const isAccepted = (text: string) =>
  [HttpsUrl, ServiceUrl, SiteUrl].map((schema) => schema.safeParse(text).success);

test.each([
  ['https://example.com/svc', [true, true, true]],
  ['https://my-products.example.com:8443/a%20b', [true, true, true]],
  ['https://example.com/list?all=1#top', [true, true, false]],
  ['https://example.com/{version}', [true, true, false]],
  ["https://example.com/what's-new", [true, true, false]],
  ['https://example.com/a[1],d^f~+@:', [true, true, true]],
  ['https://[2001:db8::1]:8443/', [true, true, true]],
  ['https://bücher.example/straße', [true, true, true]],
  ['http://127.0.0.1:4873/', [false, true, true]],
  ['http://localhost/', [false, true, true]],
  ['http://[::1]/', [false, true, true]],
  ['http://[::ffff:127.0.0.1]/', [false, true, true]],
  ['http://[::ffff:7f:1:2]/', [false, false, false]],
  ['http://[::ffff:7f00:1:2]/', [false, false, false]],
])('the address %s is taken for a link, an upstream, a site: %j', (text, expected) => {
  expect(isAccepted(text)).toEqual(expected);
});

test.each([...'`$&;|()*!'])('the address of a site has no %s, which a shell reads', (character) => {
  expect(isAccepted(`https://example.com/a${character}b`)).toEqual([true, true, false]);
});

const percentEncoded =
  'expected an https: address in which white space, <, >, " and \\ are percent-encoded';

test.each([
  ['http://example.com/', 'expected an https: address'],
  ['http://127.0.0.1.example.com/', 'expected an https: address'],
  ['ftp://example.com/', 'expected an https: address'],
  ['javascript:alert(1)', 'expected an https: address'],
  ['', 'expected an https: address'],
  ['https://user@example.com/', 'expected an https: address without user name and password'],
  [
    'https://user:password@example.com/',
    'expected an https: address without user name and password',
  ],
  ['http://user@localhost/', 'expected an https: address without user name and password'],
  ['HTTPS://example.com/', 'expected an https: address'],
  ['https://example.com:99999/', 'expected an https: address with a valid host name and port'],
  ['https://256.256.256.256/', 'expected an https: address with a valid host name and port'],
  ['https://', 'expected an https: address with a valid host name and port'],
  ['https://a b.example.com/', percentEncoded],
  ['https://example.com/"', percentEncoded],
  ['https://example.com/<b>', percentEncoded],
  ['https://example.com/\\', percentEncoded],
  ['https://example.com/\n', percentEncoded],
  ['https://example.com/\u0085', percentEncoded],
  ['https://example.com/\uD800', percentEncoded],
  [`https://example.com/${'x'.repeat(1981)}`, 'Too big'],
])('%j is no address of any kind: %s', (text, reason) => {
  expect(isAccepted(text)).toEqual([false, false, false]);
  const messages = [HttpsUrl, ServiceUrl, SiteUrl].map(
    (schema) => schema.safeParse(text).error!.issues[0]!.message,
  );
  for (const message of messages) {
    expect(message).toContain(reason);
  }
});

test('the length of an address is checked first, and alone if it is wrong', () => {
  for (const start of ['https://user@example.com/', 'ftp://example.com/']) {
    const { error } = HttpsUrl.safeParse(start + 'x'.repeat(2000));

    expect(error?.issues).toMatchObject([{ code: 'too_big' }]);
  }
});

test.each([
  ['user:password@registry.example.com/npm', '…@registry.example.com/npm'],
  ['password@registry.example.com', '…@registry.example.com'],
  ['registry.example.com/npm?token=password', 'registry.example.com/npm?…'],
  ['//user:password@localhost/', '…@localhost/'],
  ['https://user:password@registry.example.com/', 'https://…@registry.example.com/'],
  ['pkg:npm/svc@1.0', 'pkg:npm/svc@1.0'],
  ['svc@2026.1', 'svc@2026.1'],
])('a message about the address %j shows %j', (text, shown) => {
  expect(describeProblems(text, ServiceUrl)).toEqual([expect.stringContaining(`; got "${shown}"`)]);
});
