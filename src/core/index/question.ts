/** Whether a text names a component or a version, or is a query. No zod and no Node: pages load it. */
import { readPurl, readText, type Item } from './item.ts';
import { findName, type Names } from './owners.ts';

/** Behind a name: nothing, or a word with a number that is not `field:…`. In `svc isLatest`, the second word is of a query. */
const versionForm = /^(?!\s+[a-z]+:)[\s@:=]*(?:v(?=\d))?(\S*\d\S*)?$/i;

/** What a text names that may as well be a query; undefined for a query. */
export function readQuestion(text: string, names: Names): Item | undefined {
  const name = findName(text.toLowerCase(), names);
  const stated = name === undefined ? undefined : versionForm.exec(text.slice(name.length));
  if (!stated && !isPurl(text)) {
    return undefined;
  }

  return isPurl(text)
    ? readPurl(text)
    : (readText(text, names) ?? { text, name: name!, version: stated?.[1] });
}

/** It is no query, whether the index knows it or not. */
export function isPurl(text: string): boolean {
  return /^pkg:/i.test(text);
}
