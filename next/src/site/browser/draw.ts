import { formatDay, nameAnchor } from '../../core/words.ts';

/** An element with a text, in which days are readable. */
export function createElement(tag: string, text = '', className = ''): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text.replaceAll(/\b\d{4}-\d\d-\d\d\b/g, formatDay);
  return element;
}

/** A link to the row of a version. */
export function createLink(component: string, version: string, text: string): HTMLElement {
  const link = document.createElement('a');
  link.href = `${component}.html#${nameAnchor(version)}`;
  link.textContent = text;
  return link;
}
