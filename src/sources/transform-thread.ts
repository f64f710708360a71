/** Runs in a thread of `transform.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import jsonata from 'jsonata';
import type { Task } from './transform.ts';

const { transform, document }: Task = workerData;
const limits = { stack: 500, sequence: 1_000_000 };
const result: unknown = await jsonata(transform, limits).evaluate(document);
// Lists of JSONata have extra keys, which JSON removes.
const plain = result === undefined ? result : JSON.parse(JSON.stringify(result));
// Without the empty transfer list, the linter takes this for a message to a window.
parentPort?.postMessage(plain, []);
