import { execFile } from 'node:child_process';
import { toLine } from '../../../core/text/foreign-text.ts';
import { resolveModule } from '../../../io/program.ts';
import { SourceError } from '../datasource.ts';
import type { Task, TransformOutcome } from './transform-process.ts';

const maxMs = 10_000;
const maxMB = 256;
const maxResultMB = 50;

/** Without memory, Node aborts itself, on Windows with the status 134. */
const limitCodes: unknown[] = [134, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'];

/**
 * Evaluates a JSONata expression on a JSON document. An expression may run forever or fill the memory, which would end a thread's
 * whole process. Therefore it runs in another process, without our environment. `url`: the document's address. Throws a SourceError
 * for an expression or a document without a result.
 */
export function evaluateTransform(url: string, task: Task, limitMs = maxMs): Promise<unknown> {
  const module = resolveModule('record/sources/shared/transform-process');
  const args = [`--max-old-space-size=${maxMB}`, '--no-warnings', module];
  const options = {
    env: {},
    timeout: limitMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxResultMB * 1024 * 1024,
  } as const;

  return new Promise((resolve, reject) => {
    const fail = (problem: string) => reject(SourceError.at(url, `transform: ${problem}`));
    let input: string;
    try {
      input = JSON.stringify(task);
    } catch {
      return fail('the document is nested too deeply');
    }

    const child = execFile(process.execPath, args, options, (error, output) => {
      if (error?.signal || limitCodes.includes(error?.code)) {
        const limits = `${limitMs / 1000} s and ${maxMB} MB of memory`;
        return fail(`gives no result of at most ${maxResultMB} MB within ${limits}`);
      }
      if (error) {
        return reject(error);
      }

      const outcome = JSON.parse(output) as TransformOutcome;
      return 'problem' in outcome ? fail(toLine(outcome.problem, 200)) : resolve(outcome.result);
    });

    // A pipe, as by default. An ended process reads no input; its exit status says so.
    child.stdin!.on('error', () => undefined).end(input);
  });
}
