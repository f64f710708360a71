import { listNames } from '../../ask/answers/match-names.ts';
import { readComponentName } from '../../ask/answers/read-name.ts';
import { drawAnswer } from './card.ts';
import { addCopyButton, announce, debounce, fill, find, findAll, keepPlace, on } from './dom.ts';
import { findAnswer, findAnswerInAll, index, type ShownAnswer } from './find-answer.ts';
import { listMovedPairs, type MovedPair } from './moved-pairs.ts';
import { listOptions, makeOptionList, maxOptions, type Option } from './option-list.ts';
import { isSmall, toUrl } from './site-index.ts';

/** A field that shows answers while a person types: a WAI-ARIA combobox with a list. */
export interface Box {
  /** Shows the answer to a question, and focuses it. */
  show(text: string): Promise<void>;
  /** Shows the answer to a new question, by default the text of the field. Also changes the address. */
  ask(text?: string): Promise<void>;
  /** Removes the answer and empties the field. */
  clear(): void;
}

/** Makes a form answer. `component`: the component of a version without a name. */
export function setUpBox(form: HTMLFormElement, component: string | undefined): Box {
  const input = find<HTMLInputElement>('input', form);
  const list = makeOptionList(form, input, () => suggest(), ask);
  /** The text that was typed or asked last. Answers to an earlier one are dropped. */
  let lastText = '';

  const suggest = debounce(async () => {
    const text = input.value.trim();
    lastText = text;
    if (text === '') {
      return list.close();
    }

    const { options, isFirstMarked } = await findSuggestions(text, component);
    if (lastText === text && document.activeElement === input) {
      list.open(options, isFirstMarked);
    }
  });

  on(input, 'input', suggest);

  // The visitor may have typed while this script was loading.
  if (document.activeElement === input) {
    suggest();
  }

  return { show, ask, clear };

  async function ask(text?: string): Promise<void> {
    const typed = input.value.trim();
    const choice = lastText === typed ? list.readChoice() : undefined;
    const asked = text ?? choice ?? typed;
    if (asked === '') {
      return;
    }

    await show(asked);
    if (lastText === asked) {
      history.pushState(null, '', `?q=${encodeURIComponent(asked)}`);
    }
  }

  async function show(text: string): Promise<void> {
    // The visitor may have typed another question while this script was loading.
    const isTyping = lastText === '' && document.activeElement === input;
    if (!isTyping || input.value === '') {
      input.value = text;
    }

    lastText = text;
    list.close();
    keepPlace();
    find('.place').dataset['question'] = text;
    await showAnswer(text, findAnswer);
  }

  async function showAnswer(text: string, findIn: typeof findAnswer): Promise<void> {
    const timer = setTimeout(() => announce('Answering…'), 300);
    const answer = await findIn(addComponent(text, component));
    // If they cannot be read, the card is shown without them.
    const moves = await listMovedPairs(answer, index).catch(() => []);
    clearTimeout(timer);
    if (lastText === text) {
      showCard(text, answer, moves, () => showAnswer(text, findAnswerInAll));
    }
  }

  function clear(): void {
    lastText = '';
    input.value = '';
    list.close();
    removeCard();
  }
}

const pageTitle = document.title;

/** `searchAll`: searches all releases, for an answer that offers it. */
function showCard(
  text: string,
  answer: ShownAnswer,
  moves: readonly MovedPair[],
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
  find('.card').focus({ preventScroll: true });
  const sentence = find('.card .sentence').textContent;
  document.title = answer.kind === 'version' ? sentence : `${text}: ${sentence}`;
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
  // If the names cannot be read, the answer says so.
  const names = await completeName(text).catch(() => []);
  if (names.length > 0) {
    return { options: names, isFirstMarked: false };
  }

  const answer = await findAnswer(addComponent(text, component));
  const options = listOptions(answer, text);
  const hasLines = answer.kind === 'version' && options.length > 1;
  // Enter asks an unfinished name, and several lines, as they were typed.
  return { options, isFirstMarked: !hasLines };
}

/** In a large index: the components whose names begin with a text, unless it is a name itself. Needs no other script. */
async function completeName(text: string): Promise<Option[]> {
  const components = await index.named();
  const isName = readComponentName(text, components).length > 0;
  if (text.length < 2 || isName || (await isSmall(index))) {
    return [];
  }

  return components
    .filter((each) => listNames(each).some((name) => name.startsWith(text.toLowerCase())))
    .slice(0, maxOptions)
    .map(({ name, title }) => ({ name: title, question: name }));
}
