/** Runs the form of `mine.html`. The list is typed, in a file, or in the URL. It stays in the browser. */
import { decodeAnchor } from '../../core/anchors.ts';
import type { Answer } from './find.ts';
import { loadAhead, loadLater, onSubmit, showAnswer, type Answers } from './forms.ts';

const place = document.getElementById('answer')!;
const input = document.querySelector('textarea')!;

export function setUpList(form: HTMLFormElement): void {
  const file = form.querySelector<HTMLInputElement>('[type=file]')!;
  loadLater(loadAhead);
  onSubmit(form, () => check(({ answerList }) => answerList(input.value)));
  file.addEventListener('change', () => {
    const [chosen] = file.files ?? [];
    if (chosen) {
      void check(async ({ answerList, decodeText }) => {
        input.value = decodeText(new Uint8Array(await chosen.arrayBuffer()));
        return answerList(input.value);
      });
    }
  });
  addEventListener('hashchange', showAddress);
  void showAddress();
}

/** Checks the list that the URL contains, such as `#c=svc@2025.1,edge-node@1.0`, and shows the verdicts. */
async function showAddress(): Promise<void> {
  const [, list] = /^#c=(.+)/.exec(location.hash) ?? [];
  if (list !== undefined) {
    // The first `@` of `@scope/name@1.2` belongs to the name.
    const entries = list.split(',').map((entry) => decodeAnchor(entry.replace(/(?!^)@/, ' ')));
    input.value = entries.join('\n');
    // The verdicts will push down the part of the page below them. So this part is hidden until they are shown.
    document.body.classList.add('is-asking');
    loadAhead();
    await check(({ answerList }) => answerList(input.value));
    place.scrollIntoView();
    document.body.classList.remove('is-asking');
  }
}

async function check(find: (answers: Answers) => Promise<Answer>): Promise<void> {
  const answer = await showAnswer(place, find);
  if (answer?.address) {
    history.replaceState(null, '', answer.address);
  }
}
