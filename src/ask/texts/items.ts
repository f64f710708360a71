import { isDigest } from '../../core/model/digest.ts';
import {
  formatPurl,
  parseImage,
  parsePurl,
  listQualifierValues,
  type ImageReference,
  type Purl,
} from '../../core/model/purl.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import { removeInvisible } from '../../core/text/foreign-text.ts';
import type { Entry, Item } from './entries.ts';
import type { IndexName } from './name-tree.ts';

export interface StatedItem {
  /** Empty if none is stated. */
  readonly name: string;
  readonly version: string | undefined;
  readonly purls: readonly string[];
  /** The namespace of the name, if a document states it separately. */
  readonly group?: string | undefined;
  readonly digests?: readonly string[];
}

/** A name and version that contradict the package URLs are further statements, so none hides another. */
export function buildEntry(stated: StatedItem): Entry {
  const { purls, digests = [] } = stated;
  const name = cleanItemText(stated.name);
  const group = cleanItemText(stated.group) || undefined;
  const version = cleanItemText(stated.version) || undefined;
  const namedItem = createNamedItem(name, version);
  const isReadable = namedItem.text.isWellFormed() && (group ?? '').isWellFormed();

  const items: Item[] = [];
  for (const text of purls) {
    const purlItems = createPackageItems(text, version);
    items.push(...(purlItems.length === 0 ? [{ text }] : purlItems));
    if (isReadable) {
      items.push(...listContradictions(purlItems, version));
    }
  }

  const isNamedByPurls =
    purls.length > 0 &&
    items.length === purls.length &&
    items.every(({ purl }) => purl?.name.toLowerCase() === name.toLowerCase());
  if (!isReadable) {
    items.push({ text: namedItem.text });
  } else if (name !== '' && !isNamedByPurls) {
    items.push(...createNamedItems(name, version, group));
  } else if (items.length === 0) {
    items.push(namedItem);
  }

  return digests.length === 0
    ? items
    : items.map((item) => ({ ...item, digests: [...(item.digests ?? []), ...digests] }));
}

/** The package of a package URL in the version that is stated next to it, if the URL states only other versions. */
function listContradictions(purlItems: readonly Item[], version: string | undefined): Item[] {
  const purl = purlItems[0]?.purl;
  return purl && version !== undefined && !purlItems.some((item) => hasVersion(item, version))
    ? [makePurlItem(purl, version)]
    : [];
}

/** Removes invisible characters and joins white space: the text as a person reads it. */
function cleanItemText(text = ''): string {
  return removeInvisible(text).replaceAll(/\s+/g, ' ').trim();
}

function createNamedItem(name: string, version: string | undefined): Item {
  if (version === undefined) {
    return { text: name, name };
  }

  return { text: `${name}@${version}`, name, version };
}

/** A name without a package URL may be a component, an image by its reference, or a package of a group. */
function createNamedItems(
  name: string,
  version: string | undefined,
  group: string | undefined,
): Item[] {
  const item = createNamedItem(name, version);
  const { text } = item;
  const image = parseImage(name);
  const items = image ? createImageItems({ ...image, text, statedVersion: version }) : [];
  if (group === undefined) {
    return [item, ...items];
  }

  const purls = ['npm', 'maven'].map((type) => ({ type, namespace: group, name, version }));
  return [item, ...items, ...purls.map((purl) => ({ text, purl, version }))];
}

/**
 * The statements of a package URL: the bytes first, then each tag or version. Empty for another text. `statedVersion`: for a
 * package URL without version.
 */
export function createPackageItems(written: string, statedVersion?: string): Item[] {
  const text = written.trim();

  // Only image references have a tag and a digest.
  const [, before, digest, after = ''] = /^([^?#]*@[^@/?#]+)@([^@/?#]+)([?#].*)?$/.exec(text) ?? [];
  const purl = parsePurl(before === undefined ? text : before + after);
  if (!purl) {
    return [];
  }

  const checksums = listQualifierValues(text, 'checksum').flatMap((value) =>
    value.split(',').map(toDigest),
  );
  const tags = purl.type === 'oci' ? listQualifierValues(text, 'tag') : [];
  const [version, versionDigest] = splitDigest(purl.version);
  const imageDigests = [digest?.replace(/%3a/i, ':'), versionDigest]
    .filter((value) => value !== undefined)
    .map(toDigest);
  const versions = new Set(
    [...imageDigests, version, ...tags].filter((value) => value !== undefined),
  );
  if (versions.size === 0 && statedVersion !== undefined) {
    return [{ ...makePurlItem(purl, statedVersion), ...createDigests(checksums) }];
  }

  const shared = {
    text,
    purl,
    ...createDigests([...imageDigests, ...checksums]),
    isImage: imageDigests.length > 0 || undefined,
  };
  if (versions.size === 0) {
    return [shared];
  }

  return Array.from(versions, (version) => ({ ...shared, version }));
}

function createDigests(digests: readonly string[]): Pick<Item, 'digests'> {
  return digests.length === 0 ? {} : { digests };
}

/** The version without a digest behind it, and that digest; the whole version where it is one. */
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

function toDigest(text: string): string {
  return text.trim().toLowerCase();
}

interface ImageStatement extends ImageReference {
  readonly text: string;
  /** Stated next to the reference: a version, or a digest. */
  readonly statedVersion: string | undefined;
}

/** The bytes of an image first, then its tag. */
function createImageItems({ text, purl, tag, digest, statedVersion }: ImageStatement): Item[] {
  const isStatedDigest = isDigest(toDigest(statedVersion ?? ''));
  const digests = [digest, isStatedDigest ? statedVersion : undefined]
    .filter((value) => value !== undefined)
    .map(toDigest);
  const versions = new Set([...digests, tag, statedVersion].filter((value) => value !== undefined));
  const shared = { text, ...createDigests(digests), isImage: true as const };

  if (versions.size === 0) {
    return [{ ...shared, purl }];
  }

  return Array.from(versions, (version) => ({ ...shared, purl: { ...purl, version }, version }));
}

function makePurlItem(purl: Purl, version: string): Item {
  const versioned = { ...purl, version };
  return { text: formatPurl(versioned), purl: versioned, version };
}

function hasVersion(item: Item, version: string): boolean {
  const a = parseVersion(item.version ?? '');
  const b = parseVersion(version);
  return item.version === version || (!!a && !!b && compareVersions(a, b) === 0);
}

interface NamedStatement extends Pick<Item, 'text' | 'version' | 'range' | 'ifVersionOf'> {
  readonly tag?: string | undefined;
  readonly digest?: string | undefined;
}

/** The statements about a name of the index: bytes before versions. */
export function makeItems({ name, purl }: IndexName, statement: NamedStatement): Entry {
  const { text, tag, version = tag, range, digest, ifVersionOf } = statement;
  const common = { text, range, ifVersionOf };
  const createItem = (versionText?: string): Item => {
    const shared = { ...common, version: versionText };
    return purl ? { ...shared, purl: { ...purl, version: versionText } } : { ...shared, name };
  };

  if (digest === undefined) {
    return [createItem(version)];
  }

  const digests = [toDigest(digest)];
  const versions = version === undefined ? digests : [...digests, version];
  return versions.map((each) => ({ ...createItem(each), digests, isImage: true }));
}
