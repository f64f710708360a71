/** A string as JSON. Most versions and addresses need no escaping, and the general function is slow for those. */
export function quote(text: string): string {
  return /^[\w !#$%&'()*+,./:;<=>?@[\]^`{|}~-]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** One document on one line for each element, so that a diff of two days shows releases. */
export function jsonLines(head: string, items: readonly string[], tail: string): string {
  if (items.length === 0) return `${head}[]${tail}`;
  return joinBetween(`${head}[\n    `, items, ',\n    ', `\n  ]${tail}`);
}

/** All in one go: what is put around a text that was joined before makes V8 write the whole text a second time. */
export function joinBetween(head: string, items: readonly string[], separator: string, tail: string): string {
  const texts = [...items];
  texts[0] = head + texts[0]!;
  texts[texts.length - 1] += tail;
  return texts.join(separator);
}
