import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import { inputError } from '../core/schemas/finding.ts';
import { policyForms, readSupportPolicy } from './option-values.ts';

/** Asks the person at the terminal for a support policy, until the answer is one or empty. Throws an InputError if cancelled. */
export async function askPolicy(component: string): Promise<SupportPolicy | undefined> {
  const question = `How long is a release line of ${component} supported, ${policyForms}? [no stated end] `;
  let answer = await askPerson(question);
  while (answer !== '') {
    if (answer === undefined) {
      throw inputError('add', 'cancelled. Nothing was written');
    }

    const { policy, problem } = readSupportPolicy(answer);
    if (policy) {
      return policy;
    }

    answer = await askPerson(`${problem}\n${question}`);
  }
  return undefined;
}

/** Reads a line from the terminal; undefined after Ctrl-C or Ctrl-D. */
async function askPerson(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = once(terminal, 'close').then(() => undefined);

  // Ctrl-C rejects, and Ctrl-D leaves the question unanswered.
  const answer = await Promise.race([terminal.question(question).catch(() => undefined), ended]);

  terminal.close();
  return answer?.trim();
}
