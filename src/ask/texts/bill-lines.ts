import { createLineCounter, maskEscapes } from '../../core/text/document-text.ts';
import type { Fields } from './bill-formats.ts';

/** A string without escapes, which is a key if a colon is behind it, or a mark. */
const tokens = /"[^"]*"(?=(\s*:)?)|[{}[\],]/g;

/**
 * The line, from 1, of the package URL of each object in a document, or else of its name. `document`: the parsed `json`, in which no
 * object has a key twice.
 */
export function findIdentityLines(json: string, document: object): ReadonlyMap<unknown, number> {
  const lineAt = createLineCounter(json);
  const lines = new Map<unknown, number>();
  // The open objects and lists, each with the key or the position of its next value.
  const open: { value: unknown; next: string | number }[] = [{ value: [document], next: 0 }];

  for (const { 0: token, 1: colon, index } of maskEscapes(json).matchAll(tokens)) {
    const around = open.at(-1)!;
    if (token === '{' || token === '[') {
      open.push({ value: (around.value as Fields)[around.next], next: 0 });
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (colon !== undefined) {
      const key = JSON.parse(json.slice(index, index + token.length)) as string;
      around.next = key;
      if (key === 'purl' || (key === 'name' && !lines.has(around.value))) {
        lines.set(around.value, lineAt(index));
      }
    } else if (token === ',' && typeof around.next === 'number') {
      around.next += 1;
    }
  }

  return lines;
}
