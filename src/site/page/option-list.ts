import { markDays, markup, type Markup } from '../render/html/markup.ts';
import type { Option } from './answer-options.ts';
import { announce, fill, findAll, makeElement, on } from './dom.ts';

interface ListHandlers {
  /** Opens the list for the text of the field. */
  suggest(): void;
  /** Asks the question of an option. */
  choose(question: string): void;
}

/** The list of answers below a field. */
export function makeOptionList(input: HTMLInputElement, { suggest, choose }: ListHandlers) {
  const list = addList(input);
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

function addList(input: HTMLInputElement): HTMLElement {
  const id = `answers-${findAll('[role=listbox]').length}`;
  const list = makeElement(
    markup`<ul id="${id}" class="options" role="listbox" aria-label="Answers" hidden></ul>`,
  );
  input.form!.append(list);
  // A press on the list leaves the focus in the field.
  on(list, 'mousedown', (event) => event.preventDefault());
  input.setAttribute('aria-controls', id);
  return list;
}

function renderOption(option: Option, id: string): Markup {
  const { tone = 'none', name, end = '', remedy = '', question } = option;
  const ask = question === undefined ? '' : markup` data-question="${question}"`;
  const words = markup`<span><b>${name}</b> <span class="ends">${markDays(end)}</span></span>`;
  const advice = markup`<span class="advice">${remedy}</span>`;
  return markup`<li id="${id}" role="option" class="tone-${tone}"${ask}>${words}${advice}</li>`;
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
