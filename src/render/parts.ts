import type { SiteFile } from './site-context.ts';

/** Hosts take files up to 25 MiB, so that a longer document of all components is published in parts. */
const maxPartLength = 20 * 2 ** 20;

/** Documents that hold something of every component: `all.json`, `search.json`. */
export const documentsInParts = ['all', 'search'] as const;
export type DocumentInParts = (typeof documentsInParts)[number];

/** Names of components, in their order, by the path of the file that holds their documents. */
export type Parts = Readonly<Record<string, readonly string[]>>;

/** All in `all.json` if there is room for it, otherwise in `all/1.json` and so on. `lengthOf`: bytes of what it holds of one. */
export function divideIntoParts(
  document: DocumentInParts,
  names: readonly string[],
  lengthOf: (name: string) => number,
  limit = maxPartLength,
): Parts {
  const parts: string[][] = [[]];
  let length = 0;
  for (const name of names) {
    length += lengthOf(name);
    if (length > limit && parts.at(-1)!.length > 0) {
      parts.push([]);
      length = lengthOf(name);
    }
    parts.at(-1)!.push(name);
  }
  if (parts.length === 1) return { [`${document}.json`]: parts[0]! };
  return Object.fromEntries(parts.map((part, index) => [`${document}/${index + 1}.json`, part]));
}

/** What it holds of each component under its name, or a list of the parts, each of which has that form. */
export function renderParts(
  document: DocumentInParts,
  parts: Parts,
  documentOf: (name: string) => Uint8Array,
): SiteFile[] {
  const whole = `${document}.json`;
  const files = Object.entries(parts).map(([path, names]) => ({ path, body: renderPart(names, documentOf) }));
  if (parts[whole]) return files;
  const list = `${JSON.stringify({ components: {}, parts: Object.keys(parts) })}\n`;
  return [...files, { path: whole, body: list }];
}

function renderPart(names: readonly string[], documentOf: (name: string) => Uint8Array): string {
  const members = names.map(
    (name) => `\n${JSON.stringify(name)}: ${Buffer.from(documentOf(name)).toString().trimEnd()}`,
  );
  return `{"components": {${members.join(',')}${names.length > 0 ? '\n' : ''}}}\n`;
}
