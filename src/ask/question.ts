/** Decides whether a text names a component or a version, or is a query. Pages run this file, so it imports neither zod nor Node. */
import { readPurl, readText, type Item } from './item.ts';
import { findName, type Names } from './owners.ts';

/** The text after a name: nothing, or a word with a number that is not `field:…`. In `svc isLatest`, the second word belongs to a query. */
const versionForm = /^(?!\s+[a-z]+:)[\s@:=]*(?![\s@:=])(?:v(?=\d))?((?=[^\s\d]*\d)\S+)?$/i;

/** Reads the item that a text names. Undefined for a query. */
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

/** Tells whether a text is certainly no query, even if the index does not know it. */
export function isPurl(text: string): boolean {
  return /^pkg:/i.test(text);
}
