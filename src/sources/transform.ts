/** Transforms documents by JSONata, each in a thread of its own: it may search without end, and nothing else can stop that. */
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';

export interface Task {
  transform: string;
  document: unknown;
}

/** A machine with few cores would start many threads for longer than they work. */
const limitThreads = pLimit(4);

/** The result. Fails if it is not there within a limit of time and memory. */
export function transformJson(task: Task, limitMs = 10_000): Promise<unknown> {
  return limitThreads(async () => {
    const cache = getCompileCacheDir();
    // In a package, these files are JavaScript.
    const file = `transform-thread${extname(import.meta.filename)}`;
    const thread = new Worker(new URL(file, import.meta.url), {
      workerData: task,
      execArgv: [],
      // Removing the types of its file anew takes longer than most documents.
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
