import { expect, test } from 'vitest';
import { expectSafeTarget, parseUrl } from '../../../src/sources/http/addresses.ts';

const local =
  'a.localhost 127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 0.0.0.0 [::1] [fe80::1] [::ffff:127.0.0.1]';

test.each(local.split(' '))(
  'rejects a redirect from a public host to the local address %s',
  (host) => {
    const target = new URL(`https://${host}/`);

    expect(() => expectSafeTarget(new URL('https://example.org/'), target)).toThrow(
      'an address in a local network',
    );
    expect(() => expectSafeTarget(new URL('https://10.0.0.1/'), target)).not.toThrow();
  },
);

test('refuses a redirect from https to http', () => {
  const plain = new URL('http://example.org/');

  expect(() => expectSafeTarget(new URL('https://example.org/'), plain)).toThrow('is not https:');
  expect(() => expectSafeTarget(plain, new URL('https://8.8.8.8/'))).not.toThrow();
});

test.each([
  'https://example.org/a#b',
  'http://127.0.0.1:80/',
  'http://[::1]/',
  'http://repo.test/',
])('accepts the address %s', (address) => {
  expect(parseUrl(['repo.test'], address).href).toBe(new URL(address).href.replace(/#.*/, ''));
});

test.each(['http://127.0.0.1.example.org/', 'ftp://example.org/', 'https://a:b@example.org/', 'x'])(
  'rejects the address %s',
  (address) => {
    expect(() => parseUrl([], address)).toThrow('expected https: without credentials');
  },
);
