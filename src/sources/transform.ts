/** Transforms documents by JSONata. Each transform has its own process, because only that ends an expression that never ends or takes all memory, and nothing else. */
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

/** What the process answers. `result` is absent if the transform has none. */
export interface Outcome {
  result?: unknown;
  problem?: string;
}

/** On a machine with few cores, starting many processes at once takes longer than their work. */
const limitProcesses = pLimit(4);
const maxMegabytes = 512;

/** Returns the result of a transform. Throws if it exceeds a limit of time or memory. */
export function transformJson(task: Task, limitMs = 10_000): Promise<unknown> {
  return limitProcesses(async () => {
    const cache = getCompileCacheDir();
    // In a package, these files are JavaScript.
    const file = `transform-process${extname(import.meta.filename)}`;
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
      execArgv: [`--max-old-space-size=${maxMegabytes}`],
      // A cache, because removing the types of its file takes longer than most documents.
      env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
      serialization: 'advanced',
      // Node describes a lack of memory in 40 lines.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const limit = AbortSignal.timeout(limitMs);
    try {
      // If it cannot be sent, the process has ended.
      child.send(task, () => undefined);
      const [outcome] = await Promise.race([
        once(child, 'message', { signal: limit }),
        once(child, 'exit').then(() => [{ problem: `takes more than ${maxMegabytes} MB` }]),
      ]);
      return readOutcome(outcome);
    } catch (error) {
      throw limit.aborted ? new Error(`takes longer than ${limitMs / 1000} s`) : error;
    } finally {
      child.kill('SIGKILL');
    }
  });
}

function readOutcome({ result, problem }: Outcome): unknown {
  if (problem !== undefined) {
    throw new Error(problem);
  }
  return result;
}
