import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { counted, toLine } from '../../core/text.ts';
import { SourceError } from './source.ts';
import type { Outcome, Task } from './transform-process.ts';

const maxMs = 10_000;
const maxMB = 256;
const maxResultLength = 50_000_000;

/** A TypeScript file in the checkout, and JavaScript in the package, as this one. */
const program = new URL(`./transform-process${extname(import.meta.url)}`, import.meta.url);

/**
 * What an expression of JSONata makes of a JSON document; undefined where that is nothing. An expression may run for ever or
 * fill the memory, which would end even the threads beside it: so it runs in a process of its own, with nothing of the
 * environment. Throws a SourceError; `at`: what the document is from.
 */
export async function evaluateTransform(at: string, task: Task, limitMs = maxMs): Promise<unknown> {
  const child = fork(program, {
    env: {},
    execArgv: [`--max-old-space-size=${maxMB}`, '--no-warnings'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let timer: NodeJS.Timeout | undefined;
  const problem = (what: string) => new SourceError(`${at}: transform: ${what}`);
  try {
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      child.once('message', (message) => resolve(message as Outcome));
      child.once('error', reject);
      // After what it still said, unlike its exit.
      child.once('disconnect', () =>
        reject(problem(`ended without a result; it may have filled the ${maxMB} MB it may have`)),
      );
      timer = setTimeout(() => reject(problem(`takes longer than ${limitMs / 1000} s`)), limitMs);
      child.send(task, (error) => error && reject(problem(toLine(error.message, 200))));
    });
    if ('problem' in outcome) throw problem(toLine(outcome.problem, 200));
    const { result } = outcome;
    if (result === undefined) return undefined;
    if (result.length > maxResultLength) {
      throw problem(`gives ${counted(result.length, 'character')}, more than the ${maxResultLength} we read`);
    }
    return JSON.parse(result) as unknown;
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}
