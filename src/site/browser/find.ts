/** What answers on pages share: documents, names, elements. Loaded when somebody asks. */
import { extractVersion } from '../../core/index/extract.ts';
import { findOwners, listOwners, suggestOwners, type Names } from '../../core/index/owners.ts';
import { parsePurl } from '../../core/purl.ts';
import type { Status } from '../../core/schema/documents.ts';
import { formatDay, nameAnchor } from '../../core/words.ts';

const { root = '' } = document.body.dataset;
let names: Promise<Names> | undefined;

/** A document of this site. */
export async function fetchDocument<T>(path: string): Promise<T> {
  const response = await fetch(root + path);
  if (!response.ok) {
    throw new Error(`${path} answers ${response.status}.`);
  }

  const document = await response.json().catch(() => undefined);
  // What is read of any: its components or releases.
  if (typeof (document?.components ?? document?.releases) !== 'object') {
    throw new Error(`${path} cannot be read: it is not of an index.`);
  }
  return document as T;
}

/** The names of all components. */
export function loadNames(): Promise<Names> {
  return (names ??= fetchDocument<Status>('status.json').then(listOwners));
}

/** The address of the page of a name, or of the row of a version; undefined for what is a query. */
export async function findPage(text: string): Promise<string | undefined> {
  const known = await loadNames();
  const purl = parsePurl(text);
  const wanted = text.trim().toLowerCase();
  const [, name = wanted, written] = /^(.*?)[\s@:=]+v?(\d\S*)$/.exec(wanted) ?? [];
  const version = purl ? purl.version : written;
  const [owner] = purl ? findOwners(purl, known) : findOwners(name, known);
  if (purl && !owner) {
    throw new Error(`${text} is not in this index.`);
  }

  const anchor = version && owner ? `#${nameAnchor(extractVersion(version, owner))}` : '';
  return owner && `${root}${owner.component}.html${anchor}`;
}

/** A question with the name that was perhaps meant. */
export async function suggestName(text: string): Promise<HTMLAnchorElement | undefined> {
  const known = await loadNames();
  const [, name = text, version = ''] = /^(.*?)([\s@:=]+v?\d\S*)?$/.exec(text) ?? [];
  const [owner] = suggestOwners(name, known);
  if (!owner) {
    return undefined;
  }

  const question = `${owner.component}${version}`;
  const link = document.createElement('a');
  link.href = `?q=${encodeURIComponent(question)}`;
  link.textContent = `Did you mean ${question}?`;
  return link;
}

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
