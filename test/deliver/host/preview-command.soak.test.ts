import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addComponent, createRoot, type TestRoot } from '../../harness/root.ts';
import { startPreview, stopPreview, type Preview } from '../../harness/preview.ts';
import { run } from '../../harness/run.ts';

const starting = 'preview: starting the runtime of the host, which takes some seconds\n';
const workspaces = (root: TestRoot) => readdirSync(join(root.dir, '.cache/wrangler'));
const root = createRoot();
let preview: Preview;

beforeAll(async () => {
  addComponent(root, 'svc', [{ version: '2026.1', releaseTimestamp: '2026-01-01' }]);
  expect((await run(['build', '--root', root.dir])).status).toBe(0);
  preview = await startPreview(root);
});

afterAll(() => void preview.child.kill('SIGKILL'));

test.each([
  [{}, [200, 200, 200, 404, 400]],
  [{ Origin: 'http://localhost:3000' }, [200, 200, 200, 404, 400]],
  [{ Origin: 'https://other.example' }, [403, 403, 403, 403, 403]],
  [{ Host: 'other.example' }, [403, 403, 403, 403, 403]],
])('a preview answers only this computer: %j', async (headers, expected) => {
  const statuses = ['', 'svc.json', 'api/components', 'nothing.json', 'mcp'].map(async (path) => {
    const asked = request(new URL(path, preview.url), {
      method: path === 'mcp' ? 'POST' : 'GET',
      headers,
    });
    const [response] = (await once(asked.end(), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  });

  expect(await Promise.all(statuses)).toEqual(expected);
});

test('a preview follows a build', async () => {
  const latest = async () => (await fetch(new URL('latest/svc.txt', preview.url))).text();
  expect(await latest()).toBe('2026.1\n');
  addComponent(root, 'svc', [{ version: '2026.1' }, { version: '2026.2' }]);

  await run(['build', '--root', root.dir]);

  await expect.poll(latest).toBe('2026.2\n');
});

test('a preview prints its address, and an interruption ends it without traces', async () => {
  expect(await stopPreview(preview, 'SIGINT')).toBe(0);

  expect(preview.lines).toHaveLength(1);
  expect(await preview.errors).toBe(starting);
  await expect(fetch(preview.url)).rejects.toThrow();
  expect(workspaces(root)).toEqual([]);
});

test('a preview of a private index asks for a key, as the host will', async () => {
  const closed = createRoot();
  const users = [{ username: 'jane', email: 'jane@example.com' }];
  closed.write('site/access.json', { protect: 'everything', users });
  addComponent(closed, 'svc', [{ version: '2026.1' }]);
  await run(['build', '--root', closed.dir]);
  const owner = ['--user', 'jane', '--expires', '2999-01-01'];
  const { stdout } = await run(['key', 'new', '--root', closed.dir, ...owner]);
  const served = await startPreview(closed);
  const ask = (headers = {}) => fetch(new URL('svc.json', served.url), { headers });

  const stranger = await ask();
  const answers = await Promise.all(
    ['', 'x'].map((end) => ask({ authorization: `Bearer ${stdout.trim()}${end}` })),
  );
  await stopPreview(served);

  expect([stranger.status, stranger.headers.get('cache-control')]).toEqual([401, 'no-store']);
  expect(answers.map(({ status }) => status)).toEqual([200, 401]);
});

test('a preview ends with the npx that started it', async () => {
  // npx ends the shell in between, which does not pass the signal on.
  const { child, url } = await startPreview(root, ['sh', '-c', '"$@"; true', 'sh'], {
    npm_command: 'exec',
  });
  expect((await fetch(url)).status).toBe(200);

  child.kill('SIGTERM');

  const isGone = () =>
    fetch(url).then(
      () => false,
      () => true,
    );
  await expect.poll(isGone).toBe(true);
  await expect.poll(() => workspaces(root)).toEqual([]);
});

test('preview names a port that is taken, a missing site and a malformed port', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = ({ dir }: TestRoot, ...args: string[]) => run(['preview', '--root', dir, ...args]);

  const taken = await ask(root, '--port', String(port));
  const empty = await ask(createRoot());
  const wrong = await ask(root, '--port', 'http');
  server.close();

  expect([taken.status, empty.status, wrong.status]).toEqual([1, 1, 2]);
  expect(taken.stderr).toBe(
    `error: preview: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
  );
  expect(empty.stderr).toContain('dist: there is no built site. Run: npx release-index build');
  expect(wrong.stderr).toContain('--port: expected a number from 0 to 65535; got "http"');
});
