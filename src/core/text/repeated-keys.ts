const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/g;

interface RepeatedKey {
  key: string;
  /** The line of its second occurrence. */
  line: number;
}

/**
 * Keys that occur more than once in an object of a valid JSON text, usually after a careless merge. RFC 8259, section 4, leaves
 * open which value applies; `JSON.parse` silently takes the last.
 */
export function repeatedKeys(text: string): RepeatedKey[] {
  const repeated: RepeatedKey[] = [];

  /** The keys so far of each open object; none for an array. */
  const open: Set<string>[] = [];

  // Count lines from the last finding, not from the start: a foreign document may repeat a million keys.
  let [line, counted] = [1, 0];

  for (const { 0: token, 1: colon, index } of text.matchAll(tokens)) {
    if (token === '{' || token === '[') {
      open.push(new Set());
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (colon !== undefined) {
      const key = JSON.parse(token.slice(0, -colon.length)) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) {
        line += text.slice(counted, index).split('\n').length - 1;
        counted = index;
        repeated.push({ key, line });
      }

      keys?.add(key);
    }
  }

  return repeated;
}

/** Our own documents are nested far less. */
const maxDepth = 64;

/** Whether a parsed document nests lists and objects deeper than any of ours: what reads it next is recursive. */
export function isTooDeep(document: unknown, depth = 0): boolean {
  if (typeof document !== 'object' || document === null) {
    return false;
  }
  if (depth === maxDepth) {
    return true;
  }

  const values: readonly unknown[] = Array.isArray(document) ? document : Object.values(document);
  return values.some((value) => isTooDeep(value, depth + 1));
}
