import { isDigest } from '../../core/model/digest.ts';
import {
  formatPurl,
  parseImage,
  parsePurl,
  listQualifierValues,
  type Purl,
} from '../../core/model/purl.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import { removeInvisible } from '../../core/text/foreign-text.ts';
import type { IndexName } from './name-tree.ts';
import { mapEntry, type Entry, type Item } from './text-entries.ts';

/** The name, version and packages that an entry of a document states. */
export interface StatedEntry {
  /** Empty if none is stated. */
  readonly name: string;
  readonly version: string | undefined;
  readonly purls: readonly string[];
  /** The namespace of the name, if a document states it separately. */
  readonly group?: string | undefined;
  readonly digests?: readonly string[];
}

export function createStatedEntry({ digests = [], ...stated }: StatedEntry): Entry {
  return mapEntry(createStatedItems(stated), (item) => addDigests(item, digests));
}

/** A name and version that contradict the package URLs are further statements, so none hides another. */
function createStatedItems({ purls, ...stated }: StatedEntry): Entry {
  const name = normaliseSpaces(stated.name);
  const group = normaliseSpaces(stated.group) || undefined;
  const version = normaliseSpaces(stated.version) || undefined;
  const text = version === undefined ? name : `${name}@${version}`;
  const namedItem = { text, name, version };

  const isReadable = text.isWellFormed() && (group ?? '').isWellFormed();
  if (!isReadable) {
    const entries = [...purls.map((purl) => createPurlOrTextEntry(purl, version)), [{ text }]];
    const [first = { text }, ...further] = entries.flat();
    return [first, ...further];
  }

  const itemsByPurl = purls.map((purl) => {
    const items = createPurlOrTextEntry(purl, version);
    return [...items, ...listContradictions(items, version)];
  });
  const items = itemsByPurl.flat();
  const isNamed = items.length > 0 && itemsByPurl.every((each) => isOnlyPackage(each, name));
  if (name !== '' && !isNamed) {
    items.push(namedItem, ...createImageItems(namedItem), ...createGroupItems(namedItem, group));
  }
  const [first = namedItem, ...further] = items;
  return [first, ...further];
}

/** Another text than a package URL is an item that nobody can read. */
function createPurlOrTextEntry(text: string, statedVersion: string | undefined): Entry {
  return createPurlEntry(text, statedVersion) ?? [{ text }];
}

/** The package in the stated version, if its URL states only others. */
function listContradictions(purlItems: readonly Item[], version: string | undefined): Item[] {
  const purl = purlItems[0]?.purl;
  return purl && version !== undefined && !purlItems.some((item) => hasVersion(item, version))
    ? [createVersionedItem(purl, version)]
    : [];
}

/** Whether the items are one package of a name. Of several versions, such as a digest and a tag, any may have the name. */
function isOnlyPackage([item, ...further]: readonly Item[], name: string): boolean {
  return further.length === 0 && item?.purl?.name.toLowerCase() === name.toLowerCase();
}

function hasVersion(item: Item, version: string): boolean {
  const a = parseVersion(item.version ?? '');
  const b = parseVersion(version);
  return item.version === version || (!!a && !!b && compareVersions(a, b) === 0);
}

/** Removes invisible characters and joins white space: the text as a person reads it. */
function normaliseSpaces(text = ''): string {
  return removeInvisible(text).replaceAll(/\s+/g, ' ').trim();
}

interface NamedItem extends Item {
  readonly name: string;
}

/** A name that is the reference of an image: its bytes first, then its tag. The stated version may be a digest. */
function createImageItems({ text, name, version: statedVersion }: NamedItem): Item[] {
  const image = parseImage(name);
  if (!image) {
    return [];
  }

  const { purl, tag, digest } = image;
  const isStatedDigest = isDigest(normaliseDigest(statedVersion ?? ''));
  const digests = [digest, isStatedDigest ? statedVersion : undefined]
    .filter((value) => value !== undefined)
    .map(normaliseDigest);
  const versions = new Set([...digests, tag, statedVersion].filter((value) => value !== undefined));
  const shared = addDigests({ text, isImage: true }, digests);

  if (versions.size === 0) {
    return [{ ...shared, purl }];
  }

  return Array.from(versions, (version) => ({ ...shared, purl: { ...purl, version }, version }));
}

