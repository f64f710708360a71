/** Transforms documents by JSONata, each in a thread of its own: it may search without end, and nothing else can stop that. */
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import jsonata from 'jsonata';
import pLimit from 'p-limit';

interface Task {
  transform: string;
  document: unknown;
}

/** A machine with few cores would start many threads for longer than they work. */
const limitThreads = pLimit(4);

/** The result. Fails if it is not there within a limit of time and memory. */
export function transformJson(task: Task, limitMs = 10_000): Promise<unknown> {
  return limitThreads(async () => {
    const cache = getCompileCacheDir();
    // This file itself: it has another ending in a package.
    const thread = new Worker(new URL(import.meta.url), {
      workerData: task,
      execArgv: [],
      // Removing the types of this file anew takes longer than most documents.
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

if (parentPort && workerData?.transform) {
  const { transform, document }: Task = workerData;
  const limits = { stack: 500, sequence: 1_000_000 };
  const result: unknown = await jsonata(transform, limits).evaluate(document);
  // The lists of JSONata are not plain.
  // No transfer list: without it, the linter takes this for a message to a window.
  parentPort.postMessage(result === undefined ? result : JSON.parse(JSON.stringify(result)), []);
}
