import type * as Answers from './answers.ts';
import type * as Mine from './plan-page.ts';

/** The script that answers questions: a file of its own, because most visitors ask nothing. */
export function loadAnswers(): Promise<typeof Answers> {
  // The build writes both to one folder. The variable keeps the bundler from resolving the path.
  const file = './ask.js';
  return import(file);
}

/** The script of the page My versions, loaded with the first list. */
export function loadMine(): Promise<typeof Mine> {
  const file = './mine.js';
  return import(file);
}
