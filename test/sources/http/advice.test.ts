/** Checks messages about failures that a credential or a proxy causes. Each message must name the variable to correct. */
import { createServer } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { createHttp } from '../../../src/sources/http/client.ts';
import { nameVariables } from '../../../src/sources/http/credentials.ts';
import { listen } from '../../harness/listen.ts';
import { reply, startUpstream } from '../../harness/upstream.ts';

afterEach(() => vi.unstubAllEnvs());

async function fail(url: string, env: NodeJS.ProcessEnv = {}, more: object = {}): Promise<string> {
  const { signal } = new AbortController();
  const sleep = () => Promise.resolve();
  const http = createHttp({ repositoryUrl: 'https://example.com', env, signal, sleep });
  const message = await http.fetch({ url, ...more }).then(
    () => '',
    (error: Error) => error.message,
  );
  await http.close();
  return message;
}

test.for<[title: string, status: number, isSet: boolean, advice: string]>([
  [
    'refused',
    401,
    true,
    'The credential of VARIABLE was refused. It may have expired, or it gives no access.',
  ],
  ['missing', 401, false, 'If it is private, set VARIABLE to a credential that gives access.'],
  ['without access', 403, true, 'The credential of VARIABLE gives no access.'],
])(
  'the error names the environment variable for a credential that is %s',
  async ([, status, isSet, advice]) => {
    const { url } = await startUpstream(() => reply(status));
    const variable = nameVariables([new URL(url)]);

    const message = await fail(url, isSet ? { [variable]: 'Bearer old' } : {});

    expect(message.replace(variable, 'VARIABLE')).toBe(`GET ${url} answered ${status}. ${advice}`);
  },
);

test('if the request limit is used up, the error names the environment variable of the credential', async () => {
  const { url } = await startUpstream(() => reply(403, { 'retry-after': '3600' }));
  const variable = nameVariables([new URL(url)]);

  expect(await fail(url, { [variable]: 'Bearer old' })).toContain(
    `The limit on requests is used up; even with the credential of ${variable}.`,
  );
});

test.for([true, false])(
  'if a registry gives no token for an image, the error names the environment variables for credentials',
  async (isSet) => {
    const tokens = await startUpstream(() => reply(401));
    const realm = new URL(tokens.url);
    const challenge = `Bearer realm="${realm.href}token",service="x"`;
    const { url } = await startUpstream(() => reply(401, { 'www-authenticate': challenge }));
    const names = [new URL(url), realm].map((each) => nameVariables([each]));
    const env = Object.fromEntries(isSet ? names.map((name) => [name, 'Basic eDp5']) : []);

    expect(await fail(url, env, { tokenScope: 'repository:a/b:pull' })).toBe(
      `GET ${url} failed: ${realm.href}token gave no token for repository:a/b:pull (401). ${
        isSet
          ? `The credential of ${names[1]} was refused. It may have expired, or it gives no access.`
          : `If it is private, set ${names.join(' and ')} to a credential that gives access.`
      }`,
    );
  },
);

/** Starts a proxy that answers every request with a status. */
async function startProxy(status: number): Promise<URL> {
  const url = await listen((_, response) => response.writeHead(status).end());
  return new URL(url);
}

test.for(['http', 'https'])(
  'the error names a proxy that asks for a password: the scheme %s',
  async (scheme) => {
    const server = createServer((_, response) => response.writeHead(407).end());
    server.on('connect', (_, socket) => {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const name = `${scheme.toUpperCase()}_PROXY`;
    vi.stubEnv(name, `http://user:wrong@127.0.0.1:${port}`);
    vi.stubEnv('NO_PROXY', '');

    const host = scheme === 'http' ? 'localhost' : 'registry.invalid';
    const message = await fail(`${scheme}://${host}/a`);
    server.close();

    expect(message).toContain(
      `failed: the proxy of ${name} (127.0.0.1:${port}) answered 407. Correct the user and password in ${name}`,
    );
    expect(message).not.toContain('wrong');
  },
);

test.for(['http', 'https'])(
  'the error names a proxy that is down: the scheme %s',
  async (scheme) => {
    const name = `${scheme.toUpperCase()}_PROXY`;
    vi.stubEnv(name, 'http://127.0.0.1:1');
    vi.stubEnv('NO_PROXY', '');

    const host = scheme === 'http' ? 'localhost' : 'registry.invalid';
    expect(await fail(`${scheme}://${host}/a`)).toContain(
      `failed: the proxy of ${name} (127.0.0.1:1) cannot be reached: connection refused (ECONNREFUSED)`,
    );
  },
);

test('the error names no proxy if the host itself is down', async () => {
  vi.stubEnv('HTTP_PROXY', (await startProxy(200)).href);
  vi.stubEnv('NO_PROXY', '127.0.0.1');

  expect(await fail('http://127.0.0.1:1/a')).toContain('failed: connection refused');
});
