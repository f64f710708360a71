/** What answers on pages share: documents, names, verdicts, elements. */
import type { Item } from '../../core/index/item.ts';
import { listOwners, type Names } from '../../core/index/owners.ts';
import { findItems, type Entry } from '../../core/index/verdicts.ts';
import type { Status } from '../../core/schema/documents.ts';
import { formatDay, nameAnchor } from '../../core/words.ts';

export interface Answer {
  /** What the page shows. */
  readonly content: readonly (string | Node)[];
  /** The page or the place that answers, or the list as an address. */
  readonly address?: string | undefined;
}

/** A document of this site. */
export async function fetchDocument<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) {
    throw new Error(`${path} answers ${response.status}.`);
  }

  return response.json();
}

/** The names of all components. The page of one does not load them. */
export async function loadNames(): Promise<Names> {
  return listOwners(await fetchDocument<Status>('status.json'));
}

/** The components and verdicts of items. */
export function findEntries(items: readonly Item[], names: Names): Promise<Entry[]> {
  return findItems(items, names, (component) => fetchDocument(`details/${component}.json`));
}

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
