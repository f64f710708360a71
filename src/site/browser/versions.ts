/** On the page of a component: the version of the address or of the box, its row or its line, and what is known of it. */
import { readAnchor } from '../../core/words.ts';

const form = document.querySelector<HTMLFormElement>('[data-version]');

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void showVersion(form.querySelector('input')!.value.trim());
});

/** The version that somebody runs: its row or its line becomes the address. */
async function showVersion(version: string): Promise<void> {
  const anchor = await explain(version);
  if (anchor && document.getElementById(anchor)) {
    location.hash = anchor;
    unfold(anchor);
  }
}

/** Opens the folds around the target of the address. A version that is not on the page leads to its line. */
export async function showTarget(anchor: string, isOnPage: boolean): Promise<void> {
  unfold(anchor);
  const lineAnchor = await explain(readAnchor(anchor));
  if (!isOnPage && lineAnchor) {
    unfold(lineAnchor);
  }
}

/** Says below the box what is known of a version, and returns its place on the page. */
async function explain(version: string | undefined): Promise<string | undefined> {
  const place = form?.querySelector('output');
  if (!place || !version) {
    return undefined;
  }

  const { explainVersion } = await import('./own-version.ts');
  return explainVersion(place, version);
}

function unfold(anchor: string): void {
  const target = document.getElementById(anchor);
  let fold = target?.closest('details');
  while (fold) {
    fold.open = true;
    fold = fold.parentElement!.closest('details');
  }
  const line = target?.closest('.lines details');
  (line ?? target)?.scrollIntoView({ block: line ? 'start' : 'center' });
}
