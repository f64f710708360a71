import { afterEach, expect, test, vi } from 'vitest';
import { describeFault, findProxyFault } from '../../src/core/proxies.ts';

afterEach(() => vi.unstubAllEnvs());

/** Clears all variables of proxies, and sets the given ones. */
function stubProxies(variables: Record<string, string>): void {
  for (const name of ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']) {
    vi.stubEnv(name, variables[name]);
  }
}

test.each<
  [variables: Record<string, string>, url: string, message: string, fault: string | undefined]
>([
  [
    { HTTPS_PROXY: 'http://proxy.example.com:3128' },
    'https://example.com',
    'Proxy response (502) !== 200 when HTTP Tunneling',
    'the proxy of HTTPS_PROXY (proxy.example.com:3128) answered 502',
  ],
  [
    { http_proxy: 'http://user:secret@proxy.example.com' },
    'https://example.com',
    'Proxy Authentication Required (407)',
    'the proxy of http_proxy (proxy.example.com) answered 407. Correct the user and password in http_proxy',
  ],
  [
    { https_proxy: 'http://a.example.com', HTTPS_PROXY: 'http://b.example.com' },
    'https://example.com',
    'Proxy response (500)',
    'the proxy of https_proxy (a.example.com) answered 500',
  ],
  [
    { HTTPS_PROXY: 'http://a.example.com' },
    'http://example.com',
    'Proxy response (500)',
    undefined,
  ],
  [{ HTTPS_PROXY: 'http://a.example.com' }, 'https://example.com', 'other side closed', undefined],
  [{ HTTPS_PROXY: 'no address' }, 'https://example.com', 'Proxy response (500)', undefined],
  [{}, 'https://example.com', 'Proxy response (500)', undefined],
])(
  'with %j, a request to %s that fails with "%s" is the fault of %s',
  (variables, url, message, expected) => {
    stubProxies(variables);

    const fault = findProxyFault(new Error(message), url);

    expect(fault && describeFault(fault, 'refused')).toBe(expected);
  },
);

test('a proxy without an answer cannot be reached', () => {
  const fault = { proxy: 'the proxy of HTTP_PROXY (a:1)', host: 'a:1' };

  expect(describeFault(fault, 'refused')).toBe(
    'the proxy of HTTP_PROXY (a:1) cannot be reached: refused',
  );
});
