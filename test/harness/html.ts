const characters: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"' },
  ...{ '#x27': "'", '#39': "'", '#x3D': '=' },
};

/** The text of a piece of a page, without its tags. */
export function readText(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(#?\w+);/g, (text, name: string) => characters[name] ?? text);
}
