import { markDays, markup, type Markup } from '../render/html/markup.ts';
import { announce, fill, makeElement, on } from './dom.ts';

/** The number of lines or components in the list. */
export const maxOptions = 7;

/** An answer in the list. Choosing it asks `question`. */
export interface Option {
  readonly tone?: string;
  readonly name: string;
  readonly end?: string;
  readonly remedy?: string;
  readonly question?: string;
}

/** The list below a field. `suggest`: opens the list for the text of the field. `choose`: asks the question of an option. */
export function makeOptionList(
  form: HTMLFormElement,
  input: HTMLInputElement,
  suggest: () => void,
  choose: (question: string) => void,
) {
  const list = addList(form, input);
  let options: readonly Option[] = [];
  /** The index of the marked option, -1 for none. */
  let marked = -1;

  on(input, 'keydown', handleKey);
  on(input, 'blur', close);
  on(list, 'click', (event) => {
    const option = options[[...list.children].indexOf((event.target as Element).closest('li')!)];
    if (option?.question !== undefined) {
      choose(option.question);
    }
  });

  return {
    open,
    close,
    /** The question of the marked option, while a person is in the field: a button asks what was typed. */
    readChoice: () =>
      list.hidden || document.activeElement !== input ? undefined : options[marked]?.question,
  };

  /** Shows options. `first`: the marked one, -1 for none. */
  function open(shown: readonly Option[], first: number): void {
    options = shown;
    fill(list, ...shown.map((option, index) => renderOption(option, `${list.id}-${index}`)));
    list.hidden = false;
    input.ariaExpanded = 'true';
    marked = first;
    markItem(list, marked, input);

    const [option] = shown;
    announce(option && option.question === undefined ? option.name : `${shown.length} shown`);
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
        // Without a mark, the first or the last.
        mark(event.key === 'ArrowDown' ? marked + 1 : Math.max(marked, 0) - 1);
      }
    }
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

function markItem(list: HTMLElement, marked: number, input: HTMLInputElement): void {
  for (const [index, item] of [...list.children].entries()) {
    item.ariaSelected = String(index === marked);
  }

  input.setAttribute('aria-activedescendant', list.children[marked]?.id ?? '');
}

function renderOption({ tone = 'none', name, end = '', remedy = '' }: Option, id: string): Markup {
  return markup`<li id="${id}" role="option" class="tone-${tone}"><span><b>${name}</b> <span class="ends">${markDays(end)}</span></span><span class="advice">${remedy}</span></li>`;
}