/** A name with a group may be a package of npm or of Maven. */
function createGroupItems({ text, name, version }: NamedItem, group: string | undefined): Item[] {
  if (group === undefined) {
    return [];
  }

  const types = ['npm', 'maven'];
  return types.map((type) => ({ text, purl: { type, namespace: group, name, version }, version }));
}

/**
 * The statements of a package URL: the bytes first, then each tag or version. Undefined for another text. `statedVersion`:
 * for a package URL without version.
 */
export function createPurlEntry(written: string, statedVersion?: string): Entry | undefined {
  const text = written.trim();
  const parts = readPurlParts(text);
  if (!parts) {
    return undefined;
  }

  const { purl, versions, imageDigests, checksums } = parts;
  if (versions.size === 0 && statedVersion !== undefined) {
    return [addDigests(createVersionedItem(purl, statedVersion), checksums)];
  }

  const isImage = imageDigests.length > 0 || undefined;
  const shared = addDigests({ text, purl, isImage }, [...imageDigests, ...checksums]);
  const [first = shared, ...further] = Array.from(versions, (version) => ({ ...shared, version }));
  return [first, ...further];
}

function createVersionedItem(purl: Purl, version: string): Item {
  const versioned = { ...purl, version };
  return { text: formatPurl(versioned), purl: versioned, version };
}

function addDigests(item: Item, digests: readonly string[]): Item {
  return digests.length === 0 ? item : { ...item, digests: [...(item.digests ?? []), ...digests] };
}

/** A package URL with a version and a digest, as of an image: `pkg:docker/example/svc@1.0@sha256:0f1e?arch=amd64`. */
const purlWithDigest = /^([^?#]*@[^@/?#]+)@([^@/?#]+)([?#].*)?$/;

/** Undefined for another text. `versions`: the digests of an image first, then its version and its tags. */
function readPurlParts(text: string) {
  const [, before, digest, after = ''] = purlWithDigest.exec(text) ?? [];
  const purl = parsePurl(before === undefined ? text : before + after);
  if (!purl) {
    return undefined;
  }

  const [version, versionDigest] = splitDigest(purl.version);
  const imageDigests = [digest?.replace(/%3a/i, ':'), versionDigest]
    .filter((value) => value !== undefined)
    .map(normaliseDigest);
  const tags = purl.type === 'oci' ? listQualifierValues(text, 'tag') : [];
  const versions = [...imageDigests, version, ...tags].filter((value) => value !== undefined);
  const checksums = listQualifierValues(text, 'checksum').flatMap((value) =>
    value.split(',').map(normaliseDigest),
  );

  return { purl, versions: new Set(versions), imageDigests, checksums };
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

function normaliseDigest(text: string): string {
  return text.trim().toLowerCase();
}

interface NamedStatement extends Pick<Item, 'text' | 'version' | 'range' | 'onlyIfReleaseOf'> {
  readonly tag?: string | undefined;
  readonly digest?: string | undefined;
}

/** The statements about a name of the index: bytes before versions. */
export function createIndexItems({ name, purl }: IndexName, statement: NamedStatement): Entry {
  const { text, tag, version = tag, range, digest, onlyIfReleaseOf } = statement;
  const common = { text, range, onlyIfReleaseOf };
  const createItem = (versionText?: string): Item => {
    const shared = { ...common, version: versionText };
    return purl ? { ...shared, purl: { ...purl, version: versionText } } : { ...shared, name };
  };

  if (digest === undefined) {
    return [createItem(version)];
  }

  const written = normaliseDigest(digest);
  const bytes = createItem(written);
  const entry: Entry = version === undefined ? [bytes] : [bytes, createItem(version)];
  return mapEntry(entry, (item) => ({ ...item, digests: [written], isImage: true }));
}
