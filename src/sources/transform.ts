/**
 * Transforms documents with JSONata, each in its own process. An expression may run for ever or take all memory. Only ending its process
 * stops it without harm to the run.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';

export interface Task {
  transform: string;
  document: unknown;
}

/** The answer of the process. `result` is absent if the expression selects nothing. */
export interface Outcome {
  result?: unknown;
  problem?: string;
}

/** Limits the number of processes. On a machine with few cores, starting many at once takes longer than their work. */
const limitProcesses = pLimit(4);
const maxMegabytes = 512;

/** Returns the result of a transform. Throws if the transform needs too much time or memory. */
export function transformJson(task: Task, limitMs = 10_000): Promise<unknown> {
  return limitProcesses(async () => {
    const cache = getCompileCacheDir();
    // In the published package, the modules are JavaScript. So the other module has the same file name extension as this one.
    const file = `transform-process${extname(import.meta.filename)}`;
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), [String(process.pid)], {
      execArgv: [`--max-old-space-size=${maxMegabytes}`],
      // With this cache of compiled code, Node need not compile the file of the process again. Otherwise it would remove the types from the
      // file each time, which takes longer than transforming most documents. The process gets no other variables, such as tokens.
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
      serialization: 'advanced',
      // Ignores the output of the process, because Node prints 40 lines if the memory is not enough.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const exited = new Promise<Exit>((resolve) => {
      child.once('exit', (status, signal) => resolve({ status, signal }));
    });
    const limit = AbortSignal.timeout(limitMs);
    try {
      // An error of `send` is ignored, because it means that the process has already ended. The next lines report that.
      child.send(task, () => undefined);
      const [outcome] = await Promise.race([
        once(child, 'message', { signal: limit }),
        // The channel closes after its last message. The event `exit` may come before this message.
        once(child, 'disconnect').then(async () => [{ problem: describeExit(await exited) }]),
      ]);
      return readOutcome(outcome);
    } catch (error) {
      throw limit.aborted ? new Error(`takes longer than ${limitMs / 1000} s`) : error;
    } finally {
      child.kill('SIGKILL');
    }
  });
}

interface Exit {
  status: number | null;
  signal: NodeJS.Signals | null;
}

/** Says why a process ended without an answer. If the memory is not enough, Node aborts the process. */
function describeExit({ status, signal }: Exit): string {
  // Windows has no signals. There, Node exits with the status of an abort: 128 + 6.
  const isAborted = signal === 'SIGABRT' || status === 134;
  return isAborted
    ? `takes more than ${maxMegabytes} MB`
    : `its process ended without an answer (${signal ?? `status ${status}`})`;
}

function readOutcome({ result, problem }: Outcome): unknown {
  if (problem !== undefined) {
    throw new Error(problem);
  }
  return result;
}
