/** On the page of a component: the version of the address or of the box, its row or its line, and what is known of it. */
import { nameAnchor, readAnchor } from '../../core/words.ts';
import { describeObstacle } from '../../core/index/verdicts.ts';
import { beginQuestion, createElement, findEntries } from './find.ts';

const form = document.querySelector<HTMLFormElement>('[data-version]');

/** The anchor of the version that is explained below the box. */
let explainedAnchor: string | undefined;

/** The version that somebody runs: its row or its line becomes the address. */
export async function showVersion(version: string): Promise<void> {
  const anchor = await explain(version);
  if (anchor && document.getElementById(anchor)) {
    location.hash = anchor;
    reveal(anchor);
  }
}

/** Reveals the target of the address. A version that is not on the page leads to its line. */
export async function showTarget(anchor: string, isOnPage: boolean): Promise<void> {
  reveal(anchor);
  if (anchor === explainedAnchor) {
    // The box led there.
    return;
  }

  const lineAnchor = await explain(readAnchor(anchor));
  if (!isOnPage && lineAnchor) {
    reveal(lineAnchor);
  }
}

/** Says below the box what is known of a version, and returns its anchor. */
async function explain(version: string | undefined): Promise<string | undefined> {
  const place = form?.querySelector('output');
  if (!place || !version) {
    return undefined;
  }

  const isLast = beginQuestion();
  explainedAnchor = undefined;
  const { words, anchor } = await describeVersion(place.dataset['component']!, version);
  if (!isLast()) {
    return undefined;
  }

  place.replaceChildren(createElement('p', words));
  explainedAnchor = anchor;
  return anchor;
}

/** `anchor`: of the row of the version, else of its line, if it has one. */
async function describeVersion(component: string, version: string) {
  try {
    const item = { text: version, name: component, version };
    const [entry = { item, match: undefined }] = await findEntries(
      [item],
      new Map([[component, [{ component }]]]),
    );
    const { match } = entry;
    if (!match?.verdict) {
      return { words: describeObstacle(entry) };
    }

    const { label, sentence, advice, line } = match.verdict;
    const anchor = nameAnchor(match.version);
    // The row says the rest.
    return document.getElementById(anchor)
      ? { words: `${match.version}: ${label}.`, anchor }
      : { words: `${sentence} ${advice}`, anchor: line && `line-${line}` };
  } catch (error) {
    return { words: (error as Error).message };
  }
}

/** Opens the folds around a place, and moves the page to it. */
function reveal(anchor: string): void {
  const target = document.getElementById(anchor);
  let fold = target?.closest('details');
  while (fold) {
    fold.open = true;
    fold = fold.parentElement!.closest('details');
  }
  const line = target?.closest('.lines details');
  (line ?? target)?.scrollIntoView({ block: line ? 'start' : 'center' });
}
