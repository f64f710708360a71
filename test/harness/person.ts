import type { PublishedIndex } from '../../src/ask/answers/published-index.ts';
import * as guesses from '../../src/ask/texts/guess-items.ts';

/** An index as a person asks it, who can confirm a guess. */
export function sourceForPerson(index: PublishedIndex) {
  return { ...index, guesses: () => Promise.resolve(guesses) };
}
