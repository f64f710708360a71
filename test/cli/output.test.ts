import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toLogLine } from '../../src/core/text/foreign-text.ts';
import { ownProgram, runCli } from '../harness/cli.ts';
import { npmRegistry } from '../harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn } from '../harness/root.ts';
import { answer } from '../harness/upstream.ts';

const day = ['--as-of', '2026-06-01'];

/** A root whose only source, an npm registry, answers with this body. */
async function rootAsking(packageName: string, body: string): Promise<string> {
  const registry = await npmRegistry({
    [packageName]: (_request, response) => answer(response, 200, 'application/json', body),
  });
  const sources = [{ datasource: 'npm', packageName, registryUrl: registry.url }];
  return makeRoot({ 'components/svc.json': definition({ sources }) });
}

test('no text of an upstream begins a log line, moves the cursor or hides', async () => {
  const hostile =
    '1.0\n::stop-commands::t\r\n::add-mask::e\u001B[31m\u009B2J\u202E\u200B\u2028##[add-mask]e';
  const versions = { '1.1': {}, [hostile]: {}, '1.2': { deprecated: 5 } };
  const root = await rootAsking('agent', JSON.stringify({ name: 'agent', versions }));

  for (const env of [{}, { GITHUB_ACTIONS: 'true' }, { GITHUB_ACTIONS: 'true', CI: 'true' }]) {
    const run = await runCli(['gather', '--root', root, ...day], { env });

    expect(run.status).toBe(0);
    const said = run.stdout.replaceAll(/^::warning title=/gm, '') + run.stderr;
    expect(said).toContain('1.0');
    expect(said).not.toMatch(/^\s*::/m);
    expect(said).not.toContain('##[');
    expect(said).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/u);
  }
});

test.each([
  ['::stop-commands::t', '\\u003a:stop-commands::t'],
  ['  ::x', '  \\u003a:x'],
  ['a ##[x] ## [y]', 'a \\u0023\\u0023[x] ## [y]'],
  ['a\u001B\u{E0001}\u202Eb\nc', 'a\\u001b\\udb40\\udc01\\u202eb\\u000ac'],
  ['half \uD800', 'half \uFFFD'],
  ['2025.3: Größe “x” 日本', '2025.3: Größe “x” 日本'],
])('the output escapes %j to one line of visible characters', (written, line) => {
  expect(toLogLine(written)).toBe(line);
});

test('--json states the verb and its day', async () => {
  const users = [{ username: 'jane', email: 'jane@example.com' }];
  const root = makeRoot({
    'components/svc.json': definition(),
    'site/access.json': { protect: 'mcp', users },
  });

  const answers: unknown[] = [];
  for (const command of [
    ['start', ...day],
    ['sign'],
    ['publish', '--dry-run', ...day],
    ['key', 'new', '--user', 'jane', '--expires', '2026-12-31', ...day],
  ]) {
    const { stdout } = await runCli([...command, '--json', '--root', root]);
    answers.push(JSON.parse(stdout));
  }

  const asOf = '2026-06-01';
  expect(answers).toMatchObject([
    { verb: 'start', asOf },
    { verb: 'sign', asOf: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string },
    { verb: 'publish', asOf },
    { verb: 'key new', asOf },
  ]);
});

test('a closed standard error does not end the run', async () => {
  const root = await rootAsking(
    'agent',
    JSON.stringify({ name: 'agent', versions: { '1.0.0': {} } }),
  );
  const command = [process.execPath, ownProgram, 'gather', '--root', root, ...day];
  const child = spawn('sh', ['-c', 'read go; exec "$@" 2>&1', 'sh', ...command], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // The reader has gone before the program starts.
  await once(child.stdout.destroy(), 'close');
  child.stdin.end('\n');

  expect((await once(child, 'exit'))[0]).toBe(0);
  expect(readJsonIn(root, 'data/svc.json')).toMatchObject({ releases: [{ version: '1.0.0' }] });
});

test('the output reports a full device in a sentence and exits with 1', () => {
  const root = makeRoot({ 'components/svc.json': definition() });
  const full = openSync('/dev/full', 'w');

  const { status, stderr } = spawnSync(process.execPath, [ownProgram, 'check', '--root', root], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);

  expect([status, stderr]).toEqual([
    1,
    'error: standard output: no space left on device. The report is not complete; the work itself goes on.\n',
  ]);
});

test('NO_COLOR overrules FORCE_COLOR', async () => {
  const root = makeRoot({ 'components/Bad.json': definition() });

  const run = await runCli(['check', '--root', root], { env: { NO_COLOR: '1', FORCE_COLOR: '1' } });

  expect(run.stderr).toMatch(/^error: components\/Bad\.json: /);
});
