import { parsePurl, type Purl } from './purl.ts';
import { quote } from '../../core/text.ts';

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

/** Undefined for a text that is no package URL. */
export function packageItem(text: string): Item | undefined {
  const purl = parsePurl(text);
  return purl && { text, purl, ...(purl.version !== undefined && { version: purl.version }) };
}

/** Each item once, where it first stands. */
export function uniqueItems(items: readonly Item[]): Item[] {
  const first = new Map<string, Item>();
  for (const item of items) if (!first.has(item.text)) first.set(item.text, item);
  return [...first.values()];
}

export interface ReadItems {
  readonly items: readonly Item[];
  /** Why the file is refused; empty where it is not. */
  readonly problems: readonly string[];
}

/** `name=version` or a package URL a line; what follows a `#` at the start or after a space is a comment. */
export function readItemList(text: string): ReadItems {
  const items: Item[] = [];
  const problems: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const content = raw.replace(/(?:^|\s)#.*$/, '').trim();
    if (content === '') continue;
    const line = index + 1;
    const item = readLine(content);
    if (item) items.push({ ...item, line });
    else problems.push(`line ${line}: expected name=version or a package URL; got ${quote(content)}`);
  }
  return { items, problems };
}

function readLine(content: string): Item | undefined {
  if (/^pkg:/i.test(content)) return packageItem(content);
  const [, name, version] = /^([^\s=\p{Cc}]+)=([^\s=\p{Cc}]+)$/u.exec(content) ?? [];
  return name === undefined ? undefined : namedItem(name, version);
}
