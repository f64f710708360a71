import { text } from 'node:stream/consumers';
import jsonata from 'jsonata';
import { describeTransformError } from '../../../core/model/source-expressions.ts';

/** The input of this process. */
export interface Task {
  document: unknown;
  transform: string;
}

/** The output of this process; `result` is absent if the expression returns nothing. */
export type TransformOutcome = { result?: unknown } | { problem: string };

async function evaluate({ document, transform }: Task): Promise<string> {
  try {
    const result: unknown = await jsonata(transform).evaluate(document);
    return JSON.stringify({ result });
  } catch (error) {
    return JSON.stringify({ problem: describeTransformError(error) });
  }
}

process.stdout.write(await evaluate(JSON.parse(await text(process.stdin)) as Task));
