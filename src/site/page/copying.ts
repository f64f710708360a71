import { announce, make, makeButton } from './dom.ts';

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
