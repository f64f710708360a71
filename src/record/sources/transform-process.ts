import { compileTransform, whyNot } from '../../core/transform.ts';

/** What `evaluateTransform` sends to this process. */
export interface Task {
  /** JSON */
  document: string;
  transform: string;
}

/** What this process sends back: `result` is JSON, absent where the expression gives nothing. */
export type Outcome = { result?: string } | { problem: string };

process.on('message', (task: Task) => {
  void evaluate(task).then((outcome) => process.send!(outcome));
});

async function evaluate({ document, transform }: Task): Promise<Outcome> {
  try {
    const value: unknown = await compileTransform(transform).evaluate(JSON.parse(document));
    const result = JSON.stringify(value) as string | undefined;
    return result === undefined ? {} : { result };
  } catch (error) {
    return { problem: whyNot(error) };
  }
}
