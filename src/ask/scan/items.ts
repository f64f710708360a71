import { defined, quote } from '../../core/text.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';
import { formatPurl, imageOf, parsePurl, type Purl } from '../../core/purl.ts';

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
  /** What a document states of its bytes: `sha256:0f1e…`. */
  readonly digests?: readonly string[];
  /** The repository that it is said to be built from. */
  readonly repositoryUrl?: string;
  /** The object of a document that states it. */
  readonly element?: object;
}

function namedItem(name: string, version: string | undefined): Item {
  if (version === undefined) return { text: name, name };
  return { text: `${name}@${version}`, name, version };
}

/** The version is that of the package URL, else the stated one. Undefined for a text that is no package URL. */
function packageItem(text: string, stated?: string): Item | undefined {
  const purl = parsePurl(text);
  // The version of an OCI artifact is a digest; its tag is what people call the version of an image.
  const version = purl && (imageOf(purl)?.version ?? purl.version);
  if (version === undefined && stated !== undefined) return purl && itemOfPurl(purl, stated);
  return purl && { text, purl, ...(version !== undefined && { version }) };
}

function itemOfPurl(purl: Purl, version: string): Item {
  const versioned = { ...purl, version };
  return { text: formatPurl(versioned), purl: versioned, version };
}

/** An entry of a document, a list or the command line: an item for each package, or version, that it says it is; one at least. */
export type Entry = readonly Item[];

export interface Stated {
  /** Empty where none is stated. */
  readonly name: string;
  readonly version: string | undefined;
  readonly purls: readonly string[];
  /** The namespace of the name, where a document states it apart. */
  readonly group?: string | undefined;
  readonly digests?: readonly string[];
}

/** A name and a version beside package URLs count where they contradict them, so that neither hides the other. */
export function entryOf({ name, version, purls, group, digests = [] }: Stated): Entry {
  const named = namedItem(name, version);
  const isReadable = named.text.isWellFormed() && (group ?? '').isWellFormed();
  const items = purls.flatMap((text): Item[] => {
    const item = packageItem(text, version) ?? { text };
    const { purl } = item;
    const isContradicted =
      isReadable && purl && version !== undefined && !isSameVersion(item.version!, version);
    return isContradicted ? [item, itemOfPurl(purl, version)] : [item];
  });
  const isSame = ({ purl }: Item) => purl?.name.toLowerCase() === name.toLowerCase();
  const isOther = items.length > purls.length || !items.every(isSame);
  if (!isReadable) items.push({ text: named.text });
  else if (name !== '' && (items.length === 0 || isOther)) items.push(named, ...packagesNamed(named, group));
  if (items.length === 0) items.push(named);
  return digests.length === 0 ? items : items.map((item) => ({ ...item, digests }));
}

/** The packages that a name without a package URL may be: an image by its reference, or those of a group. */
function packagesNamed({ text, name = '', version }: Item, group: string | undefined): Item[] {
  const image = imageOf(name);
  const versions = new Set([image?.version, version].filter((text) => text !== undefined));
  const purls: Purl[] = image ? Array.from(versions, (version) => ({ ...image, version })) : [];
  if (group) purls.push(...['npm', 'maven'].map((type) => ({ type, namespace: group, name, version })));
  return purls.map((purl) => defined({ text, purl, version: purl.version }));
}

/** The entry as one of a file. */
export function inFile(entry: Entry, file: string): Entry {
  return entry.map((item) => ({ ...item, file }));
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
      entry.map(({ text, name, purl, version, digests }) =>
        (name ?? purl) ? [name, purl, version, digests] : text,
      ),
    );
    if (!first.has(key)) first.set(key, entry);
  }
  return [...first.values()];
}

export interface ReadEntries {
  readonly entries: readonly Entry[];
  /** The parsed document that they are in, where it is one. */
  readonly document?: object;
  /** Why the file is rejected; empty where it is not. */
  readonly problems: readonly string[];
  /** About a file that is read although something in it is not known. */
  readonly note?: string;
}

/**
 * `name=version`, `name@version` or a package URL a line, or a table with a comma, semicolon or tab between its cells. What
 * follows a `#` at the start or after a space is a comment.
 */
export function readItemList(text: string, acceptsNames = false): ReadEntries {
  const entries: Entry[] = [];
  const problems: string[] = [];
  let columns: readonly number[] | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const content = raw.replace(/(?:^|\s)#.*$/, '').trim();
    if (content === '') continue;
    const line = index + 1;
    const cells = content.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    if (columns === undefined) {
      columns = columnsOf(cells);
      if (columns) continue;
      columns = [0, 1];
    }
    const [name = '', version = ''] = columns.map((column) => cells[column]);
    const item = cells.length === 1 || version === '' ? readItem(name) : readCells(name, version);
    if (item) entries.push([{ ...item, line }]);
    else if (acceptsNames && /^\S+$/.test(name)) entries.push([{ text: name, name, line }]);
    else problems.push(`line ${line}: expected name=version or a package URL; got ${quote(content)}`);
  }
  return { entries, problems };
}

/** Where a table has its names, or package URLs, and versions; undefined where the cells are no headings. */
function columnsOf(cells: readonly string[]): readonly number[] | undefined {
  const headings = cells.map((cell) => cell.toLowerCase());
  const columnOf = (...names: string[]) =>
    names.map((name) => headings.indexOf(name)).find((column) => column >= 0);
  const purl = columnOf('purl');
  const name = columnOf('component', 'name', 'package');
  const version = columnOf('version');
  if (purl !== undefined) return [purl];
  return name === undefined || version === undefined ? undefined : [name, version];
}

function readCells(name: string, version: string): Item | undefined {
  return /^pkg:/i.test(name) ? packageItem(name, version) : readItem(`${name}=${version}`);
}

/** Undefined for a text that is no package URL, name with a version or reference of an image. */
export function readItem(text: string): Item | undefined {
  if (/^pkg:/i.test(text)) return packageItem(text);
  const image = text.includes('/') ? imageOf(text) : undefined;
  if (image?.version !== undefined) return { text, purl: image, version: image.version };
  const form = /^(@?[^\s=@:\p{Cc}]+)\s*(?:==?|@|:(?=\w))\s*([^\s=\p{Cc}]+)$/u;
  const [, name, version] = form.exec(text) ?? [];
  if (name === undefined || version === undefined) return undefined;
  // npm writes packages with a scope like this, and nothing else does.
  if (!name.startsWith('@')) return namedItem(name, version);
  const item = packageItem(`pkg:npm/${name}`, version);
  return item && { ...item, text: `${name}@${version}` };
}
