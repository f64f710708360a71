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
  for (const item of items) {
    piece += separator + render(item);
    separator = ',\n    ';
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}${items.length > 0 ? '\n  ' : ''}]${tail}`;
}
