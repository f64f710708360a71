const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g;

export interface RepeatedKey {
  key: string;
  /** Line of the second of them. */
  line: number;
}

/**
 * The keys that an object of a JSON text has more than once: the trace of a careless merge. RFC 8259, section 4, leaves open
 * which of them counts; `JSON.parse` takes the last and says nothing. The text must be JSON.
 */
export function repeatedKeys(text: string): RepeatedKey[] {
  const repeated: RepeatedKey[] = [];
  /** Keys of the objects that are open; an array has none. */
  const open: Set<string>[] = [];
  for (const { 0: token, 1: colon, index } of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const key = JSON.parse(token.slice(0, -colon.length)) as string;
      const keys = open.at(-1)!;
      if (keys.has(key)) repeated.push({ key, line: text.slice(0, index).split('\n').length });
      keys.add(key);
    }
  }
  return repeated;
}
