import { spawn, type ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { transformJson, type Task } from '../../src/sources/transform.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A time limit in milliseconds that a transform exceeds only if it hangs, even on a busy machine. */
const longMs = 240_000;
const endless = '($f := function($n) {$f($n + 1)}; $f(0))';
const digits = `${'1'.repeat(60)}!`;

test.each<[title: string, transform: string, document: unknown, limitMs?: number]>([
  ['searches without end', '$contains($, /^(v?\\d+\\.?)+$/)', digits, 300],
  ['calls itself without end', endless, 0, 300],
  ['takes all memory', '($f := function($l) {$f($l & $l)}; $f($))', digits],
  ['asks for more memory at once than it may have', '$pad("", 500000000, "x")', 0, 1000],
  [
    'splits a text that it doubled',
    '($f := function($t, $n) {$n = 0 ? $t : $f($t & $t, $n - 1)}; $split($f($, 24), ""))',
    'abcdefgh',
    1000,
  ],
])(
  'stops a transform that %s, and still runs the next transform',
  async (_, transform, document, limitMs) => {
    const stopped = transformJson({ transform, document }, limitMs);
    const other = transformJson({ transform: '{"a": $}', document: 1 }, longMs);

    await expect(stopped).rejects.toThrow();
    expect(await other).toEqual({ a: 1 });
  },
);

/** Starts a transform. Returns its process, too. */
async function start(task: Task) {
  const created = Promise.withResolvers<ChildProcess>();
  const onCreated = (message: unknown) =>
    created.resolve((message as { process: ChildProcess }).process);
  subscribe('child_process', onCreated);
  const result = transformJson(task, longMs);
  const child = await created.promise;
  unsubscribe('child_process', onCreated);
  return { child, result };
}

test('names the signal that ended a transform, instead of its memory', async () => {
  const { child, result } = await start({ transform: endless, document: 0 });
  setImmediate(() => child.kill('SIGTERM'));

  await expect(result).rejects.toThrow('its process ended without an answer (SIGTERM)');
});

test('names the exit status of a process that ended without an answer', async () => {
  const { child, result } = await start({ transform: endless, document: 0 });
  child.emit('exit', 3, null);
  child.disconnect();

  await expect(result).rejects.toThrow('its process ended without an answer (status 3)');
});

test('reads an answer that Node delivers after the exit of its process', async () => {
  const { child, result } = await start({ transform: '{"a": $}', document: 1 });
  child.emit('exit', 0, null);

  expect(await result).toEqual({ a: 1 });
});

test('ends the process of an endless transform if the run is killed', async () => {
  const transform = new URL('../../src/sources/transform.ts', import.meta.url);
  const run = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { subscribe } from 'node:diagnostics_channel';
    import { transformJson } from ${JSON.stringify(transform)};
    subscribe('child_process', ({ process: child }) => setImmediate(() => console.log(child.pid)));
    await transformJson({ transform: ${JSON.stringify(endless)}, document: 0 }, 1e9);`,
  ]);
  const [pid] = await once(run.stdout, 'data');
  run.kill('SIGKILL');

  await expect.poll(() => isRunning(Number(pid))).toBe(false);
});

/** Tells whether a process runs. On Linux, a process that nobody has waited for stays in the list, without its command. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

test('runs a transform without the environment of the run', async () => {
  vi.stubEnv('NODE_OPTIONS', '--no-such-option');
  expect(await transformJson({ transform: '$ + 1', document: 1 }, longMs)).toBe(2);
});
