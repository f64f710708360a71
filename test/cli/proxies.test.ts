/** Checks the proxy variables of the environment, in the spellings that people use. */
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { escapePattern } from '../../src/core/text.ts';
import { runCli, spawnCli } from '../harness/cli.ts';
import { listen } from '../harness/listen.ts';

const secure = 'https://releases.example.com';

test.each<
  [
    Record<string, string>,
    address: string,
    status: number,
    asked: readonly string[],
    output: string,
  ]
>([
  [
    { https_proxy: ' user:secret@HOST/ ' },
    secure,
    3,
    ['releases.example.com:443'],
    'cannot be read: ',
  ],
  [{ HTTP_PROXY: 'HOST' }, 'ORIGIN', 3, ['ORIGIN/SHA256SUMS'], 'it answered 403'],
  // An empty variable means no proxy.
  [
    { http_proxy: 'HOST', no_proxy: '127.0.0.1', HTTPS_PROXY: '' },
    'ORIGIN',
    1,
    [],
    'SHA256SUMS is missing',
  ],
])(
  'with %j in the environment, "verify %s" exits with %i and sends the proxy the requests %j',
  async (named, address, status, asks, says) => {
    const asked: (string | undefined)[] = [];
    const proxy = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(403).end();
    }).on('connect', ({ url }, socket) => {
      asked.push(url);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    const { host } = new URL(await listen(proxy));
    const origin = await listen((_, response) => response.writeHead(404).end());
    const proxies = Object.entries(named).map(([name, value]) => [
      name,
      value.replace('HOST', host),
    ]);
    const env = { PATH: process.env['PATH'], ...Object.fromEntries(proxies) };

    const run = spawnCli(['verify', address.replace('ORIGIN', origin), '--digests-only'], { env });

    const stderr = await run.stderr;
    expect(stderr).toMatch(new RegExp(`^error: .*${escapePattern(says)}.*\n$`));
    expect(stderr).not.toContain('secret');
    expect(asked).toEqual(asks.map((each) => each.replace('ORIGIN', origin)));
    expect(await run.ended).toEqual([status, null]);
  },
);

test.each([
  ['HTTPS_PROXY', 'http://'],
  ['http_proxy', 'ftp://secret@127.0.0.1'],
  ['HTTPS_PROXY', 'proxy:secret'],
])("an error about an invalid proxy hides the proxy's address: %s=%s", async (name, value) => {
  expect(await runCli(['verify', secure, '--digests-only'], { [name]: value })).toMatchObject({
    status: 2,
    stderr: `error: ${name}: expected the address of a proxy, such as http://proxy.example.com:3128\n`,
  });
});
