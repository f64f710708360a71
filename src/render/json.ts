/** A string as JSON. Most versions and addresses need no escaping, and the general function is slow for those. */
export function quote(text: string): string {
  return /^[\w !#$%&'()*+,./:;<=>?@[\]^`{|}~-]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** One document on one line for each element, so that a diff of two days shows releases. */
export function jsonLines(head: string, items: readonly string[], tail: string): string {
  if (items.length === 0) return `${head}[]${tail}`;
  return `${head}[\n    ${items.join(',\n    ')}\n  ]${tail}`;
}
