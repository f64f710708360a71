/** Passes questions from forms to `answers.ts`, and shows the answers on the same page. */
import type * as answers from './answers.ts';
import { fetchAhead } from './fetch-ahead.ts';
import type { Answer } from './find.ts';

export type Answers = typeof answers;

/** Loads the script `answers.ts`. The browser loads it only once. */
export function loadAnswers(): Promise<Answers> {
  return import('./answers.js');
}

/** Calls `load` after the page is loaded and drawn, so that it doesn't delay the page. */
export function loadLater(load: () => void): void {
  addEventListener('load', () => requestAnimationFrame(() => setTimeout(load)));
}

/** Loads `answers.ts` and the names of all components before the first question. */
export function loadAhead(): void {
  void loadAnswers();
  fetchAhead('status.json');
}

/** Calls `ask` when a form is sent, and keeps the browser from loading another page. */
export function onSubmit(form: HTMLFormElement, ask: () => void): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (matchMedia('(pointer: coarse)').matches) {
      // The field loses the focus, because otherwise a phone's keyboard would cover the answer.
      (document.activeElement as HTMLElement).blur();
    }
    ask();
  });
}

let lastQuestion: object | undefined;

/** Shows an answer and returns it. If another question was asked meanwhile, shows nothing and returns undefined. */
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
    // The console shows where a script failed.
    reportError(error);
    return { content: [(error as Error).message] };
  }
}
