import type { Purl } from '../../core/model/purl.ts';

/** A statement about a package: its name or package URL, with a version or range. `svc 2025.1` states this version of `svc`. */
export interface Item {
  readonly text: string;
  readonly file?: string | undefined;
  /** The line in the file, from 1. */
  readonly line?: number | undefined;
  /** The name of a component, or an unknown name. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  /** Stated in place of a version, such as `^2.0.1`. */
  readonly range?: string | undefined;
  readonly purl?: Purl | undefined;
  /** The stated digests of its bytes: `sha256:0f1e…`, or an unreadable text. */
  readonly digests?: readonly string[] | undefined;
  /** Its digests belong to an image, not to a package. */
  readonly isImage?: true | undefined;
  /** The stated source repository of its build. */
  readonly repositoryUrl?: string | undefined;
  /** It is the subject of its document. */
  readonly isSubject?: true | undefined;
  /** For a version without a name: the component named before it in the line (`svc 2025.1, 2025.3`). */
  readonly precedingComponent?: string | undefined;
  /** It may be an ordinary word, or about another product: keep the item only if this component has the version. */
  readonly onlyIfReleaseOf?: string | undefined;
}

/**
 * The statements at one place of a text: several items if it states several packages or versions. `example/svc:1.0@sha256:0f1e…`
 * has one item with the digest as version, and one with `1.0`.
 */
export type Entry = readonly [Item, ...Item[]];

/** A line, or a part of one, that states a version and names no component exactly. It may mean one by another name. */
export interface UnidentifiedText {
  readonly line: number;
  readonly text: string;
  /** Counted in `otherCount`; subtracted if a component is found in it, or suggested for it. */
  readonly countsAsOther: boolean;
  /** Whether it is a part of a line, with one version. */
  readonly isPhrase: boolean;
}

/** The result of reading a text: its entries, and the problems and notes about the rest. */
export interface ReadText {
  readonly entries: readonly Entry[];
  /** Whether it is a bill of materials: its names are names of packages. */
  readonly isDocument?: true | undefined;
  /** Whole lines up to a limit, and parts of lines. */
  readonly unidentified?: readonly UnidentifiedText[] | undefined;
  /**
   * The number of lines that state a version of something else, of versions that their `onlyIfReleaseOf` does not have, and of
   * phrases beyond a limit.
   */
  readonly otherCount?: number | undefined;
  /** Why the whole text is rejected; empty if it is read. */
  readonly problems: readonly string[];
  /** On parts of the text that are not read. */
  readonly notes?: readonly string[] | undefined;
}

/** The entry with each of its items changed. */
export function mapEntry([first, ...further]: Entry, change: (item: Item) => Item): Entry {
  return [change(first), ...further.map(change)];
}

/** A key by which entries with the same statements are found, wherever and however they are written: only the first is judged. */
export function createEntryKey(entry: Entry): string {
  const statements = entry.map(
    ({ text, precedingComponent, name, purl, version, range, digests }) =>
      name || purl ? [name, purl, version, range, digests] : [text, precedingComponent],
  );
  return JSON.stringify(statements);
}

/** The item with a version, also in its package URL. */
export function addVersion(item: Item, version: string | undefined): Item {
  const { purl } = item;
  return { ...item, version, purl: purl && { ...purl, version } };
}

export function addDigests(item: Item, digests: readonly string[]): Item {
  return digests.length === 0 ? item : { ...item, digests: [...(item.digests ?? []), ...digests] };
}
