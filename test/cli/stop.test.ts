/** A signal ends every verb, also one that waits for a server which never answers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../harness/example.ts';
import { createIndex } from '../harness/index-folder.ts';
import { listen } from '../harness/listen.ts';
import { buildExample } from '../harness/site.ts';

const call = { name: 'find_releases', arguments: { query: 'isLatest' } };
const client = { name: 'x', version: '1' };
const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client };
const questions = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call },
];

test.each<[line: string, signal: 'SIGINT' | 'SIGTERM', answered?: RegExp]>([
  ['explain svc --index ORIGIN', 'SIGTERM'],
  ['search isLatest --index ORIGIN', 'SIGINT'],
  ['scan package.json --index ORIGIN', 'SIGTERM'],
  // Then it waits for standard input.
  ['scan - --index ORIGIN', 'SIGINT', /status|policies/],
  ['mcp --index ORIGIN', 'SIGINT'],
  ['mcp --index ORIGIN', 'SIGTERM', /status/],
  ['verify ORIGIN --digests-only', 'SIGINT'],
  ['publish --dry-run', 'SIGTERM'],
  ['gather', 'SIGINT'],
  ['plan', 'SIGTERM'],
  ['add json ORIGIN/x.json --homepage https://example.com', 'SIGINT'],
])('%s ends at a %s with 130', async (line, signal, answered = /^$/) => {
  const asked = Promise.withResolvers<void>();
  const origin = await listen(({ url = '' }, response) => {
    if (answered.test(url)) {
      response.end(readFileSync(join(buildExample(), url)));
    }
    if (!/status/.test(url) || !answered.test(url)) {
      asked.resolve();
    }
  });
  const index = createIndex({ releasesUrl: origin, signingPublicKey: undefined });
  const sources = [{ datasource: 'json', url: `${origin}/svc.json` }];
  index.edit('components/svc.json', (definition) => Object.assign(definition, { sources }));
  await index.run('build');

  const words = line.replace('ORIGIN', origin).split(' ');
  const args = [join(program, 'src/cli.js'), ...words, '--root', index.root];
  const child = spawn(process.execPath, args, { cwd: program, stdio: ['pipe', 'ignore', 'pipe'] });
  if (words[0] === 'mcp') {
    child.stdin.write(questions.map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
  let said = '';
  child.stderr.on('data', (text) => (said += String(text)));
  const ended = once(child, 'close');
  await Promise.race([asked.promise, ended]);
  child.kill(signal);

  expect(await ended).toEqual([130, null]);
  expect(said).toContain('notice: stopped: Earlier content is unchanged.\n');
});
