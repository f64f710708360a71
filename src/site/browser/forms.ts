/** What forms that ask share. Each is answered on its page, which says at once that the answer is on its way. */
import type * as answers from './answers.ts';
import { fetchAhead } from './fetch-ahead.ts';
import type { Answer } from './find.ts';

export type Answers = typeof answers;

/** Loads the script that answers. The browser loads it once. */
export function loadAnswers(): Promise<Answers> {
  return import('./answers.js');
}

/** Loads what a question needs: the script, and the names of all components. */
export function loadAhead(): void {
  void loadAnswers();
  fetchAhead('status.json');
}

/** Calls `ask`. The page that the form names is not loaded. */
export function onSubmit(form: HTMLFormElement, ask: () => void): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (matchMedia('(pointer: coarse)').matches) {
      // The keyboard of a phone would cover the answer.
      (document.activeElement as HTMLElement).blur();
    }
    ask();
  });
}

let lastQuestion: object | undefined;

/** Shows an answer and returns it. Returns undefined if another question was asked meanwhile: only the last one is answered, however slow one before it is. */
export async function showAnswer(
  place: HTMLElement,
  find: (answers: Answers) => Promise<Answer>,
): Promise<Answer | undefined> {
  const question = {};
  lastQuestion = question;
  place.textContent = 'Checking …';
  const answer = await findOrFail(find);
  if (lastQuestion !== question) {
    return undefined;
  }

  place.replaceChildren(...answer.content);
  return answer;
}

async function findOrFail(find: (answers: Answers) => Promise<Answer>): Promise<Answer> {
  try {
    return await find(await loadAnswers());
  } catch (error) {
    return { content: [(error as Error).message] };
  }
}
