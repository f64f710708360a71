/** Loads documents, the names of components, and verdicts for answers on pages. Creates HTML elements. */
import type { Item } from '../../ask/item.ts';
import { listOwners, type Names } from '../../ask/owners.ts';
import { findItems, type Entry } from '../../ask/verdicts.ts';
import { nameAnchor } from '../../core/anchors.ts';
import { formatDay } from '../../core/phrases.ts';
import type { Status } from '../../core/schema/documents.ts';

export interface Answer {
  readonly content: readonly (string | Node)[];
  /** The URL to open or show for this answer: a page, an anchor, or `#c=…` with a reader's list. */
  readonly address?: string | undefined;
}

/** Loads a document of this site. Throws if the host does not have the document. */
export async function fetchDocument<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) {
    throw new Error(`${path} answered ${response.status}.`);
  }

  return response.json();
}

/** Loads the names of all components. */
export async function loadNames(): Promise<Names> {
  return listOwners(await fetchDocument<Status>('status.json'));
}

/** Finds, for each entry of a reader's list, the component and the verdict. */
export function findEntries(items: readonly Item[], names: Names): Promise<Entry[]> {
  return findItems(items, names, (component) => fetchDocument(`details/${component}.json`));
}

/** Creates an HTML element with a text. Dates in the text become readable: `2027-01-15` → `15 Jan 2027`. */
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

/** Returns the URL of a version's row, or of a component's page: `svc.html#v2025.1`, `svc.html`. */
export function findAddress(component: string, version = ''): string {
  const anchor = version && `#${nameAnchor(version)}`;
  return `${component}.html${anchor}`;
}
