import { isDigest, normaliseDigest } from '../../core/model/digest.ts';
import { parseImage } from '../../core/model/purl.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import { removeInvisible } from '../../core/text/foreign-text.ts';
import type { IndexName } from './name-tree.ts';
import { addDigests, createPurlEntry, createVersionedItem } from './purl-items.ts';
import type { Statement } from './read-line.ts';
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

export function createStatedEntry({ digests = [], purls, ...stated }: StatedEntry): Entry {
  const name = normaliseSpaces(stated.name);
  const group = normaliseSpaces(stated.group);
  const version = normaliseSpaces(stated.version) || undefined;
  const text = version === undefined ? name : `${name}@${version}`;
  const named = { text, name, version };
  // Another text than a package URL is an item that nobody can read.
  const purlEntries = purls.map(
    (purl): Entry => createPurlEntry(purl, version) ?? [{ text: purl }],
  );

  // Nothing has a name with a lone surrogate, which is half of a character.
  const isReadable = text.isWellFormed() && group.isWellFormed();
  const [first = named, ...further] = isReadable
    ? listStatedItems(purlEntries, named, group)
    : [...purlEntries.flat(), { text }];
  return mapEntry([first, ...further], (item) => addDigests(item, digests));
}

/** Removes invisible characters and joins white space: the text as a person reads it. */
function normaliseSpaces(text = ''): string {
  return removeInvisible(text).replaceAll(/\s+/g, ' ').trim();
}

interface NamedItem extends Item {
  /** Empty if none is stated. */
  readonly name: string;
}

/** Each package URL is a statement. The name is one, too, unless every URL is a single item of that name and of its version. */
function listStatedItems(purlEntries: readonly Entry[], named: NamedItem, group: string): Item[] {
  const items = purlEntries.flatMap((entry) => addStatedVersion(entry, named.version));
  const isRepeated =
    purlEntries.length > 0 && purlEntries.every((entry) => repeatsName(entry, named));
  if (named.name === '' || isRepeated) {
    return items;
  }

  return [...items, named, ...createImageItems(named), ...createGroupItems(named, group)];
}

/** Adds the package in the stated version, if its URL states only others. */
function addStatedVersion(entry: Entry, version: string | undefined): Entry {
  const [{ purl }] = entry;
  return !purl || version === undefined || entry.some((item) => hasVersion(item, version))
    ? entry
    : [...entry, createVersionedItem(purl, version)];
}

/** False for several items: a digest and a tag are two statements, and the name may mean either. */
function repeatsName([item, ...further]: Entry, { name, version }: NamedItem): boolean {
  const isSingle = further.length === 0;
  const hasName = item.purl?.name.toLowerCase() === name.toLowerCase();
  return isSingle && hasName && (version === undefined || hasVersion(item, version));
}

function hasVersion(item: Item, version: string): boolean {
  const a = parseVersion(item.version ?? '');
  const b = parseVersion(version);
  return item.version === version || (!!a && !!b && compareVersions(a, b) === 0);
}

/** A name that is the reference of an image: its digests first, then its tag. The stated version may be a digest. */
function createImageItems({ text, name, version: statedVersion }: NamedItem): Item[] {
  const image = parseImage(name);
  if (!image) {
    return [];
  }

  const { purl, tag, digest } = image;
  const statedDigest = isDigest(normaliseDigest(statedVersion ?? '')) ? statedVersion : undefined;
  const plainVersion = statedDigest === undefined ? statedVersion : undefined;
  const digests = [digest, statedDigest]
    .filter((value) => value !== undefined)
    .map(normaliseDigest);
  const versions = new Set([...digests, tag, plainVersion].filter((value) => value !== undefined));

  const shared = addDigests({ text, isImage: true }, digests);
  return versions.size === 0
    ? [{ ...shared, purl }]
    : Array.from(versions, (version) => ({ ...shared, purl: { ...purl, version }, version }));
}

/** A name with a group may be a package of npm or of Maven. */
function createGroupItems({ text, name, version }: NamedItem, namespace: string): Item[] {
  return namespace === ''
    ? []
    : ['npm', 'maven'].map((type) => ({ text, purl: { type, namespace, name, version }, version }));
}

/** The statements about a name of the index: its digest first, then its version. */
export function createIndexEntry(
  { name, purl }: IndexName,
  statement: Statement & Pick<Item, 'text' | 'onlyIfReleaseOf'>,
): Entry {
  const { text, tag, version = tag, range, digest, onlyIfReleaseOf } = statement;
  const common = { text, range, onlyIfReleaseOf };
  const createItem = (versionText?: string): Item => {
    const shared = { ...common, version: versionText };
    return purl ? { ...shared, purl: { ...purl, version: versionText } } : { ...shared, name };
  };

  if (digest === undefined) {
    return [createItem(version)];
  }

  const imageDigest = normaliseDigest(digest);
  const item = createItem(imageDigest);
  const entry: Entry = version === undefined ? [item] : [item, createItem(version)];
  return mapEntry(entry, (each) => ({ ...each, digests: [imageDigest], isImage: true }));
}
