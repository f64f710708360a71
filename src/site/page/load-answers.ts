import type * as Answers from './answers.ts';

/** The script that answers questions: a file of its own, because most visitors ask nothing. */
export function loadAnswers(): Promise<typeof Answers> {
  // The build writes all scripts to one folder. The variable keeps the bundler from resolving the path.
  const file = './ask.js';
  return import(file);
}
