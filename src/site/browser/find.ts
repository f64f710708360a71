/** What answers on pages are made from: documents, names and verdicts. Loaded when somebody asks. */
import type { Item } from '../../core/index/item.ts';
import { listOwners, type Names } from '../../core/index/owners.ts';
import type { Match } from '../../core/index/verdicts.ts';
import type { Status } from '../../core/schema/documents.ts';

let lastQuestion: object | undefined;

/** Begins a question. Returns whether it still is the last: only that is answered, however slow one before it is. */
export function beginQuestion(): () => boolean {
  const question = {};
  lastQuestion = question;
  return () => lastQuestion === question;
}

/** A document of this site. */
export async function fetchDocument<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) {
    throw new Error(`${path} answers ${response.status}.`);
  }

  return response.json();
}

/** The names of all components. */
export async function loadNames(): Promise<Names> {
  return listOwners(await fetchDocument<Status>('status.json'));
}

/** The component and the verdict of each item. A query needs none, and so does not load them. */
export async function findMatches(
  items: readonly Item[],
  names: Names,
): Promise<(Match | undefined)[]> {
  const { findItems } = await import('../../core/index/verdicts.ts');
  return findItems(items, names, (component) => fetchDocument(`details/${component}.json`));
}
