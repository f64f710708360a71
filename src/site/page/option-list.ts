import { describeSearch, type Answer } from '../../ask/answers/ask.ts';
import type { Choice } from '../../ask/answers/choices.ts';
import { describeResults } from '../../ask/search/search-releases.ts';
import { describeAnswerEnd } from '../../ask/answers/verdict-sentences.ts';
import { describeEnd, findTone, nameState, stateTones } from '../../core/model/words.ts';
import { markDays, markup, type Markup } from '../render/html/markup.ts';
import { announce, fill, makeElement, on } from './dom.ts';

/** The number of release lines in the list. */
const maxLines = 7;

/** An answer in the list. Choosing it asks `question`. */
interface Option {
  readonly tone?: string;
  readonly name: string;
  readonly end?: string;
  readonly remedy?: string | undefined;
  /** Absent for a problem, which cannot be chosen. */
  readonly question?: string;
}

/** The options of an answer to a text, most often one. */
export function listOptions(answer: Answer, text: string): Option[] {
  switch (answer.kind) {
    case 'version': {
      const { judged, details } = answer;
      if (judged.lines.length === 0) {
        const { component, title } = details;
        return [createVersionOption({ component, title, question: text, answer: answer.answer })];
      }

      return judged.lines
        .slice(-maxLines)
        .reverse()
        .map((line) => ({
          tone: stateTones[line.state],
          name: `${details.title} ${line.line}`,
          end: describeEnd(line) || nameState(line.state),
          question: `${details.component} ${line.line}`,
        }));
    }
    case 'choices':
      return answer.choices.map(createVersionOption);
    case 'releases':
      return [{ name: describeResults(answer), question: text }];
    case 'page':
      return [{ name: answer.text, question: text }];
    case 'search':
      return [{ name: describeSearch(answer.releases), question: text }];
    case 'problem':
      return [{ name: answer.message }];
  }
}

function createVersionOption({ component, title, question, answer }: Choice): Option {
  if (!answer) {
    return { name: title, question };
  }

  const { state, label, version, moveTo } = answer;
  const other = moveTo && moveTo.component !== component ? `${moveTo.component} ` : '';
  return {
    tone: findTone(state),
    name: `${title} ${version}`,
    end: describeAnswerEnd(answer) || label.toLowerCase(),
    remedy: moveTo && `→ ${other}${moveTo.version}`,
    question,
  };
}

/** The list below a field. `suggest`: opens the list for the text of the field. `choose`: asks the question of an option. */
export function makeOptionList(
  form: HTMLFormElement,
  input: HTMLInputElement,
  suggest: () => void,
  choose: (question: string) => void,
) {
  const list = addList(form, input);
  let marked: Element | null = null;

  on(input, 'keydown', handleKey);
  on(input, 'blur', close);
  on(list, 'click', (event) => {
    const question = readQuestion((event.target as Element).closest('li'));
    if (question !== undefined) {
      choose(question);
    }
  });

  return {
    open,
    close,
    /** The question of the marked option, while a person is in the field: a button asks what was typed. */
    readChoice: () =>
      list.hidden || document.activeElement !== input ? undefined : readQuestion(marked),
  };

  function open(options: readonly Option[], isFirstMarked: boolean): void {
    fill(list, ...options.map((option, index) => renderOption(option, `${list.id}-${index}`)));
    list.hidden = false;
    input.ariaExpanded = 'true';
    mark(isFirstMarked ? list.firstElementChild : null);

    const [option] = options;
    announce(option && option.question === undefined ? option.name : `${options.length} shown`);
  }

  /** Escape closes the list or empties the field, and arrows move the mark. */
  function handleKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      // Browsers would empty the field at once.
      event.preventDefault();
      if (list.hidden) {
        input.value = '';
      }
      close();
    }

    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) {
        suggest();
      } else {
        mark(findNeighbour(list, marked, event.key));
      }
    }
  }

  function mark(item: Element | null): void {
    marked = item;
    for (const each of list.children) {
      each.ariaSelected = String(each === item);
    }
    input.setAttribute('aria-activedescendant', item?.id ?? '');
  }

  function close(): void {
    list.hidden = true;
    input.ariaExpanded = 'false';
    input.removeAttribute('aria-activedescendant');
  }
}

let lists = 0;

function addList(form: HTMLFormElement, input: HTMLInputElement): HTMLElement {
  lists += 1;
  const id = `answers-${lists}`;
  const list = makeElement(
    markup`<ul id="${id}" class="options" role="listbox" aria-label="Answers" hidden></ul>`,
  );
  form.append(list);
  // A press on the list leaves the focus in the field.
  on(list, 'mousedown', (event) => event.preventDefault());
  input.setAttribute('aria-controls', id);
  return list;
}

function renderOption(option: Option, id: string): Markup {
  const { tone = 'none', name, end = '', remedy = '', question } = option;
  const ask = question === undefined ? '' : markup` data-question="${question}"`;
  const words = markup`<span><b>${name}</b> <span class="ends">${markDays(end)}</span></span><span class="advice">${remedy}</span>`;
  return markup`<li id="${id}" role="option" class="tone-${tone}"${ask}>${words}</li>`;
}

/** The option behind or before the marked one, from end to end. Without a mark, the first or the last. */
function findNeighbour(list: Element, marked: Element | null, key: 'ArrowDown' | 'ArrowUp') {
  return key === 'ArrowDown'
    ? (marked?.nextElementSibling ?? list.firstElementChild)
    : (marked?.previousElementSibling ?? list.lastElementChild);
}

function readQuestion(item: Element | null): string | undefined {
  return item?.getAttribute('data-question') ?? undefined;
}
