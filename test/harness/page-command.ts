const entities: Readonly<Record<string, string>> = {
  amp: '&',
  '#x3D': '=',
  gt: '>',
  lt: '<',
  '#x27': "'",
  quot: '"',
};

/** A text of a page that can be copied, as a person copies it. */
export function copiedFrom(html: string, label: string): string {
  const text = new RegExp(`<pre data-copy="${label}"[^>]*><code>([^<]*)`).exec(html)?.[1];
  if (text === undefined) throw new Error(`the page has no "${label}"`);
  return text.replaceAll(/&([#\w]+);/g, (_, name: string) => entities[name]!);
}
