/** Finds components on the home page by words of their title, name or description. */
import { createElement } from './find.ts';

/**
 * Returns a list of the components whose title, name or description contains each word of a text. Its rows are copied from the page. Empty
 * if there are none.
 */
export function listContaining(text: string): HTMLElement[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = [...document.querySelectorAll('[aria-labelledby="components"] li')];
  const found = rows.filter((row) => {
    const link = row.firstElementChild as HTMLAnchorElement;
    // A component's link is its name and `.html`, such as `svc.html`.
    const name = link.getAttribute('href')!.slice(0, -5);
    const texts = `${link.textContent} ${name} ${link.title}`.toLowerCase();
    return words.length > 0 && words.every((word) => texts.includes(word));
  });
  if (found.length === 0) {
    return [];
  }

  const list = createElement('ul', '', 'components');
  for (const row of found) {
    const copy = row.cloneNode(true) as Element;
    // A copied row has no id. The letters above the list of components must lead to the original row.
    copy.removeAttribute('id');
    list.append(copy);
  }
  return [list];
}
