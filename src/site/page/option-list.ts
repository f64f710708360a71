import { describeSearch } from '../../ask/answers/ask.ts';
import type { Choice } from '../../ask/answers/version-answer.ts';
import { listLines } from '../../ask/answers/find-release.ts';
import { describeResults } from '../../ask/answers/search-releases.ts';
import { describeAnswerEnd } from '../../ask/answers/verdict-sentences.ts';
import { parseVersion } from '../../core/model/version.ts';
import { findTone, describeEnd, stateLabels, stateTones } from '../../core/model/words.ts';
import { markDays, markup, type Markup } from '../render/html/markup.ts';
import { announce, fill, makeElement, on } from './dom.ts';
import type { ShownAnswer } from './support-evidence.ts';

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

let lists = 0;

/** The list below a field. `choose`: asks the question of an option. */
export function makeOptionList(
  form: HTMLFormElement,
  input: HTMLInputElement,
  choose: (question: string) => void,
) {
  lists += 1;

  const id = `answers-${lists}`;
  const list = makeElement(
    markup`<ul id="${id}" class="options" role="listbox" aria-label="Answers" hidden></ul>`,
  );
  form.append(list);
  input.setAttribute('aria-controls', id);

  let options: readonly Option[] = [];
  /** The index of the marked option, -1 for none. */
  let marked = -1;

  close();
  on(input, 'blur', close);
  // A press on the list leaves the focus in the field.
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
    /** Marks the next option or the one before; without a mark, the first or the last. */
    move: (by: 1 | -1) => mark(Math.max(marked, by < 0 ? 0 : -1) + by),
    /** The question of the marked option, while a person is in the field: a button asks what was typed. */
    readChoice: () =>
      list.hidden || document.activeElement !== input ? undefined : options[marked]?.question,
  };

  /** Shows options. `first`: the marked one, -1 for none. */
  function open(shown: readonly Option[], first: number): void {
    options = shown;
    fill(list, ...shown.map((option, index) => renderOption(option, `${id}-${index}`)));
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

/** Escape closes the list or empties the field, and arrows move the mark. `suggest`: opens the list. */
export function handleKey(
  event: KeyboardEvent,
  input: HTMLInputElement,
  list: ReturnType<typeof makeOptionList>,
  suggest: () => void,
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
      suggest();
    }
  }
}

function renderOption({ tone = 'none', name, end = '', remedy = '' }: Option, id: string): Markup {
  return markup`<li id="${id}" role="option" class="tone-${tone}"><span><b>${name}</b> <span class="ends">${markDays(end)}</span></span><span class="advice">${remedy}</span></li>`;
}

/** The options of an answer to a text, most often one. */
export function listOptions(answer: ShownAnswer, text: string): Option[] {
  switch (answer.kind) {
    case 'version': {
      const { judged, details } = answer;
      const parsed = judged && judged.lines.length > 0 ? parseVersion(judged.version) : undefined;
      if (!parsed || !details) {
        return [createVersionOption({ ...answer.answer, question: text, answer: answer.answer })];
      }

      return listLines(details.lines, parsed)
        .slice(-maxOptions)
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

  const { state, label, version, moveTo } = answer;
  return {
    tone: findTone(state),
    name: `${title} ${version}`,
    end: describeAnswerEnd(answer) || label.toLowerCase(),
    remedy: moveTo ? `→ ${moveTo.version ?? moveTo.component}` : '',
    question,
  };
}
