const characters: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"' },
  ...{ '#x27': "'", '#39': "'", '#x3D': '=' },
};

/** Returns the text of a piece of HTML, without its tags. */
export function readText(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(#?\w+);/g, (text, name: string) => characters[name] ?? text);
}
