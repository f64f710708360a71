/** On the page of a component: the version of the address or of the box, its row or its line, and what is known of it. */
import { decodeAnchor, readAnchor } from '../../core/words.ts';
import { loadAnswers, onSubmit, showAnswer } from './forms.ts';
import { reveal } from './reveal.ts';

const output = document.querySelector<HTMLElement>('[data-version] output')!;
/** The anchor of the version that is explained below the box. */
let explainedAnchor: string | undefined;

export function setUpVersions(form: HTMLFormElement): void {
  const input = form.querySelector('input')!;
  addEventListener('load', loadAnswers);
  onSubmit(form, () => findVersion(input.value.trim()));
  addEventListener('hashchange', showTarget);
  void showTarget();
}

/** Makes the row or the line of a version the address. */
async function findVersion(version: string): Promise<void> {
  const anchor = await explain(version);
  if (anchor && document.getElementById(anchor)) {
    location.hash = anchor;
    reveal(anchor);
  }
}

/** Explains the version of the address. If it has no row, the fold of its line opens once its verdict is read: the page moves while nobody sees it. */
async function showTarget(): Promise<void> {
  const anchor = decodeAnchor(location.hash.slice(1));
  const version = readAnchor(anchor);
  if (!version || anchor === explainedAnchor) {
    // There is none, or the box led there.
    return;
  }

  const hasRow = document.getElementById(anchor) !== null;
  document.body.classList.toggle('is-seeking', !hasRow);
  const lineAnchor = await explain(version);
  if (!hasRow && lineAnchor) {
    reveal(lineAnchor);
  }
  document.body.classList.remove('is-seeking');
}

/** Says below the box what is known of a version. Returns its anchor. */
async function explain(version: string): Promise<string | undefined> {
  explainedAnchor = undefined;
  const component = output.dataset['component']!;
  const answer = await showAnswer(output, ({ answerVersion }) => answerVersion(component, version));
  explainedAnchor = answer?.address;
  return explainedAnchor;
}
