import { markup } from '../render/html/markup.ts';
import { announce, makeElement, on } from './dom.ts';

/** Adds a button that copies the text of an element: next to a short or hidden text, or in the corner of a block. */
export function addCopyButton(element: HTMLElement): void {
  const name = element.dataset['copy']!;
  const label = element.hidden ? name : 'Copy';
  const button = makeElement(
    markup`<button type="button" class="copy" aria-label="Copy ${name}">${label}</button>`,
  );
  copyOnClick(button, element, name);
  if (element.tagName !== 'PRE') {
    return element.after(button);
  }

  const block = makeElement(markup`<div class="code-block"></div>`);
  element.replaceWith(block);
  block.append(element, button);
}

/** Makes a button with `data-text` copy that text. */
export function setUpCopying(button: HTMLElement): void {
  const text = button.dataset['text']!;
  const shown = makeElement(markup`<code hidden>${text}</code>`);
  button.after(shown);
  copyOnClick(button, shown, text);
}

/**
 * Makes a button copy the text of an element. If the browser forbids it, the element is shown and selected: some pages may not use
 * the clipboard, and a page over plain http has none.
 */
function copyOnClick(button: HTMLElement, element: HTMLElement, name: string): void {
  const label = button.textContent;
  on(button, 'click', async () => {
    try {
      await navigator.clipboard.writeText(element.textContent);
    } catch {
      element.hidden = false;
      getSelection()!.selectAllChildren(element);
      return announce('Selected. Copy it by keyboard.');
    }

    button.textContent = 'Copied';
    announce(`Copied ${name}`);
    setTimeout(() => (button.textContent = label), 2000);
  });
}
