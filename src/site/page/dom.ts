import { markDays, releaseAnchor, type Markup } from '../render/html/markup.ts';

/** The first element of a selector. The page must have one. */
export function find<E extends Element = HTMLElement>(
  selector: string,
  from: ParentNode = document,
): E {
  return from.querySelector<E>(selector)!;
}

export function findAll<E extends Element = HTMLElement>(
  selector: string,
  from: ParentNode = document,
): E[] {
  return [...from.querySelectorAll<E>(selector)];
}

/** `false` and `undefined` are left out. */
type Child = Node | string | false | undefined;

/** Makes an element. Strings become text, never markup. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...(children.filter(Boolean) as Node[]));
  return element;
}

/** The nodes of escaped markup. */
export function makeMarkup({ markup }: Markup): DocumentFragment {
  return document.createRange().createContextualFragment(markup);
}

/** A text with readable days. */
export function withDays(text: string): Node[] {
  return [...makeMarkup(markDays(text)).childNodes];
}

export function on<Event extends keyof HTMLElementEventMap>(
  target: EventTarget,
  event: Event,
  work: (event: HTMLElementEventMap[Event]) => void,
): void {
  target.addEventListener(event, work as EventListener);
}

export function makeButton(className: string, text: string, work: () => void): HTMLButtonElement {
  const button = make('button', { type: 'button', className }, text);
  on(button, 'click', work);
  return button;
}

/** Announces a text to screen readers, even if it repeats the last one. */
export function announce(text: string): void {
  const announcement = find('#announcement');
  announcement.textContent = '';
  requestAnimationFrame(() => {
    announcement.textContent = text;
  });
}

/** The row of a release, if the page has it. */
export function releaseRow(version: string): HTMLElement | null {
  return document.getElementById(releaseAnchor(version));
}

/** Opens the closed parts around an element. False if none was closed. */
export function openAround(element: Element | null): boolean {
  const closed = element?.closest<HTMLDetailsElement>('details:not([open])');
  if (!closed) {
    return false;
  }

  closed.open = true;
  openAround(closed);
  return true;
}

const calmMs = 200;

/** Calls the function once typing pauses. */
export function debounce(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, calmMs);
  };
}

/** A button that copies a text and reports it. */
export function copyText(label: string, text: string): HTMLButtonElement {
  const button = makeButton('', label, async () => {
    await navigator.clipboard.writeText(text);
    reportCopied(button, text);
  });
  return button;
}

function reportCopied(button: HTMLButtonElement, name: string): void {
  const label = button.textContent;

  button.textContent = 'Copied';
  announce(`Copied ${name}`);
  setTimeout(() => (button.textContent = label), 2000);
}

/** A button that copies the text of an element. If the browser forbids it, the button selects the text. */
function copyButton(element: HTMLElement, name: string): HTMLButtonElement {
  const button = makeButton('copy', element.hidden ? name : 'Copy', async () => {
    try {
      await navigator.clipboard.writeText(element.textContent);
    } catch {
      getSelection()!.selectAllChildren(element);
      return announce('Selected. Copy it by keyboard.');
    }

    reportCopied(button, name);
  });
  button.ariaLabel = `Copy ${name}`;
  return button;
}

/** The button is next to a short text, or in the corner of a block. */
export function addCopyButton(element: HTMLElement): void {
  const button = copyButton(element, element.dataset['copy']!);
  if (element.tagName !== 'PRE') {
    return element.after(button);
  }

  const block = make('div', { className: 'code-block' });
  element.replaceWith(block);
  block.append(element, button);
}

/** Keeps the place of an answer before it is there, and brings it into sight. What follows begins below the window. */
export function keepPlace(): void {
  const container = find('.place');
  if (container.childElementCount === 0) {
    container.append(make('p', { className: 'lead' }, 'Answering…'));
  }

  const { top } = container.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) {
    container.scrollIntoView();
  }
}
