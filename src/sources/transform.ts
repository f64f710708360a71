/** Transforms documents by JSONata. Each transform has its own thread, because only ending a thread stops an expression that never ends. */
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';

export interface Task {
  transform: string;
  document: unknown;
}

/** On a machine with few cores, starting many threads at once takes longer than their work. */
const limitThreads = pLimit(4);

/** Returns the result of a transform. Throws if it exceeds a limit of time or memory. */
export function transformJson(task: Task, limitMs = 10_000): Promise<unknown> {
  return limitThreads(async () => {
    const cache = getCompileCacheDir();
    // In a package, these files are JavaScript.
    const file = `transform-thread${extname(import.meta.filename)}`;
    const thread = new Worker(new URL(file, import.meta.url), {
      workerData: task,
      execArgv: [],
      // A cache, because removing the types of its file takes longer than most documents.
      env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const limit = AbortSignal.timeout(limitMs);
    try {
      const [result] = await once(thread, 'message', { signal: limit });
      return result;
    } catch (error) {
      throw limit.aborted ? new Error(`takes longer than ${limitMs / 1000} s`) : error;
    } finally {
      await thread.terminate();
    }
  });
}
