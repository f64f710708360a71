import type * as Answers from './answers.ts';
import type * as Mine from './mine.ts';

/**
 * The answers to questions, which take more bytes than the rest of the script. They are a file of their own, because most
 * visitors ask nothing.
 */
export function loadAnswers(): Promise<typeof Answers> {
  // The build puts it beside this script. A variable keeps the bundler from resolving the path.
  const file = './ask.js';
  return import(file);
}

/** The script of the page My versions, loaded with the first list. */
export function loadMine(): Promise<typeof Mine> {
  const file = './mine.js';
  return import(file);
}
