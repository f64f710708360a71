/** Transforms one document, in a process that `transform.ts` starts. */
import jsonata from 'jsonata';
import type { Outcome, Task } from './transform.ts';

const limits = { stack: 500, sequence: 1_000_000 };

process.once('message', (task: Task) => {
  void evaluate(task).then((outcome) => process.send?.(outcome));
});

async function evaluate({ transform, document }: Task): Promise<Outcome> {
  try {
    const result: unknown = await jsonata(transform, limits).evaluate(document);
    // JSONata adds properties to arrays. Converting the result to JSON and back removes them.
    return { result: result === undefined ? result : JSON.parse(JSON.stringify(result)) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
