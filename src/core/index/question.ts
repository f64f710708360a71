/** Whether a text names a component or a version, or is a query. No zod and no Node: pages load it. */
import type { Item } from './item.ts';
import { findName, type Names } from './owners.ts';

/** Behind a name: nothing, or a word with a number that is not `field:…`. In `svc isLatest`, the second word is of a query. */
const versionForm = /^(?!\s+[a-z]+:)[\s@:=]*(?:\S*\d\S*)?$/i;

/** What a text names that may as well be a query; undefined for a query, which needs none of what is loaded here. */
export async function readQuestion(text: string, names: Names): Promise<Item | undefined> {
  const name = findName(text.toLowerCase(), names);
  const isOfName = name !== undefined && versionForm.test(text.slice(name.length));
  if (!isOfName && !isPurl(text)) {
    return undefined;
  }

  const { readText } = await import('./item.ts');
  return readText(text, names)?.[0];
}

/** It is no query, whether the index knows it or not. */
export function isPurl(text: string): boolean {
  return /^pkg:/i.test(text);
}
