/** What answers on pages are drawn with. */
import { formatDay, nameAnchor } from '../../core/words.ts';

/** An element with a text, in which days are readable. */
export function createElement(tag: string, text = '', className = ''): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text.replaceAll(/\b\d{4}-\d\d-\d\d\b/g, formatDay);
  return element;
}

export function createLink(address: string, text: string): HTMLElement {
  const link = document.createElement('a');
  link.href = address;
  link.textContent = text;
  return link;
}

/** The address of the row of a version, or of the page of a component. */
export function findAddress(component: string, version = ''): string {
  const anchor = version && `#${nameAnchor(version)}`;
  return `${component}.html${anchor}`;
}
