import { isDigest, normaliseDigest } from '../../core/model/digest.ts';
import { parseImage } from '../../core/model/image.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import type { FindLine } from '../../core/text/document-text.ts';
import { removeInvisible } from '../../core/text/foreign-text.ts';
import { createProblem, type Problem } from './bill-values.ts';
import { createPurlEntry, createVersionedItem } from './purl-entries.ts';
import {
  addDigests,
  addVersion,
  mapEntry,
  maxTextLength,
  type Entry,
  type Item,
  type ReadText,
} from './text-entries.ts';

/** A package as a document has it. `place`: such as `components[0]`. */
export interface WrittenPackage {
  readonly place: string;
  readonly name: unknown;
  readonly version: unknown;
  readonly purls: readonly unknown[];
  readonly group?: unknown;
  readonly digests: readonly string[];
  /** Whether the document is about it. */
  readonly isSubject?: true | undefined;
}

/** Reads the packages of a document. An unreadable package URL makes an entry unknown, but does not reject the document. */
export function readEntries(
  packages: Iterable<WrittenPackage | Problem>,
  findLine: FindLine,
): ReadText {
  const entries: Entry[] = [];
  const problems: string[] = [];
  for (const written of packages) {
    const statedPackage = 'problem' in written ? written : readPackage(written);
    if ('problem' in statedPackage) {
      problems.push(statedPackage.problem);
      continue;
    }

    const { name, purls, isSubject } = statedPackage;
    const line = findLine(purls[0] ?? name);
    entries.push(mapEntry(createEntry(statedPackage), (item) => ({ ...item, line, isSubject })));
  }

  return { entries, problems, isDocument: true };
}

/** A package whose values are texts. */
interface StatedPackage extends Pick<WrittenPackage, 'isSubject'> {
  /** Empty if there are only package URLs. */
  readonly name: string;
  readonly version: string | undefined;
  readonly purls: readonly string[];
  /** The namespace of the name, if a document states it separately. */
  readonly group?: string | undefined;
  readonly digests?: readonly string[];
}

/** SPDX has words for an unknown version. */
const unknownVersions = new Set(['', 'NOASSERTION', 'NONE', undefined]);

function readPackage(written: WrittenPackage): StatedPackage | Problem {
  const { place, version, group, digests, isSubject } = written;
  const name = written.name ?? '';
  const purls = written.purls.filter((purl) => purl !== undefined && purl !== '');

  if (typeof name !== 'string' || (name === '' && purls.length === 0)) {
    return createProblem(`${place}.name`, 'a text', written.name);
  }
  if (version !== undefined && typeof version !== 'string') {
    return createProblem(place, 'the version as a text', version);
  }
  if (!purls.every((purl) => typeof purl === 'string')) {
    return createProblem(place, 'package URLs as texts', purls);
  }
  for (const text of [name, version, group, ...purls]) {
    if (typeof text === 'string' && text.length > maxTextLength) {
      return createProblem(place, `texts of at most ${maxTextLength} characters`, text);
    }
  }

  return {
    name,
    purls,
    version: unknownVersions.has(version) ? undefined : version,
    group: typeof group === 'string' ? group : undefined,
    digests,
    isSubject,
  };
}

/** The items of a package: of each package URL, and of the name if it says more than they do. */
export function createEntry({ digests = [], purls, ...values }: StatedPackage): Entry {
  const name = normaliseSpaces(values.name);
  const group = normaliseSpaces(values.group);
  const version = normaliseSpaces(values.version) || undefined;
  const text = version === undefined ? name : `${name}@${version}`;
  const named = { text, name, version };
  // A text that is no package URL stays as an unreadable item.
  const purlEntries = purls.map(
    (purl): Entry => createPurlEntry(purl, version) ?? [{ text: purl }],
  );

  // Nothing has a name with a lone surrogate, which is half of a character.
  const isReadable = text.isWellFormed() && group.isWellFormed();
  const [first = named, ...further] = isReadable
    ? listItems(purlEntries, named, group)
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

/** Each package URL is a statement. The name is a further one, unless each URL states just this name and version. */
function listItems(purlEntries: readonly Entry[], named: NamedItem, group: string): Item[] {
  const items = purlEntries.flatMap((entry) => addStatedVersion(entry, named.version));
  const isRepeated =
    purlEntries.length > 0 && purlEntries.every((entry) => repeatsName(entry, named));
  if (named.name === '' || isRepeated) {
    return items;
  }

  return [...items, named, ...createImageItems(named), ...createGroupItems(named, group)];
}

/** Adds the package in the stated version, if its URL states only other versions. */
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
  return a && b ? compareVersions(a, b) === 0 : item.version === version;
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

  const item = addDigests({ text, purl, isImage: true }, digests);
  return versions.size === 0 ? [item] : Array.from(versions, (each) => addVersion(item, each));
}

/** A name with a group may be a package of npm or of Maven. */
function createGroupItems({ text, name, version }: NamedItem, namespace: string): Item[] {
  return namespace === ''
    ? []
    : ['npm', 'maven'].map((type) => ({ text, purl: { type, namespace, name, version }, version }));
}
