import type { Purl } from '../../core/model/purl.ts';

/** A statement about a package in use, as written, with its place. */
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
  /** The component that its line names before it, for a version without a name. */
  readonly beside?: string | undefined;
  /** Other products have this name, too: it counts only with a version that this component has. */
  readonly ifVersionOf?: string | undefined;
}

/** An entry of a document, a list or the command line, with one item for each statement. It is never empty. */
export type Entry = readonly Item[];

/** A part of a text that states a version, and names nothing of the index exactly. */
export interface OtherLine {
  readonly line: number;
  readonly text: string;
  /** Its line has an entry, or is listed before: it is counted already. */
  readonly isFurther?: true | undefined;
}

/** The statements of a text. */
export interface ReadText {
  readonly entries: readonly Entry[];
  /** Whether it is a bill of materials: its names are names of packages. */
  readonly isDocument?: true | undefined;
  /** Parts of the text that may mean a component by another name: whole lines up to a limit, and parts of lines. */
  readonly otherLines?: readonly OtherLine[] | undefined;
  /** The number of lines that state a version of something else. */
  readonly others?: number | undefined;
  /** Why the whole text is rejected; empty if it is read. */
  readonly problems: readonly string[];
  /** Rejected for its length. */
  readonly isTooLong?: true | undefined;
  /** On parts of the text that are not read. */
  readonly notes?: readonly string[] | undefined;
}

/** Maximum length of names, versions and addresses: the readers of texts expect short texts. */
export const maxTextLength = 1000;

/** The entry with the file that states it. */
export function placeInFile(entry: Entry, file: string): Entry {
  return entry.map((item) => ({ ...item, file }));
}

/**
 * A key that entries with equal statements share. An item without a name or package URL is known by its text and the component
 * before it.
 */
export function createEntryKey(entry: Entry): string {
  return JSON.stringify(
    entry.map(({ text, beside, name, purl, version, range, digests }) =>
      (name ?? purl) ? [name, purl, version, range, digests] : [text, beside],
    ),
  );
}

/** Each entry once, at its first place. */
export function removeRepeatedEntries(entries: readonly Entry[]): Entry[] {
  return Array.from(Map.groupBy(entries, createEntryKey).values(), ([first]) => first);
}
