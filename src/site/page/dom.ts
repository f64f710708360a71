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

/** Makes a button with `data-text` copy that text. If the browser forbids it, the text takes the place of the button. */
export function setUpCopying(button: HTMLElement): void {
  const text = button.dataset['text']!;
  copyOnClick(button, text, text, () => {
    const shown = makeElement(markup`<code>${text}</code>`);
    button.replaceWith(shown);
    return shown;
  });
}

/** Adds a button that copies the text of an element: next to a short text, or in the corner of a block. */
export function addCopyButton(element: HTMLElement): void {
  const name = element.dataset['copy']!;
  const label = element.hidden ? name : 'Copy';
  const button = makeElement(
    markup`<button type="button" class="copy" aria-label="Copy ${name}">${label}</button>`,
  );
  copyOnClick(button, element.textContent, name, () => element);
  if (element.tagName !== 'PRE') {
    return element.after(button);
  }

  const block = makeElement(markup`<div class="code-block"></div>`);
  element.replaceWith(block);
  block.append(element, button);
}

/**
 * Makes a button copy a text. `show`: returns an element with the text, to select if the browser forbids it. It forbids the
 * clipboard to some pages, and has none for a page over plain http.
 */
function copyOnClick(
  button: HTMLElement,
  text: string,
  name: string,
  show: () => HTMLElement,
): void {
  const label = button.textContent;
  on(button, 'click', async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection()!.selectAllChildren(show());
      return announce('Selected. Copy it by keyboard.');
    }

    button.textContent = 'Copied';
    announce(`Copied ${name}`);
    setTimeout(() => (button.textContent = label), 2000);
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
