const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g;

export interface RepeatedKey {
  key: string;
  /** The line of its second occurrence. */
  line: number;
}

/**
 * The keys that occur more than once in an object of a JSON text, usually after a careless merge. RFC 8259, section 4,
 * does not say which one counts; `JSON.parse` silently takes the last. The text must be valid JSON.
 */
export function repeatedKeys(text: string): RepeatedKey[] {
  const repeated: RepeatedKey[] = [];
  /** The keys so far of each object that is still open; an array has none. */
  const open: Set<string>[] = [];
  // Lines are counted on from the last one that was told: a foreign document may repeat a million keys.
  let [line, counted] = [1, 0];
  for (const { 0: token, 1: colon, index } of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const key = JSON.parse(token.slice(0, -colon.length)) as string;
      const keys = open.at(-1)!;
      if (keys.has(key)) {
        line += text.slice(counted, index).split('\n').length - 1;
        counted = index;
        repeated.push({ key, line });
      }
      keys.add(key);
    }
  }
  return repeated;
}

/** Documents of ours are nested far less. */
const maxDepth = 64;

/** Whether a text opens more lists and objects in one another than any document, before a parser follows it down. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const { 0: token } of text.matchAll(tokens)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}
