import { quote } from '../../core/text.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';
import { formatPurl, parsePurl, type Purl } from './purl.ts';

/** What somebody uses, as it was written, and where. */
export interface Item {
  readonly text: string;
  readonly file?: string;
  /** Of the file, from 1. */
  readonly line?: number;
  /** The name of a component, or of something that the index does not know. */
  readonly name?: string;
  readonly version?: string;
  readonly purl?: Purl;
}

export function namedItem(name: string, version: string | undefined): Item {
  if (version === undefined) return { text: name, name };
  return { text: `${name}@${version}`, name, version };
}

/** The version is that of the package URL, else the stated one. Undefined for a text that is no package URL. */
export function packageItem(text: string, stated?: string): Item | undefined {
  const purl = parsePurl(text);
  if (purl?.version === undefined && stated !== undefined) return purl && itemOfPurl(purl, stated);
  return purl && { text, purl, ...(purl.version !== undefined && { version: purl.version }) };
}

function itemOfPurl(purl: Purl, version: string): Item {
  const versioned = { ...purl, version };
  return { text: formatPurl(versioned), purl: versioned, version };
}

/** An entry of a document, a list or the command line: an item for each package, or version, that it says it is. */
export type Entry = readonly [Item, ...Item[]];

export interface Stated {
  /** Empty where none is stated. */
  readonly name: string;
  readonly version: string | undefined;
  readonly purls: readonly string[];
}

/** A name and a version beside package URLs count where they contradict them, so that neither hides the other. */
export function entryOf({ name, version, purls }: Stated): Entry {
  const named = namedItem(name, version);
  if (!named.text.isWellFormed())
    return [{ text: named.text }, ...purls.map((text) => packageItem(text) ?? { text })];
  const items = purls.flatMap((text): Item[] => {
    const item = packageItem(text, version) ?? { text };
    const { purl } = item;
    const isContradicted = purl && version !== undefined && !isSameVersion(purl.version!, version);
    return isContradicted ? [item, itemOfPurl(purl, version)] : [item];
  });
  const isOther = items.some(({ purl }) => purl?.name.toLowerCase() !== name.toLowerCase());
  const [first = named, ...others] = name !== '' && isOther ? [...items, named] : items;
  return [first, ...others];
}

function isSameVersion(one: string, other: string): boolean {
  const [a, b] = [parseVersion(one), parseVersion(other)];
  return one === other || (a !== undefined && b !== undefined && compareVersions(a, b) === 0);
}

/** Each entry once, where it first stands. The text of an item is none of its identity: a name may read like a version. */
export function uniqueEntries(entries: readonly Entry[]): Entry[] {
  const first = new Map<string, Entry>();
  for (const entry of entries) {
    const key = JSON.stringify(
      entry.map(({ text, name, purl, version }) => ((name ?? purl) ? [name, purl, version] : text)),
    );
    if (!first.has(key)) first.set(key, entry);
  }
  return [...first.values()];
}

export interface ReadEntries {
  readonly entries: readonly Entry[];
  /** Why the file is rejected; empty where it is not. */
  readonly problems: readonly string[];
  /** About a file that is read although something in it is not known. */
  readonly note?: string;
}

/** `name=version` or a package URL a line; what follows a `#` at the start or after a space is a comment. */
export function readItemList(text: string): ReadEntries {
  const entries: Entry[] = [];
  const problems: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const content = raw.replace(/(?:^|\s)#.*$/, '').trim();
    if (content === '') continue;
    const line = index + 1;
    const item = readLine(content);
    if (item) entries.push([{ ...item, line }]);
    else problems.push(`line ${line}: expected name=version or a package URL; got ${quote(content)}`);
  }
  return { entries, problems };
}

function readLine(content: string): Item | undefined {
  if (/^pkg:/i.test(content)) return packageItem(content);
  const [, name, version] = /^([^\s=\p{Cc}]+)=([^\s=\p{Cc}]+)$/u.exec(content) ?? [];
  return name === undefined ? undefined : namedItem(name, version);
}
