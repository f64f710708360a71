/** Decides whether a text names a component or a version, or is a query. Pages run this file, so it imports neither zod nor Node. */
import { releaseFields } from './query/release-fields.ts';
import { readPurl, readText, type Item } from './item.ts';
import { findName, type Names } from './owners.ts';

/**
 * Matches the text after a component's name if it is empty or may be a version: a word with a digit. Does not match `field:…`, which
 * belongs to a query.
 */
const versionForm = /^(?!\s+[a-z]+:)[\s@:=]*(?![\s@:=])((?=[^\s\d]*\d)\S+)?$/i;
/** Matches the text after a component's name if it may be a codename, as in `debian bookworm` and `debian:bookworm-slim`. */
const codenameForm = /^[\s@:]([a-z][a-z-]+)$/i;

/** Reads the item that a text names. Undefined if the text is a query. */
export function readQuestion(text: string, names: Names): Item | undefined {
  const name = findName(text.toLowerCase(), names);
  const rest = name === undefined ? '' : text.slice(name.length);
  const stated = name === undefined ? undefined : (versionForm.exec(rest) ?? readCodename(rest));
  if (!stated && !isPurl(text)) {
    return undefined;
  }

  return isPurl(text)
    ? readPurl(text)
    : (readText(text, names) ?? { text, name: name!, version: stated?.[1] });
}

/** Reads a word that may be a codename. Rejects words of a query: the field in `svc isLatest`, and the operator in `svc or`. */
function readCodename(text: string): RegExpExecArray | undefined {
  const match = codenameForm.exec(text);
  const word = match?.[1]?.toLowerCase() ?? '';
  const isOfQuery =
    ['and', 'or', 'not'].includes(word) ||
    releaseFields.some(({ name }) => name.toLowerCase() === word);
  return isOfQuery ? undefined : (match ?? undefined);
}

/** Tells whether a text is a package URL. It is then never a query, even if the index does not contain the package. */
export function isPurl(text: string): boolean {
  return /^pkg:/i.test(text);
}
