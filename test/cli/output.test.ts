import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toLogLine } from '../../src/core/text.ts';
import { linesOf, runCli } from '../harness/cli.ts';
import { npmRegistry } from '../harness/npm-registry.ts';
import { definition, makeRoot, pathsIn } from '../harness/root.ts';

const program = new URL('../../src/cli.js', import.meta.url).pathname;
const day = ['--as-of', '2026-06-01'];

/** An npm registry whose answer says what it likes. */
async function rootAsking(packageName: string, body: string): Promise<string> {
  const registry = await npmRegistry({
    [packageName]: (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  });
  return makeRoot({
    'components/svc.json': definition({
      sources: [{ datasource: 'npm', packageName, registryUrl: registry.url }],
    }),
  });
}

test('no text of an upstream begins a log line, moves the cursor or hides', async () => {
  const hostile = '1.0\n::stop-commands::t\r\n::add-mask::e\u001B[31m\u009B2J\u202E\u200B\u2028##[add-mask]e';
  const versions = { '1.1': {}, [hostile]: {}, '1.2': { deprecated: 5 } };
  const root = await rootAsking('agent', JSON.stringify({ name: 'agent', versions }));

  for (const env of [{}, { GITHUB_ACTIONS: 'true' }, { GITHUB_ACTIONS: 'true', CI: 'true' }]) {
    const run = await runCli(['gather', '--root', root, ...day], { env });

    expect(run.status).toBe(0);
    const text = run.stdout.replaceAll(/^::warning title=/gm, '') + run.stderr;
    expect(text).toContain('1.0');
    expect(text).not.toMatch(/^\s*::/m);
    expect(text).not.toContain('##[');
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/u);
  }
});

test('the output escapes a text to one line of visible characters', () => {
  expect(toLogLine('::stop-commands::t')).toBe('\\u003a:stop-commands::t');
  expect(toLogLine('  ::x')).toBe('  \\u003a:x');
  expect(toLogLine('a ##[x] ## [y]')).toBe('a \\u0023\\u0023[x] ## [y]');
  expect(toLogLine('a\u001B\u{E0001}\u202Eb\nc')).toBe('a\\u001b\\ue0001\\u202eb\\u000ac');
  expect(toLogLine('half \uD800')).toBe('half \uFFFD');
  expect(toLogLine('2025.3: Größe “x” 日本')).toBe('2025.3: Größe “x” 日本');
});

test('a closed standard error does not end the run', async () => {
  const names = ['a', 'b', 'c'];
  const registry = await npmRegistry(Object.fromEntries(names.map((name) => [name, { '1.0.0': {} }])));
  const root = makeRoot(
    Object.fromEntries(
      names.map((packageName) => [
        `components/${packageName}.json`,
        definition({ sources: [{ datasource: 'npm', packageName, registryUrl: registry.url }] }),
      ]),
    ),
  );
  // Whoever reads is gone before the program says its first word.
  const child = spawn(
    'sh',
    [
      '-c',
      '{ sleep 0.3; "$@" 2>&1; echo "status $?" >&3; } 3>&2 | true',
      'sh',
      process.execPath,
      program,
    ].concat('gather', '--root', root, ...day),
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));

  await once(child, 'close');

  expect(said).toBe('status 0\n');
  expect(pathsIn(`${root}/data`).filter((path) => !path.includes('/'))).toEqual([
    'a.json',
    'b.json',
    'c.json',
  ]);
});

test('the output reports a full device in a sentence and exits with 1', async () => {
  const root = makeRoot({ 'components/svc.json': definition() });
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [program, 'check', '--root', root], {
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));

  const [status] = (await once(child, 'close')) as [number];

  expect(status).toBe(1);
  expect(linesOf(stderr)).toEqual([
    'error: standard output: no space left on device. The report is not complete; the work itself was done.',
  ]);
});

test('NO_COLOR overrules FORCE_COLOR', async () => {
  const root = makeRoot({ 'components/Bad.json': definition() });

  const run = await runCli(['check', '--root', root], { env: { NO_COLOR: '1', FORCE_COLOR: '1' } });

  expect(run.stderr).toMatch(/^error: components\/Bad\.json: /);
});
