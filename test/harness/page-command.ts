const entities: Readonly<Record<string, string>> = {
  amp: '&',
  '#x3D': '=',
  '#x60': '`',
  gt: '>',
  lt: '<',
  '#x27': "'",
  quot: '"',
};

/** What can be copied from a page, by its title, as a person copies it. */
export function snippetsIn(html: string): Map<string, string> {
  const found = html.matchAll(/<pre data-copy="([^"]*)"[^>]*><code>([^<]*)/g);
  const plain = (text: string) => text.replaceAll(/&([#\w]+);/g, (_, name: string) => entities[name]!);
  return new Map(Array.from(found, ([, title, text]) => [plain(title!), plain(text!)]));
}

export function copiedFrom(html: string, label: string): string {
  const text = snippetsIn(html).get(label);
  if (text === undefined) throw new Error(`the page has no "${label}"`);
  return text;
}
