import { askNamed, describeSearch, type Choice } from '../../ask/answers/ask.ts';
import { listLines } from '../../ask/answers/judge-version.ts';
import { listNames } from '../../ask/answers/match-names.ts';
import { readName } from '../../ask/answers/read-name.ts';
import { describeResults } from '../../ask/answers/search-releases.ts';
import { parseVersion } from '../../core/model/version.ts';
import { findTone, describeEnd, stateLabels, stateTones } from '../../core/model/words.ts';
import { markDays, markup, type Markup } from '../render/html/markup.ts';
import { drawAnswer } from './card.ts';
import {
  addCopyButton,
  announce,
  debounce,
  find,
  findAll,
  keepPlace,
  makeElement,
  makeMarkup,
  on,
} from './dom.ts';
import { askHost, type ShownAnswer } from './host.ts';
import type * as More from './more.ts';
import { listMovedPairs, type MovedPair } from './moved-pairs.ts';
import {
  describeFailure,
  isSmall,
  loadScript,
  mostUnasked,
  openSite,
  toUrl,
} from './site-index.ts';

/** A field that shows answers while a person types: a WAI-ARIA combobox with a list. */
export interface Box {
  /** Shows the answer to a text, and focuses it. */
  answer(text: string): Promise<void>;
  /** The same for a new question, by default the text of the field. Also changes the address. */
  ask(text?: string): Promise<void>;
  /** Removes the answer and empties the field. */
  clear(): void;
}

const index = openSite(mostUnasked);
/** The number of lines or components in the list. */
const mostOptions = 7;

/** An answer in the list. Choosing it asks `question`. */
interface Option {
  readonly tone?: string;
  readonly name: string;
  readonly end?: string;
  readonly remedy?: string;
  readonly question?: string;
}

const pageTitle = document.title;

let boxes = 0;

