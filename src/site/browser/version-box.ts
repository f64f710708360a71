/** Explains a version on a component's page. The version is in the URL or in the search box. The verdict appears below the box. */
import { decodeAnchor, readAnchor } from '../../core/anchors.ts';
import { loadAnswers, loadLater, onSubmit, showAnswer } from './forms.ts';
import { reveal } from './reveal.ts';

const output = document.querySelector<HTMLElement>('[data-version] output')!;
let explainedAnchor: string | undefined;

export function setUpVersions(form: HTMLFormElement): void {
  const input = form.querySelector('input')!;
  loadLater(loadAnswers);
  onSubmit(form, () => void explain(input.value.trim()));
  addEventListener('hashchange', showTarget);
  void showTarget();
}

/** Explains the version in the URL. If the version has no row, opens the fold of its release line. */
async function showTarget(): Promise<void> {
  const anchor = decodeAnchor(location.hash.slice(1));
  const version = readAnchor(anchor);
  if (!version || anchor === explainedAnchor) {
    // Either the URL names no version, or the page already shows the verdict on the version. A reader who clicks the link in the verdict
    // causes the second case.
    return;
  }

  const hasRow = document.getElementById(anchor) !== null;
  // Hides the page until the verdict names the release line.
  document.body.classList.toggle('is-seeking', !hasRow);
  const lineAnchor = await explain(version);
  if (!hasRow && lineAnchor) {
    reveal(lineAnchor);
  }
  document.body.classList.remove('is-seeking');
}

/** Shows, below the box, the verdict on a version. Returns the anchor of the version's row or of its release line. */
async function explain(version: string): Promise<string | undefined> {
  explainedAnchor = undefined;
  const component = output.dataset['component']!;
  const answer = await showAnswer(output, ({ answerVersion }) => answerVersion(component, version));
  explainedAnchor = answer?.address;
  return explainedAnchor;
}
