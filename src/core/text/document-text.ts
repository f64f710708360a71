/** A string without escapes, with the colon behind it if it is a key, or a bracket. */
const tokens = /"[^"]*"(\s*:)?|[{}[\]]/g;

/**
 * Keys that occur more than once in an object of a valid JSON text, usually after a careless merge. RFC 8259, section 4, leaves
 * open which value applies; `JSON.parse` silently takes the last. Each repetition has its line. `rejected`: keys that count as repeated
 * where they occur once.
 */
export function findRepeatedKeys(text: string, rejected: readonly string[] = []) {
  const repeats: { key: string; line: number }[] = [];
  const lineAt = createLineCounter(text);

  // The keys so far of each open object; undefined for an array. Half a million sets would fill the memory of a Worker.
  const keySets: (Set<string> | undefined)[] = [];

  for (const { 0: token, 1: colon, index } of maskEscapes(text).matchAll(tokens)) {
    if (token === '{' || token === '[') {
      keySets.push(token === '{' ? new Set(rejected) : undefined);
    } else if (token === '}' || token === ']') {
      keySets.pop();
    } else if (colon !== undefined) {
      const key = JSON.parse(text.slice(index, index + token.length - colon.length)) as string;
      const keys = keySets.at(-1)!;
      if (keys.has(key)) {
        repeats.push({ key, line: lineAt(index) });
      }

      keys.add(key);
    }
  }

  return repeats;
}

/** An expression that reads escapes itself would fill the stack in a string with millions of them. */
export function maskEscapes(json: string): string {
  return json.replaceAll(/\\./g, '__');
}

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
