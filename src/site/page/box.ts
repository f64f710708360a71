import { askNamed } from '../../ask/answers/ask.ts';
import { listNames } from '../../ask/answers/match-names.ts';
import { readName } from '../../ask/answers/read-name.ts';
import { drawAnswer } from './card.ts';
import { addCopyButton, announce, debounce, fill, find, findAll, keepPlace, on } from './dom.ts';
import { askHost, type ShownAnswer } from './host.ts';
import type * as More from './more.ts';
import { listMovedPairs, type MovedPair } from './moved-pairs.ts';
import { handleKey, listOptions, makeOptionList, maxOptions, type Option } from './option-list.ts';
import { describeFailure, isSmall, loadScript, maxUnasked, openSite, toUrl } from './site-index.ts';

/** A field that shows answers while a person types: a WAI-ARIA combobox with a list. */
export interface Box {
  /** Shows the answer to a text, and focuses it. */
  answer(text: string): Promise<void>;
  /** Shows the answer to a new question, by default the text of the field. Also changes the address. */
  ask(text?: string): Promise<void>;
  /** Removes the answer and empties the field. */
  clear(): void;
}

const index = openSite(maxUnasked);
const pageTitle = document.title;

/** Makes a form answer. `component`: the component of a version without a name. */
export function setUpBox(form: HTMLFormElement, component: string | undefined): Box {
  const input = find<HTMLInputElement>('input', form);
  const list = makeOptionList(form, input, (question) => void ask(question));
  let lastQuestion = '';

  const suggest = debounce(async () => {
    const text = input.value.trim();
    lastQuestion = text;
    if (text === '') {
      return list.close();
    }

    const { options, first } = await findSuggestions(component, text);
    if (lastQuestion === text && document.activeElement === input) {
      list.open(options, first);
    }
  });

  on(input, 'input', suggest);
  on(input, 'keydown', (event) => handleKey(event, input, list, suggest));

  // The visitor may have typed while this script was loading.
  if (document.activeElement === input) {
    suggest();
  }

  return { answer, ask, clear };

  async function ask(text?: string): Promise<void> {
    const choice = lastQuestion === input.value.trim() ? list.readChoice() : undefined;
    const question = text ?? choice ?? input.value.trim();
    if (question === '') {
      return;
    }

    input.value = question;
    await answer(question);
    history.pushState(null, '', `?q=${encodeURIComponent(question)}`);
  }

  async function answer(question: string): Promise<void> {
    input.value ||= question;
    lastQuestion = question;
    list.close();
    keepPlace();
    await show(question);
  }

  async function show(question: string, answerQuestion = answerText): Promise<void> {
    const timer = setTimeout(() => announce('Answering…'), 300);
    const answer = await answerTo(component, question, answerQuestion).catch(renderFailure);
    // The card is useful without them.
    const moves = await listMovedPairs(answer, index).catch(() => []);
    clearTimeout(timer);
    if (lastQuestion === question) {
      showCard(answer, moves, () => void show(question, searchAll));
      nameTab(answer.kind === 'version' ? '' : `${question}: `);
    }
  }

  function clear(): void {
    input.value = '';
    find('.place').replaceChildren();
    document.title = pageTitle;
    list.close();
  }
}

function showCard(answer: ShownAnswer, moves: readonly MovedPair[], search: () => void): void {
  const list = document.querySelector<HTMLFormElement>('#list');
  const site = { title: find('.brand').textContent, url: toUrl('').href };
  const place = find('.place');
  fill(place, drawAnswer(answer, { moves, site, now: Date.now(), hasList: list !== null }));
  for (const element of findAll('[data-copy]', place)) {
    addCopyButton(element);
  }
  for (const button of findAll('[data-search]', place)) {
    on(button, 'click', search);
  }
  for (const button of findAll('[data-add]', place)) {
    on(button, 'click', () => addToList(list!, button.dataset['add']!));
  }

  // Otherwise the browser scrolls back after a reload.
  history.scrollRestoration = 'manual';
  find('.card').focus({ preventScroll: true });
}

function nameTab(subject: string): void {
  document.title = `${subject}${find('.card .sentence').textContent}`;
}

function addToList(list: HTMLFormElement, line: string): void {
  const text = find<HTMLTextAreaElement>('textarea', list);
  text.value = `${text.value.trim()}\n${line}`.trim();
  list.requestSubmit();
}

/** The options for a text that a person is typing. `first`: the marked one, -1 for none. */
async function findSuggestions(component: string | undefined, text: string) {
  // An answer describes the failure.
  const names = await completeName(text).catch(() => []);

  // Enter asks an unfinished name, and several lines, as they were typed.
  if (names.length > 0) {
    return { options: names, first: -1 };
  }

  const answer = await answerTo(component, text).catch(renderFailure);
  const options = listOptions(answer, text);
  const hasLines = answer.kind === 'version' && options.length > 1;
  return { options, first: hasLines ? -1 : 0 };
}

/** Answers a text, in a box of a component also a version of it. */
async function answerTo(
  component: string | undefined,
  text: string,
  answerQuestion = answerText,
): Promise<ShownAnswer> {
  const question = component !== undefined && /^v?\d/i.test(text) ? `${component} ${text}` : text;
  const result = await answerQuestion(question).catch(offerSearch);
  const isTooMuch =
    result.kind === 'search' || (result.kind === 'problem' && result.reason.startsWith('too-'));
  const hostAnswer = isTooMuch ? await askHost(question) : undefined;
  return hostAnswer ?? result;
}

async function searchAll(question: string): Promise<ShownAnswer> {
  return (await loadMore()).askWhole(question);
}

async function answerText(question: string): Promise<ShownAnswer> {
  return (await askNamed(index, question)) ?? (await loadMore()).askAnything(question);
}

/** The script of questions that are not just a name and a version. */
function loadMore(): Promise<typeof More> {
  return loadScript('./more.js');
}

/** Reading a large component is rejected with the number of its releases. */
function offerSearch(error: unknown): ShownAnswer {
  const { releases } = error as { releases?: number };
  if (releases === undefined) {
    throw error;
  }

  return { kind: 'search', releases };
}

/**
 * In a large index: the components whose names begin with a text, unless it is a name itself. Needs no script of rarer
 * questions.
 */
async function completeName(text: string): Promise<Option[]> {
  const components = await index.named();
  if (text.length < 2 || readName(text, components) || (await isSmall(index))) {
    return [];
  }

  return components
    .filter((each) => listNames(each).some((name) => name.startsWith(text.toLowerCase())))
    .slice(0, maxOptions)
    .map(({ name, title }) => ({ name: title, question: name }));
}

function renderFailure(error: Error): ShownAnswer {
  return { kind: 'problem', reason: 'unknown', message: describeFailure(error), examples: [] };
}
