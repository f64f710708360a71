import { createLineCounter } from './line-counter.ts';

/** A string without escapes, with the colon behind it if it is a key, or a bracket. */
const tokens = /"[^"]*"(\s*:)?|[{}[\]]/g;

/** Each key of a valid JSON text, with its line, from 1. `isRepeated`: whether its object has had the key before. */
export function* readKeys(text: string) {
  const lineAt = createLineCounter(text);

  // The keys so far of each open object; undefined for an array. Half a million sets would fill the memory of a Worker.
  const keySets: (Set<string> | undefined)[] = [];

  for (const { 0: token, 1: colon, index } of maskEscapes(text).matchAll(tokens)) {
    if (token === '{' || token === '[') {
      keySets.push(token === '{' ? new Set() : undefined);
    } else if (token === '}' || token === ']') {
      keySets.pop();
    } else if (colon !== undefined) {
      const key = JSON.parse(text.slice(index, index + token.length - colon.length)) as string;
      const keys = keySets.at(-1)!;
      yield { key, line: lineAt(index), isRepeated: keys.has(key) };
      keys.add(key);
    }
  }
}

/**
 * The keys that an object of a valid JSON text has more than once, usually after a careless merge. RFC 8259, section 4, leaves open
 * which value applies; `JSON.parse` silently takes the last.
 */
export function findRepeatedKeys(text: string): { key: string; line: number }[] {
  const repeats = [];
  for (const { key, line, isRepeated } of readKeys(text)) {
    if (isRepeated) {
      repeats.push({ key, line });
    }
  }

  return repeats;
}

/** An expression that reads escapes itself would fill the stack in a string with millions of them. */
export function maskEscapes(json: string): string {
  return json.replaceAll(/\\./g, '__');
}
