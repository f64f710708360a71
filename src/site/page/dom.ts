import { releaseAnchor } from '../../core/anchors.ts';
import type { Markup } from '../../core/markup.ts';
import { markDays } from '../render/html/end-view.ts';

/** The first element of a selector, which the page has. */
export function find<E extends Element = HTMLElement>(selector: string, from: ParentNode = document): E {
  return from.querySelector<E>(selector)!;
}

export function findAll<E extends Element = HTMLElement>(selector: string, from: ParentNode = document): E[] {
  return [...from.querySelectorAll<E>(selector)];
}

/** Anything but an element or a text is left out. */
export type Child = Node | string | false | undefined;

/** A text stays a text, whatever it contains. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...(children.filter(Boolean) as Node[]));
  return element;
}

/** The nodes of a part that the build writes, too. */
export function makeMarkup({ markup }: Markup): DocumentFragment {
  return document.createRange().createContextualFragment(markup);
}

/** A text with each day as people read it. */
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

/** Gives a text to screen readers, also twice in a row. */
export function announce(text: string): void {
  const announcement = find('#announcement');
  announcement.textContent = '';
  requestAnimationFrame(() => {
    announcement.textContent = text;
  });
}

/** The row of a release, where the page has it. */
export function releaseRow(version: string): HTMLElement | null {
  return document.getElementById(releaseAnchor(version));
}

/** Opens the closed parts of the page that hold an element. False if there is none. */
export function openAround(element: Element | null): boolean {
  const closed = element?.closest<HTMLDetailsElement>('details:not([open])');
  if (!closed) return false;
  closed.open = true;
  openAround(closed);
  return true;
}

const calmMs = 200;

/** Calls the function when nothing has asked for it for a moment: not with each letter. */
export function debounce(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, calmMs);
  };
}

/** A button that copies a text and says so. */
export function copyText(label: string, text: string): HTMLButtonElement {
  const button = makeButton('', label, async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    announce(`Copied ${text}`);
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
  return button;
}

/** A button that copies a text. Where the browser forbids it, the button selects the element that shows the text. */
export function copyButton(element: HTMLElement, what: string, textOf: () => string): HTMLButtonElement {
  const button = makeButton('copy', 'Copy', async () => {
    try {
      await navigator.clipboard.writeText(textOf());
    } catch {
      getSelection()!.selectAllChildren(element);
      announce('It is selected now: copy it with your keyboard.');
      return;
    }
    button.textContent = 'Copied';
    announce(`Copied ${what}`);
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  button.ariaLabel = `Copy ${what}`;
  return button;
}

/** Beside a short text, in the corner of a block. */
export function addCopyButton(element: HTMLElement): void {
  const button = copyButton(element, element.dataset['copy']!, () => element.textContent);
  if (element.tagName !== 'PRE') return element.after(button);
  const block = make('div', { className: 'pre' });
  element.replaceWith(block);
  block.append(element, button);
}
