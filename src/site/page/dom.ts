import { releaseAnchor } from '../render/addresses.ts';

/** The first element of a selector, which the page has. */
export function find<E extends Element = HTMLElement>(selector: string, from: ParentNode = document): E {
  return from.querySelector<E>(selector)!;
}

export function findAll<E extends Element = HTMLElement>(selector: string, from: ParentNode = document): E[] {
  return [...from.querySelectorAll<E>(selector)];
}

/** What is not there is left out. */
type Child = Node | string | false | undefined;

/** Whatever a text contains, it stays text. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...(children.filter(Boolean) as Node[]));
  return element;
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

/** Says it to screen readers, also twice in a row. */
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

/** Opens the closed part of the page in which an element stands, if there is one. */
export function unfold(element: Element | null): Element | null | undefined {
  const fold = element?.closest<HTMLDetailsElement>('details:not([open])');
  if (fold) fold.open = true;
  return fold;
}

const calmMs = 200;

/** Does it when nothing has called for it again for a moment: nobody is asked with each letter. */
export function calmly(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, calmMs);
  };
}
