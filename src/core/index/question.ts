/** Whether a text names a component or a version, or is a query. No zod and no Node: pages load it. */
import { readText, type Item } from './item.ts';
import { findName, type Names } from './owners.ts';

/** Behind a name: nothing, or a word with a number that is not `field:…`. In `svc isLatest`, the second word is of a query. */
const versionForm = /^(?!\s+[a-z]+:)[\s@:=]*(?:\S*\d\S*)?$/i;

/** What a text names that may as well be a query; undefined for a query. */
export function readQuestion(text: string, names: Names): Item | undefined {
  const name = findName(text.toLowerCase(), names);
  const isOfName = name !== undefined && versionForm.test(text.slice(name.length));
  return isOfName || isPurl(text) ? readText(text, names)?.[0] : undefined;
}

/** It is no query, whether the index knows it or not. */
export function isPurl(text: string): boolean {
  return /^pkg:/i.test(text);
}
