import { pieceLength } from './pieces.ts';

const plain = /^[\w !#$%&'()*+,./:;<=>?@[\]^`{|}~-]*$/;

/** A string as JSON. */
export function quote(text: string): string {
  return `"${escapeJson(text)}"`;
}

/** What stands between the quotes. Most versions and addresses need no escaping, and the general function is slow for those. */
export function escapeJson(text: string): string {
  return plain.test(text) ? text : JSON.stringify(text).slice(1, -1);
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
