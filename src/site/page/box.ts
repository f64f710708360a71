import { askNamed } from '../../ask/answers/ask.ts';
import { listNames } from '../../ask/answers/match-names.ts';
import { keepPromises } from '../../ask/answers/memory.ts';
import { readName } from '../../ask/answers/read-name.ts';
import type { SearchResult } from '../../ask/answers/search-releases.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { drawAnswer, listOptions } from './card.ts';
import { addCopyButton, announce, debounce, fill, find, findAll, keepPlace, on } from './dom.ts';
import type * as More from './more.ts';
import { listMovedPairs, type MovedPair } from './moved-pairs.ts';
import { makeOptionList, maxOptions, type Option } from './option-list.ts';
import { describeFailure, isSmall, loadScript, maxUnasked, openSite, toUrl } from './site-index.ts';
import type { ShownAnswer } from './support-evidence.ts';

/** A field that shows answers while a person types: a WAI-ARIA combobox with a list. */
export interface Box {
  /** Shows the answer to a question, and focuses it. */
  show(question: string): Promise<void>;
  /** Shows the answer to a new question, by default the text of the field. Also changes the address. */
  ask(question?: string): Promise<void>;
  /** Removes the answer and empties the field. */
  clear(): void;
}

/** The index, without components that are too large to be read unasked. */
export const index = openSite(maxUnasked);
const pageTitle = document.title;

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

    const { options, first } = await findSuggestions(component, text);
    if (lastText === text && document.activeElement === input) {
      list.open(options, first);
    }
  });

  on(input, 'input', suggest);

  // The visitor may have typed while this script was loading.
  if (document.activeElement === input) {
    suggest();
  }

  return { show, ask, clear };

  async function ask(text?: string): Promise<void> {
    const choice = lastText === input.value.trim() ? list.readChoice() : undefined;
    const question = text ?? choice ?? input.value.trim();
    if (question === '') {
      return;
    }

    await show(question);
    if (lastText === question) {
      history.pushState(null, '', `?q=${encodeURIComponent(question)}`);
    }
  }

  async function show(question: string): Promise<void> {
    // The visitor may have typed another question while this script was loading.
    const isTyping = lastText === '' && document.activeElement === input;
    if (!isTyping || input.value === '') {
      input.value = question;
    }

    lastText = question;
    list.close();
    keepPlace();
    await showWhenFound(question, findAnswer(component, question));
  }

  async function showWhenFound(question: string, found: Promise<ShownAnswer>): Promise<void> {
    const timer = setTimeout(() => announce('Answering…'), 300);
    const answer = await found.catch(explainFailure);
    // If they cannot be read, the card is shown without them.
    const moves = await listMovedPairs(answer, index).catch(() => []);
    clearTimeout(timer);
    if (lastText === question) {
      showCard(answer, moves, () => showWhenFound(question, searchAll(component, question)));
      nameTab(answer.kind === 'version' ? '' : `${question}: `);
    }
  }

  function clear(): void {
    lastText = '';
    input.value = '';
    find('.place').replaceChildren();
    document.title = pageTitle;
    list.close();
  }
}

/** `search`: searches all releases, for an answer that offers it. */
function showCard(answer: ShownAnswer, moves: readonly MovedPair[], search: () => void): void {
  const site = { title: find('.brand').textContent, url: toUrl('').href };
  const place = find('.place');
  fill(place, drawAnswer(answer, { moves, site, now: Date.now() }));
  findAll('[data-copy]', place).forEach(addCopyButton);
  for (const button of findAll('[data-search]', place)) {
    on(button, 'click', search);
  }

  // Otherwise the browser scrolls back after a reload.
  history.scrollRestoration = 'manual';
  find('.card').focus({ preventScroll: true });
}

function nameTab(subject: string): void {
  document.title = `${subject}${find('.card .sentence').textContent}`;
}

/** The options for a text that a person is typing. `first`: the marked one, -1 for none. */
async function findSuggestions(component: string | undefined, text: string) {
  // An answer describes the failure.
  const names = await completeName(text).catch(() => []);

  // Enter asks an unfinished name, and several lines, as they were typed.
  if (names.length > 0) {
    return { options: names, first: -1 };
  }

  const answer = await findAnswer(component, text).catch(explainFailure);
  const options = listOptions(answer, text);
  const hasLines = answer.kind === 'version' && options.length > 1;
  return { options, first: hasLines ? -1 : 0 };
}

/** The answer to a text. */
function findAnswer(component: string | undefined, text: string): Promise<ShownAnswer> {
  const question = addComponent(component, text);
  return preferHost(question, readAnswer(question));
}

/** The same after a person agreed to read all releases. */
async function searchAll(component: string | undefined, text: string): Promise<ShownAnswer> {
  const question = addComponent(component, text);
  const { askWhole } = await loadMore();
  return preferHost(question, askWhole(question));
}

/** In the box of a component, a version is a version of it. */
function addComponent(component: string | undefined, text: string): string {
  return component !== undefined && /^v?\d/i.test(text) ? `${component} ${text}` : text;
}

/** The answer of the host, if this page reads too much for its own answer and the host has one. */
async function preferHost(question: string, found: Promise<ShownAnswer>): Promise<ShownAnswer> {
  const answer = await found.catch(offerSearch);
  const isTooMuch =
    answer.kind === 'search' || (answer.kind === 'problem' && answer.reason.startsWith('too-'));
  // A host that only serves files answers no questions.
  if (!isTooMuch || !('hostAnswers' in find('main').dataset)) {
    return answer;
  }

  return (await askHost(question).catch(() => undefined)) ?? answer;
}

/** The list and the card share one request. */
const askHost = keepPromises(fetchHostAnswer);

/** The answer of the host; undefined if it has none for a page. */
async function fetchHostAnswer(question: string): Promise<ShownAnswer | undefined> {
  const response = await fetch(toUrl(`api/answers?question=${encodeURIComponent(question)}`));
  const body = (await response.json()) as HostAnswer;
  if (response.status === 404 && 'detail' in body) {
    const { detail: message, didYouMean: examples = [] } = body;
    return { kind: 'problem', reason: 'unknown', message, examples };
  }
  if (!response.ok) {
    throw new Error(`The host answered ${response.status}`);
  }

  if ('sentence' in body) {
    return { kind: 'version', answer: body };
  }
  if (!Array.isArray(body)) {
    return undefined;
  }

  const note = response.headers.get('release-index-note');
  const notes = note === null ? [] : [note];
  return { kind: 'releases', query: question, total: body.length, releases: body, notes };
}

/** A verdict, releases, a link to another page, or an unknown name. A page finds links by itself. */
type HostAnswer =
  | VersionAnswer
  | SearchResult['releases']
  | { url: string }
  | { detail: string; didYouMean?: string[] };

async function readAnswer(question: string): Promise<ShownAnswer> {
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

function explainFailure(error: Error): ShownAnswer {
  return { kind: 'problem', reason: 'unknown', message: describeFailure(error), examples: [] };
}
