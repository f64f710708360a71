import { markup, type Markup } from '../render/html/markup.ts';

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

/** The nodes of escaped markup. The only way in which the script makes elements. */
export function makeMarkup({ markup }: Markup): DocumentFragment {
  return document.createRange().createContextualFragment(markup);
}

/** Shows markup as the content of an element. */
export function fill(element: Element, ...parts: readonly (Markup | string)[]): void {
  element.replaceChildren(makeMarkup(markup`${parts}`));
}

/** The one element of escaped markup. */
export function makeElement<E extends Element = HTMLElement>(part: Markup): E {
  return makeMarkup(part).firstElementChild as E;
}

export function on<Event extends keyof HTMLElementEventMap>(
  target: EventTarget,
  event: Event,
  work: (event: HTMLElementEventMap[Event]) => void,
): void {
  target.addEventListener(event, work as EventListener);
}

/** For work whose failure needs no message: the page stays as it was built, or whatever needs the result next reports it. */
export function ignoreFailure(work: Promise<unknown>): void {
  work.catch(() => {});
}

/** Announces a text to screen readers, even if it repeats the last one. */
export function announce(text: string): void {
  const announcement = find('#announcement');
  announcement.textContent = '';
  requestAnimationFrame(() => {
    announcement.textContent = text;
  });
}

/** Shows the place of an answer that is still to come, as high as the window, and brings it into sight. */
export function keepPlace(): void {
  const container = find('.place');
  if (container.childElementCount === 0) {
    container.append(makeMarkup(markup`<p class="lead">Answering…</p>`));
  }

  const { top } = container.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) {
    container.scrollIntoView();
  }
}
