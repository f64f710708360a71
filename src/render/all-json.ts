import type { SiteFile } from './site-context.ts';

/** Hosts take files up to 25 MiB, so that a longer document of all components is published in parts. */
const maxPartLength = 20 * 2 ** 20;

/** Names of components, in their order, by the path of the file that holds their documents. */
export type Parts = Readonly<Record<string, readonly string[]>>;

/** All in `all.json` if there is room for it, otherwise in `all/1.json` and so on. `lengthOf`: bytes of a document. */
export function divideAll(
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
  if (parts.length === 1) return { 'all.json': parts[0]! };
  return Object.fromEntries(parts.map((part, index) => [`all/${index + 1}.json`, part]));
}

/** `all.json`: the components' documents under their names, or a list of the parts, each of which has that form. */
export function renderAllFiles(parts: Parts, documentOf: (name: string) => Uint8Array): SiteFile[] {
  const files = Object.entries(parts).map(([path, names]) => ({ path, body: renderPart(names, documentOf) }));
  if (parts['all.json']) return files;
  const list = `${JSON.stringify({ components: {}, parts: Object.keys(parts) })}\n`;
  return [...files, { path: 'all.json', body: list }];
}

function renderPart(names: readonly string[], documentOf: (name: string) => Uint8Array): string {
  const members = names.map(
    (name) => `\n${JSON.stringify(name)}: ${Buffer.from(documentOf(name)).toString().trimEnd()}`,
  );
  return `{"components": {${members.join(',')}${names.length > 0 ? '\n' : ''}}}\n`;
}
