/** Calls the MCP tools over standard input and output, as agents do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { program } from '../../harness/example.ts';
import { createIndex, today } from '../../harness/index-folder.ts';

const envelope = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

test('a running mcp command answers from the newest build', async () => {
  const index = createIndex();
  await index.run('build');
  const start = [join(program, 'src/cli.js'), 'mcp', '--out', index.out];
  const child = spawn(process.execPath, start, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ask = async (method: string, params: object = {}) => {
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, ...envelope } };
    child.stdin.write(`${JSON.stringify(message)}\n`);
    const { value } = (await lines.next()) as { value: string };
    return JSON.parse(value) as { result: { structuredContent: object } };
  };
  const check = async (text: string) => {
    const call = { name: 'check_versions', arguments: { text } };
    return (await ask('tools/call', call)).result;
  };

  expect(await ask('server/discover')).toMatchObject({
    result: {
      ttlMs: 86_400_000,
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { version: manifest.version } },
    },
  });
  expect(await ask('tools/list')).toMatchObject({
    result: { ttlMs: 86_400_000, cacheScope: 'public' },
  });
  for (const method of ['subscriptions/listen', 'resources/list']) {
    expect(await ask(method, { notifications: {} })).toMatchObject({
      error: { code: -32_601, message: 'Method not found' },
    });
  }
  expect((await check('svc 2025.1.4')).structuredContent).toMatchObject({
    asOf: today,
    items: [{ state: 'ends-soon' }],
  });
  await index.run('build', '--as-of', '2026-11-22');
  expect((await check('svc 2025.1.4')).structuredContent).toMatchObject({
    asOf: '2026-11-22',
    items: [{ state: 'ended' }],
  });

  child.stdin.end();
  await once(child, 'exit');
});
