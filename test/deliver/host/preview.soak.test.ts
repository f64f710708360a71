import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkout } from '../../harness/checkout.ts';
import { headersFor } from '../../../src/site/render/headers.ts';
import { run } from '../../harness/run.ts';
import { makeSecretKey } from '../../harness/signing-key.ts';
import { addComponent, createRoot, type TestRoot } from '../../harness/root.ts';

let root: TestRoot;

beforeAll(async () => {
  root = createRoot();
  addComponent(root, 'svc', [{ version: '2026.1', releaseTimestamp: '2026-01-01' }]);
  expect((await run(['build', '--root', root.dir])).status).toBe(0);
});

afterAll(() => root.remove());

describe('a preview', () => {
  test('serves the built site as the host will, until it is interrupted', async () => {
    const { child, url } = await startPreview();

    const index = await fetch(url);
    expect(index.status).toBe(200);
    expect(index.headers.get('content-security-policy')).toBe(
      headersFor('index.html')!.get('Content-Security-Policy'),
    );
    const component = await fetch(new URL('svc.json', url));
    expect(component.headers.get('cache-control')).toBe('public, max-age=3600');
    const miss = await fetch(new URL('nothing.json', url));
    expect(miss.status).toBe(404);
    expect(miss.headers.get('cache-control')).toBe('no-store');

    child.kill('SIGINT');
    const [status] = (await once(child, 'exit')) as [number];
    expect(status).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
    expect(readdirSync(join(root.dir, '.cache/wrangler'))).toEqual([]);
  });

  test('of a private index asks for a key, as the host will', async () => {
    const users = [{ username: 'jane', email: 'jane@example.com' }];
    root.write('site/access.json', { protect: 'everything', users });
    await run(['build', '--root', root.dir]);
    const { stdout } = await run([
      'key',
      'new',
      '--root',
      root.dir,
      '--user',
      'jane',
      '--expires',
      '2999-01-01',
    ]);
    const { child, url } = await startPreview();
    const statusFor = async (authorization: string) =>
      (await fetch(new URL('svc.json', url), { headers: { authorization } })).status;

    const stranger = await fetch(new URL('svc.json', url));
    expect([stranger.status, stranger.headers.get('cache-control')]).toEqual([401, 'no-store']);
    expect(await statusFor(`Bearer ${stdout.trim()}`)).toBe(200);
    expect(await statusFor(`Bearer ${stdout.trim()}x`)).toBe(401);
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(join(root.dir, 'site/access.json'));
    await run(['build', '--root', root.dir]);
  });

  test('answers no page of another origin, and under no name but that of this computer', async () => {
    const { child, url } = await startPreview();
    const paths = ['', 'svc.json', 'api/components', 'nothing.json', 'mcp'];
    const statuses = (headers: Record<string, string>) =>
      Promise.all(
        paths.map(
          (path) =>
            new Promise((resolve, reject) => {
              const method = path === 'mcp' ? 'POST' : 'GET';
              request(new URL(path, url), { method, headers }, (response) => {
                response.resume();
                resolve(response.statusCode);
              })
                .on('error', reject)
                .end();
            }),
        ),
      );

    expect(await statuses({})).toEqual([200, 200, 200, 404, 415]);
    expect(await statuses({ Origin: 'http://localhost:3000' })).toEqual([200, 200, 200, 404, 415]);
    expect(await statuses({ Origin: 'https://evil.example' })).toEqual([403, 403, 403, 403, 403]);
    expect(await statuses({ Host: 'evil.example' })).toEqual([403, 403, 403, 403, 403]);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  test('follows a build', async () => {
    const { child, url } = await startPreview();
    expect(await (await fetch(new URL('latest/svc.txt', url))).text()).toBe('2026.1\n');

    addComponent(root, 'svc', [{ version: '2026.1' }, { version: '2026.2' }]);
    await run(['build', '--root', root.dir]);

    await expect
      .poll(async () => (await fetch(new URL('latest/svc.txt', url))).text(), { timeout: 20_000 })
      .toBe('2026.2\n');
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  test('serves a signature that is made while it runs', async () => {
    const { child, url } = await startPreview();
    const signature = new URL('SHA256SUMS.minisig', url);
    expect((await fetch(signature)).status).toBe(404);

    const key = makeSecretKey();
    const sign = () => run(['sign', '--root', root.dir], { RELEASE_INDEX_SIGNING_KEY: key });

    const signed = await sign();

    expect(signed.status, signed.stderr).toBe(0);
    await expect.poll(async () => (await fetch(signature)).status, { timeout: 20_000 }).toBe(200);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  test('ends with the npx that started it', async () => {
    // The shell in between, which npx ends; it does not pass the signal on.
    const { child, url } = await startPreview(['sh', '-c', '"$@"; true', 'sh'], { npm_command: 'exec' });
    expect((await fetch(url)).status).toBe(200);

    child.kill('SIGTERM');

    const isGone = () =>
      fetch(url).then(
        () => false,
        () => true,
      );
    await expect.poll(isGone, { timeout: 20_000 }).toBe(true);
    const left = () => readdirSync(join(root.dir, '.cache/wrangler'));
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  });

  test('says that it starts, and where it serves', async () => {
    const { child, lines } = await startPreview();
    const errors = text(child.stderr!);
    child.kill('SIGINT');
    await once(child, 'exit');

    expect(lines).toHaveLength(1);
    expect(await errors).toBe(starting);
  });

  test('names a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const result = await run(['preview', '--root', root.dir, '--port', String(port)]);

    expect(result.status).toBe(1);
    expect(result.stderr).toBe(
      `${starting}error: preview: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
    );
    server.close();
  });

  test('wants a site that is built, and a port that can be', async () => {
    const empty = createRoot();
    const result = await run(['preview', '--root', empty.dir]);
    expect(result.status).toBe(1);
    expect(result.stderr).toContain('dist: there is no built site. Build it: npx release-index build');
    empty.remove();

    const wrong = await run(['preview', '--root', root.dir, '--port', 'http']);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain('--port: expected a number from 0 to 65535; got "http"');
  });
});

const starting = 'preview: starting the runtime of the host, which takes some seconds\n';

async function startPreview(
  through: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; url: string; lines: string[] }> {
  const own = join(checkout, 'src/cli.js');
  const command = [...through, process.execPath, own, 'preview', '--root', root.dir, '--port', '0'];
  const child = spawn(command[0]!, command.slice(1), {
    env: { ...env, PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', CI: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout! });
  reader.on('line', (line) => lines.push(line));
  await once(reader, 'line');
  return { child, lines, url: /http:\S+/.exec(lines[0]!)![0] };
}
