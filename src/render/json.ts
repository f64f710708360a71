import type { Release } from '../policy/release.ts';
import { isNumeric } from '../version.ts';
import { pieceLength } from './pieces.ts';

const plain = /^[\w !#$%&'()*+,./:;<=>?@[\]^`{|}~-]*$/;

/** A string as JSON. Most need no escaping, and the general function is slow for those. */
export function quote(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** A version between the quotes. An address of a changelog can stand there as it is: none has a character that JSON escapes. */
export function versionInJson({ version, parsed }: Release): string {
  return isNumeric(parsed) ? version : quote(version).slice(1, -1);
}

/** One document on one line for each element, so that a diff of two days shows releases. In pieces: it may be long. */
export function* jsonLines<Item>(
  head: string,
  items: readonly Item[],
  render: (item: Item) => string,
  tail: string,
): Generator<string> {
  let piece = `${head}[`;
  let separator = '\n    ';
  // By index here and in the other loops over all releases: the protocol of iterators makes an object for each step.
  for (let at = 0; at < items.length; at += 1) {
    piece += separator + render(items[at]!);
    separator = ',\n    ';
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}${items.length > 0 ? '\n  ' : ''}]${tail}`;
}
