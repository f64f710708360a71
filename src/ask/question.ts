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

/** Words around the name in a question such as `is node 20 still supported?`. None of them is an operator of queries. */
const questionWords = new Set(
  (
    'is are was does do did can could should will would when what which how long i we my our the a an of in for on about ' +
    'use using run running need to still yet any anymore more longer now until version versions ' +
    'support supported unsupported maintained end ends ended ending eol life date reach get gets security updates safe outdated out'
  ).split(' '),
);

/**
 * Removes the words around the name in a question: `is node 20 still supported?` → `node 20`, `Ubuntu 24.04 LTS` → `Ubuntu 24.04`. Keeps
 * such words if a name of the index contains them: `front end 2.1`.
 */
export function cutQuestion(text: string, names: Names): string {
  if (text.length > 200 || names.has(text.toLowerCase())) {
    return text;
  }

  const asked = text.replace(/[\s?!.]+$/, '').replace(/(?<=\d\s)lts$/i, '');
  const words = asked.trim().split(/\s+/);
  const isAsked = (word = '') => questionWords.has(word.toLowerCase());
  while (words.length > 1 && isAsked(words.at(-1))) {
    words.pop();
  }
  while (words.length > 1 && isAsked(words[0]) && !findName(words.join(' ').toLowerCase(), names)) {
    words.shift();
  }
  return words.join(' ') || text;
}

/** Reads the item that a text names, perhaps in a question. Undefined if the text is a query, or names nothing in the index. */
export function readQuestion(question: string, names: Names): Item | undefined {
  const text = cutQuestion(question, names);
  const name = findName(text.toLowerCase(), names);
  const rest = name === undefined ? '' : text.slice(name.length);
  const stated = name === undefined ? undefined : (versionForm.exec(rest) ?? readCodename(rest));
  if (!stated && !isPurl(text)) {
    const item = name === undefined ? undefined : readText(text, names);
    return item?.isInWords ? item : undefined;
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