export function setUpBox(form: HTMLFormElement, component: string | undefined): Box {
  const input = find<HTMLInputElement>('input', form);
  const list = makeList(form, input, (question) => void ask(question));
  let lastQuestion = '';

  const showLater = debounce(async () => {
    const text = input.value.trim();
    lastQuestion = text;
    if (text === '') {
      return list.close();
    }

    const names = await completeName(text).catch(() => []);
    const answer =
      names.length > 0 ? undefined : await answerTo(component, text).catch(renderFailure);
    const options = answer ? listOptions(answer, text) : names;
    const hasLines = answer?.kind === 'version' && options.length > 1;
    if (lastQuestion === text && document.activeElement === input) {
      // Enter asks a name that is not finished, and several lines, as they were typed.
      list.open(options, names.length > 0 || hasLines ? -1 : 0);
    }
  });

  on(input, 'input', showLater);
  on(input, 'keydown', (event) => useKey(event, input, list, showLater));

  // The visitor may have typed while this script was loading.
  if (document.activeElement === input) {
    showLater();
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

  async function show(question: string, search?: 'whole'): Promise<void> {
    const timer = setTimeout(() => announce('Answering…'), 300);
    const answer = await answerTo(component, question, search).catch(renderFailure);
    const moves = await listMovedPairs(answer, index).catch(() => []);
    clearTimeout(timer);
    if (lastQuestion === question) {
      showCard(answer, moves, () => void show(question, 'whole'));
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
  place.replaceChildren(
    makeMarkup(drawAnswer(answer, { moves, site, now: Date.now(), hasList: list !== null })),
  );
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

/** The list below the field. */
interface OptionList {
  /** Shows options. `first`: the marked one, -1 for none. */
  open(shown: readonly Option[], first: number): void;
  close(): void;
  isOpen(): boolean;
  /** Marks a later or earlier option. */
  move(by: number): void;
  /** The question of the marked option, while a person is in the field: a button asks what was typed. */
  readChoice(): string | undefined;
}

function makeList(
  form: HTMLFormElement,
  input: HTMLInputElement,
  choose: (question: string) => void,
): OptionList {
  boxes += 1;

  const id = `answers-${boxes}`;
  const list = makeElement(
    markup`<ul id="${id}" class="options" role="listbox" aria-label="Answers" hidden></ul>`,
  );
  form.append(list);
  input.setAttribute('aria-controls', id);

  let options: readonly Option[] = [];
  let marked = 0;

  close();
  on(input, 'blur', () => setTimeout(close, 200));
  on(list, 'mousedown', (event) => event.preventDefault());

  on(list, 'click', (event) => {
    const option = options[[...list.children].indexOf((event.target as Element).closest('li')!)];
    if (option?.question !== undefined) {
      choose(option.question);
    }
  });

  return {
    open,
    close,
    isOpen: () => !list.hidden,
    move: (by) => mark(Math.max(marked, by < 0 ? 0 : -1) + by),
    readChoice: () =>
      list.hidden || document.activeElement !== input ? undefined : options[marked]?.question,
  };

  function open(shown: readonly Option[], first: number): void {
    options = shown;
    list.replaceChildren(
      makeMarkup(markup`${shown.map((option, index) => renderOption(option, `${id}-${index}`))}`),
    );
    list.hidden = false;
    input.ariaExpanded = 'true';
    marked = first;

    if (first >= 0) {
      mark(first);
    }

    const [option] = shown;
    announce(option && option.question === undefined ? option.name : `${shown.length} shown`);
  }

  function mark(index: number): void {
    marked = (index + options.length) % options.length;
    markItem(list, marked, input);
  }

  function close(): void {
    list.hidden = true;
    input.ariaExpanded = 'false';
    input.removeAttribute('aria-activedescendant');
  }
}

function markItem(list: HTMLElement, marked: number, input: HTMLInputElement): void {
  for (const [index, item] of [...list.children].entries()) {
    item.ariaSelected = String(index === marked);
  }

  const item = list.children[marked];
  if (item) {
    input.setAttribute('aria-activedescendant', item.id);
  }
}

function useKey(
  event: KeyboardEvent,
  input: HTMLInputElement,
  list: OptionList,
  showLater: () => void,
): void {
  const { key } = event;
  if (key === 'Escape') {
    // Browsers would empty the field at once.
    event.preventDefault();

    if (!list.isOpen()) {
      input.value = '';
    }

    list.close();
  } else if (key === 'ArrowDown' || key === 'ArrowUp') {
    event.preventDefault();

    if (list.isOpen()) {
      list.move(key === 'ArrowDown' ? 1 : -1);
    } else {
      showLater();
    }
  }
}

/** Answers a text, in a box of a component also a version of it. */
async function answerTo(
  component: string | undefined,
  text: string,
  search?: 'whole',
): Promise<ShownAnswer> {
  const question = component !== undefined && /^v?\d/i.test(text) ? `${component} ${text}` : text;
  const result = await answerText(question, search).catch(offerSearch);
  const isTooMuch =
    result.kind === 'search' || (result.kind === 'problem' && result.reason.startsWith('too-'));
  return (isTooMuch && (await askHost(question))) || result;
}

async function answerText(question: string, search?: 'whole'): Promise<ShownAnswer> {
  if (search === 'whole') {
    return (await loadMore()).askWhole(question);
  }

  return (await askNamed(index, question)) ?? (await loadMore()).askAnything(question);
}

/** The script of questions that are not just a name and a version. */
function loadMore(): Promise<typeof More> {
  return loadScript('./more.js');
}

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
    .slice(0, mostOptions)
    .map(({ name, title }) => ({ name: title, question: name }));
}

function renderFailure(error: Error): ShownAnswer {
  return { kind: 'problem', reason: 'unknown', message: describeFailure(error), examples: [] };
}

function renderOption({ tone = 'none', name, end = '', remedy = '' }: Option, id: string): Markup {
  return markup`<li id="${id}" role="option" class="tone-${tone}"><span><b>${name}</b> <span class="ends">${markDays(end)}</span></span><span class="advice">${remedy}</span></li>`;
}

function listOptions(answer: ShownAnswer, text: string): Option[] {
  switch (answer.kind) {
    case 'version': {
      const { judged, details } = answer;
      const parsed = judged && judged.lines.length > 0 ? parseVersion(judged.version) : undefined;
      if (!parsed || !details) {
        return [createVersionOption({ ...answer.answer, question: text, answer: answer.answer })];
      }

      return listLines(details.lines, parsed)
        .slice(-mostOptions)
        .reverse()
        .map((line) => ({
          tone: stateTones[line.state],
          name: `${details.title} ${line.line}`,
          end: describeEnd(line) || stateLabels[line.state].toLowerCase(),
          question: `${details.component} ${line.line}`,
        }));
    }
    case 'choices':
      return answer.choices.map(createVersionOption);
    case 'releases':
      return [{ name: describeResults(answer.releases, answer.notes), question: text }];
    case 'page':
      return [{ name: answer.text, question: text }];
    case 'search':
      return [{ name: describeSearch(answer.releases), question: text }];
    case 'problem':
      return [{ name: answer.message }];
  }
}

function createVersionOption({ title, question, answer }: Choice): Option {
  if (!answer) {
    return { name: title, question };
  }

  const {
    state,
    label,
    version,
    moveTo,
    isSupported,
    supportedUntil: until,
    supportedUntilAtMost: untilAtMost,
  } = answer;
  const phases = [{ name: 'support', until, untilAtMost }];
  const hasEnd = until !== undefined || untilAtMost !== undefined;

  return {
    tone: findTone(state),
    name: `${title} ${version}`,
    end:
      (hasEnd && describeEnd({ state, isSupported, phase: undefined, phases })) ||
      label.toLowerCase(),
    remedy: moveTo ? `→ ${moveTo.version ?? moveTo.component}` : '',
    question,
  };
}
