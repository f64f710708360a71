/** The answer below the box of a component. Loaded when somebody asks. */
import { describeObstacle } from '../../core/index/verdicts.ts';
import { nameAnchor } from '../../core/words.ts';
import { beginQuestion, createElement, findMatches } from './find.ts';

interface Answer {
  readonly words: string;
  /** Of the row of the version, else of its line. */
  readonly anchor?: string;
}

/** Writes into the place what is known of a version, and returns where the page says more. */
export async function explainVersion(
  place: HTMLOutputElement,
  version: string,
): Promise<string | undefined> {
  const isLast = beginQuestion();
  const { words, anchor } = await describeVersion(place.dataset['component']!, version);
  if (!isLast()) {
    return undefined;
  }

  place.replaceChildren(createElement('p', words));
  return anchor;
}

async function describeVersion(component: string, version: string): Promise<Answer> {
  try {
    const item = { text: version, name: component, version };
    const [match] = await findMatches([item], new Map([[component, [{ component }]]]));
    if (!match?.verdict) {
      return { words: describeObstacle(item, match) };
    }

    const { label, sentence, advice, line } = match.verdict;
    const anchor = nameAnchor(match.version);
    // The row says the rest.
    return document.getElementById(anchor)
      ? { words: `${match.version}: ${label}.`, anchor }
      : { words: `${sentence} ${advice}`, anchor: `line-${line}` };
  } catch (error) {
    return { words: (error as Error).message };
  }
}
