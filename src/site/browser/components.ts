/** The components of the first page whose title or name contains a text. Loaded when somebody types one. */
import { createElement } from './find.ts';

/** A list of them, with the newest release of each, from what the page has; empty where there is none. */
export function listContaining(text: string): HTMLElement[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = [...document.querySelectorAll('[aria-labelledby="components"] li')];
  const found = rows.filter((row) => {
    const link = row.firstElementChild!;
    // Its name is that of its page, without .html.
    const title = `${link.textContent} ${link.getAttribute('href')!.slice(0, -5)}`.toLowerCase();
    return words.length > 0 && words.every((word) => title.includes(word));
  });
  if (found.length === 0) {
    return [];
  }

  const list = createElement('ul', '', 'components');
  list.append(...found.map((row) => row.cloneNode(true)));
  return [list];
}
