import type { Answer } from '../../ask/answers/ask.ts';
import { keepByObject } from '../../core/model/objects.ts';
import { listOptions } from './answer-options.ts';
import { drawAnswer } from './card.ts';
import { addCopyButton } from './copy-button.ts';
import { announce, fill, find, findAll, keepPlace, on } from './dom.ts';
import { findAnswer, findAnswerInAll, index } from './find-answer.ts';
import { listMovedPairs, type MovedPairs } from './moved-pairs.ts';
import { makeOptionList } from './option-list.ts';
import { toUrl } from './site-index.ts';

/** A field that shows answers while a person types: a WAI-ARIA combobox with a list. */
export type Box = ReturnType<typeof setUpBox>;

/** The box of a form. In the form on the page of a component, a version without a name belongs to it. */
export const openBox = /* @__PURE__ */ keepByObject(setUpBox);

function setUpBox(form: HTMLFormElement) {
  const input = find<HTMLInputElement>('input', form);
  const component = form.id === 'mine' ? find('main').dataset['component'] : undefined;
  const suggestSoon = debounce(suggest);
  const list = makeOptionList(input, { suggest: suggestSoon, choose: ask });
  /** The text that the list is about. Suggestions for an earlier one are dropped. */
  let typedText = '';

  on(input, 'input', suggestSoon);

  // The visitor may have typed while this script was loading.
  if (document.activeElement === input) {
    suggestSoon();
  }

  return { show, ask, clear };

  async function suggest(): Promise<void> {
    const text = input.value.trim();
    typedText = text;
    if (text === '') {
      return list.close();
    }

    const { options, isFirstMarked } = await findSuggestions(text, component);
    if (input.value.trim() === text && document.activeElement === input) {
      list.open(options, isFirstMarked);
    }
  }

  /** Shows the answer to a new question, by default the marked option or the text of the field. Also changes the address. */
  async function ask(text?: string): Promise<void> {
    const typed = input.value.trim();
    const choice = typedText === typed ? list.readChoice() : undefined;
    const asked = text ?? choice ?? typed;
    if (asked === '') {
      return;
    }

    await show(asked);
    if (isStillAsked(asked)) {
      history.pushState(null, '', `?q=${encodeURIComponent(asked)}`);
    }
  }

  /** Shows the answer to a question, and focuses it. */
  async function show(text: string): Promise<void> {
    // The field keeps what the visitor is typing, for instance since before this script was loaded.
    if (!isTypingOther(input, typedText)) {
      input.value = text;
      typedText = text.trim();
    }

    list.close();
    keepPlace();
    find('.place').dataset['question'] = text;
    await showAnswer(text, findAnswer);
  }

  async function showAnswer(text: string, findIn: typeof findAnswer): Promise<void> {
    const { answer, moves } = await waitForAnswer(findIn(addComponent(text, component)));
    if (isStillAsked(text)) {
      showCard(text, answer, moves, () => showAnswer(text, findAnswerInAll));
      if (!isTypingOther(input, text)) {
        find('.card').focus({ preventScroll: true });
      }
    }
  }

  /** Removes the answer and empties the field. */
  function clear(): void {
    typedText = '';
    input.value = '';
    list.close();
    removeCard();
  }
}

const pauseMs = 200;

/** Calls the function once typing pauses. */
function debounce(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, pauseMs);
  };
}

/** Whether no other question was asked since. Answers to an earlier one are dropped. */
function isStillAsked(text: string): boolean {
  return find('.place').dataset['question'] === text;
}

/** An answer, with the pairs of versions that its advice changes. A long wait is announced. */
async function waitForAnswer(pending: Promise<Answer>) {
  const timer = setTimeout(() => announce('Answering…'), 300);
  const answer = await pending;
  // If they cannot be read, the card is shown without them.
  const moves = await listMovedPairs(answer, index).catch(() => undefined);
  clearTimeout(timer);
  return { answer, moves };
}

const pageTitle = document.title;

/** `searchAll`: searches all releases, for an answer that offers it. */
function showCard(
  text: string,
  answer: Answer,
  moves: MovedPairs | undefined,
  searchAll: () => void,
): void {
  const site = { title: find('.brand').textContent, url: toUrl('').href };
  const place = find('.place');
  fill(place, drawAnswer(answer, { moves, site, now: Date.now() }));
  findAll('[data-copy]', place).forEach(addCopyButton);
  for (const button of findAll('[data-search]', place)) {
    on(button, 'click', searchAll);
  }

  // Otherwise the browser scrolls back after a reload.
  history.scrollRestoration = 'manual';
  const sentence = find('.card .sentence').textContent;
  document.title = answer.kind === 'version' ? sentence : `${text}: ${sentence}`;
}

/** Whether the visitor is typing something else than a text. */
function isTypingOther(input: HTMLInputElement, text: string): boolean {
  return document.activeElement === input && input.value.trim() !== text.trim();
}

function removeCard(): void {
  const place = find('.place');
  place.replaceChildren();
  delete place.dataset['question'];
  document.title = pageTitle;
}

/** In the box of a component, a version is a version of it. */
function addComponent(text: string, component: string | undefined): string {
  return component !== undefined && /^v?\d/i.test(text) ? `${component} ${text}` : text;
}

/** The options for a text that a person is typing. Enter asks the marked one. */
async function findSuggestions(text: string, component: string | undefined) {
  const answer = await findAnswer(addComponent(text, component));
  const options = listOptions(answer, text);
  const hasLines = answer.kind === 'version' && options.length > 1;
  // Enter asks an unfinished name, and several lines, as they were typed.
  return { options, isFirstMarked: !hasLines };
}
