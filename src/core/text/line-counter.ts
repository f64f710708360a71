/** Finds the line, from 1, of an offset in a text. It counts from the last offset on, forwards or backwards. */
export function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let position = 0;

  return (offset) => {
    for (; position < offset; position += 1) {
      line += text[position] === '\n' ? 1 : 0;
    }
    for (; position > offset; position -= 1) {
      line -= text[position - 1] === '\n' ? 1 : 0;
    }

    return line;
  };
}
