import {
  findQualifiers,
  formatPurl,
  listQualifierValues,
  parsePurl,
  type Purl,
} from '../../core/model/purl.ts';
import { normaliseDigest } from '../../core/model/digest.ts';
import { parseVersion } from '../../core/model/version.ts';

/** One reading of a mention: a name or package URL, with a version or range. `svc 2025.1` gives the name `svc` with this version. */
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
 * A mention of a package in a text; several items if it states several packages or versions. `example/svc:1.0@sha256:0f1e…` gives
 * one item with the digest as version, and one with `1.0`.
 */
export type Entry = readonly [Item, ...Item[]];

/** A line, or a part of one, that states a version and names no component exactly. It may mean one by another name. */
export interface UnidentifiedText {
  readonly line: number;
  readonly text: string;
  /** Counted in `otherCount`; subtracted if a component is found in it, or suggested for it. */
  readonly countsAsOther?: true | undefined;
}

/** The result of reading a text: its entries, and the problems and notes about the rest. */
export interface ReadText {
  readonly entries: readonly Entry[];
  /** Whether it is a bill of materials: its names are names of packages. */
  readonly isDocument?: true | undefined;
  /** Whole lines up to a limit, and parts of lines. */
  readonly unidentified?: readonly UnidentifiedText[] | undefined;
  /** The number of lines with a version that name nothing of the index, and of versions that their `onlyIfReleaseOf` lacks. */
  readonly otherCount?: number | undefined;
  /** Why the whole text is rejected; empty if it is read. */
  readonly problems: readonly string[];
  /** On parts of the text that are not read. */
  readonly notes?: readonly string[] | undefined;
}

/** Maximum length of names, versions and addresses: the readers of texts expect short texts. */
export const maxTextLength = 1000;

/** The entry with each of its items changed. */
export function mapEntry([first, ...further]: Entry, change: (item: Item) => Item): Entry {
  return [change(first), ...further.map(change)];
}

/** A key that entries with equal statements share. */
export function createEntryKey(entry: Entry): string {
  return JSON.stringify(entry.map(createItemKey));
}

/** Leaves out file, line, repository and image flag on purpose: one statement may stand in several places, in several forms. */
function createItemKey(item: Item): unknown[] {
  const { text, precedingComponent, name, purl, version, range, digests } = item;
  if (!name && !purl) {
    return [text, precedingComponent];
  }

  return [name, purl, version, range, digests];
}

/** Each entry once, at its first place. */
export function removeRepeatedEntries(entries: readonly Entry[]): Entry[] {
  return Array.from(Map.groupBy(entries, createEntryKey).values(), ([first]) => first);
}

/** A package URL with a version and a digest, as of an image: `pkg:docker/example/svc@1.0@sha256:0f1e?arch=amd64`. */
const purlWithDigest = /^([^?#]*@[^@/?#]+)@([^@/?#]+)([?#].*)?$/;

/**
 * The statements of a package URL: its digests first, then its version and each tag. Undefined for another text. `statedVersion`:
 * for a package URL without version.
 */
export function createPurlEntry(written: string, statedVersion?: string): Entry | undefined {
  const text = written.trim();
  const [, before, digest, after = ''] = purlWithDigest.exec(text) ?? [];
  const purl = parsePurl(before === undefined ? text : before + after);
  if (!purl) {
    return undefined;
  }

  const [version, versionDigest] = splitDigest(purl.version);
  const imageDigests = [digest?.replace(/%3a/i, ':'), versionDigest]
    .filter((value) => value !== undefined)
    .map(normaliseDigest);
  const tags = listQualifierValues(purl.qualifiers, 'tag');
  const versions = new Set(
    [...imageDigests, version, ...tags].filter((value) => value !== undefined),
  );
  const checksums = listQualifierValues(findQualifiers(text), 'checksum').flatMap((value) =>
    value.split(',').map(normaliseDigest),
  );

  if (versions.size === 0 && statedVersion !== undefined) {
    const item = createVersionedItem(purl, statedVersion);
    // Its qualifiers may name its registry, as in a package URL with a version.
    const fullPurl = { ...purl, version: statedVersion, qualifiers: findQualifiers(text) };
    return [addDigests({ ...item, text: formatPurl(fullPurl) }, checksums)];
  }

  const isImage = imageDigests.length > 0 || undefined;
  const shared = addDigests({ text, purl, isImage }, [...imageDigests, ...checksums]);
  const items = Array.from(versions, (each) => ({ ...shared, version: each }));
  const [first = shared, ...further] = items;
  return [first, ...further];
}

/** The version and the digest behind it: both of `1.0@sha256:0f1e`, only the digest of `sha256:0f1e`. */
function splitDigest(version: string | undefined): [version: string | undefined, digest?: string] {
  if (version === undefined) {
    return [undefined];
  }
  if (/^[a-z\d+._-]+:[^@]*$/i.test(version) && !parseVersion(version)) {
    return [undefined, version];
  }

  const index = version.indexOf('@');
  return index === -1 ? [version] : [version.slice(0, index), version.slice(index + 1)];
}

/** The item of a package in a version that its URL does not state. */
export function createVersionedItem(purl: Purl, version: string): Item {
  const versioned = { ...purl, version };
  return { text: formatPurl(versioned), purl: versioned, version };
}

/** The item with a version, also in its package URL. */
export function addVersion(item: Item, version: string | undefined): Item {
  const { purl } = item;
  return { ...item, version, purl: purl && { ...purl, version } };
}

export function addDigests(item: Item, digests: readonly string[]): Item {
  return digests.length === 0 ? item : { ...item, digests: [...(item.digests ?? []), ...digests] };
}
