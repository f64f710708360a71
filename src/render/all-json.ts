import type { SiteFile } from './site-context.ts';
import { quote } from './json.ts';

/** A document of all components that would be longer is published in parts; hosts take files up to 25 MiB. */
const maxPartLength = 20 * 2 ** 20;

/** The components, in the order of names, by the path of the file that holds their documents. */
export type Parts = Readonly<Record<string, readonly string[]>>;

/** Everything in `all.json` where there is room for it; else in `all/1.json` and so on. `lengthOf`: bytes of a document. */
export function divideAll(
  names: readonly string[],
  lengthOf: (name: string) => number,
  limit = maxPartLength,
): Parts {
  const parts: string[][] = [[]];
  let length = 0;
  for (const name of names) {
    const more = lengthOf(name);
    if (length > 0 && length + more > limit) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)!.push(name);
    length += more;
  }
  if (parts.length === 1) return { 'all.json': parts[0]! };
  return Object.fromEntries(parts.map((part, index) => [`all/${index + 1}.json`, part]));
}

/**
 * `all.json`: the documents of the components under their names. Where they are too much for one file, `all.json` lists its
 * parts, each of the form that `all.json` has otherwise. No document is asked for before its part is written.
 */
export function* renderAllFiles(parts: Parts, documentOf: (name: string) => Uint8Array): Generator<SiteFile> {
  for (const [path, names] of Object.entries(parts)) yield { path, body: renderPart(names, documentOf) };
  if (!parts['all.json']) {
    yield {
      path: 'all.json',
      body: `${JSON.stringify({ components: {}, parts: Object.keys(parts) })}\n`,
    };
  }
}

const lineEnd = 1;

function* renderPart(
  names: readonly string[],
  documentOf: (name: string) => Uint8Array,
): Generator<string | Uint8Array> {
  let before = '{"components": {';
  for (const name of names) {
    yield `${before}\n${quote(name)}: `;
    yield documentOf(name).subarray(0, -lineEnd);
    before = ',';
  }
  yield names.length === 0 ? `${before}}}\n` : '\n}}\n';
}
