import { digestLengths, isDigest, normaliseDigest } from '../../core/model/digest.ts';
import { parseImage } from '../../core/model/image.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import type { FindLine } from '../../core/text/document-text.ts';
import { removeInvisible } from '../../core/text/foreign-text.ts';
import { show } from '../../core/text/show.ts';
import { createProblem, removeAddress, toObjects, type Problem } from './bill-values.ts';
import {
  addDigests,
  addVersion,
  createPurlEntry,
  createVersionedItem,
  mapEntry,
  maxTextLength,
  type Entry,
  type Item,
  type ReadText,
} from './text-entries.ts';

/** A package as a document has it, at a place such as `components[0]`. */
export interface WrittenEntry {
  readonly place: string;
  readonly name: unknown;
  readonly version: unknown;
  readonly purls: readonly unknown[];
  readonly group?: unknown;
  readonly digests: readonly string[];
  /** Whether the document is about it. */
  readonly isSubject?: true | undefined;
}

/** Reads the entries of a document. An unreadable package URL makes an entry unknown, but does not reject the document. */
export function readEntries(parts: Iterable<WrittenEntry | Problem>, findLine: FindLine): ReadText {
  const entries: Entry[] = [];
  const problems: string[] = [];
  for (const part of parts) {
    const entry = 'problem' in part ? part : readEntry(part);
    if ('problem' in entry) {
      problems.push(entry.problem);
      continue;
    }

    const { isSubject } = entry;
    const line = findLine(entry.purls[0] ?? entry.name);
    entries.push(mapEntry(createStatedEntry(entry), (item) => ({ ...item, line, isSubject })));
  }

  return { entries, problems, isDocument: true };
}

/** The statement of an entry, or the problem that makes it unreadable. */
function readEntry(written: WrittenEntry): (StatedEntry & Pick<Item, 'isSubject'>) | Problem {
  const { place, version, group, digests, isSubject } = written;
  const purls = written.purls.filter((purl) => purl !== undefined && purl !== '');
  const name = written.name ?? (purls.length > 0 ? '' : undefined);

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

/** SPDX has words for an unknown version. */
const unknownVersions = new Set(['', 'NOASSERTION', 'NONE', undefined]);

/** The name, version and packages that an entry states, as texts. */
interface StatedEntry {
  /** Empty if none is stated. */
  readonly name: string;
  readonly version: string | undefined;
  readonly purls: readonly string[];
  /** The namespace of the name, if a document states it separately. */
  readonly group?: string | undefined;
  readonly digests?: readonly string[];
}

/** The items of an entry: of each package URL, and of the name if it says more than they do. */
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

  const item = addDigests({ text, purl, isImage: true }, digests);
  return versions.size === 0 ? [item] : Array.from(versions, (each) => addVersion(item, each));
}

/** A name with a group may be a package of npm or of Maven. */
function createGroupItems({ text, name, version }: NamedItem, namespace: string): Item[] {
  return namespace === ''
    ? []
    : ['npm', 'maven'].map((type) => ({ text, purl: { type, namespace, name, version }, version }));
}

/** The digests in a list of objects, by their keys for the algorithm and the value. Ignores algorithms that no source states. */
export function readDigests(list: unknown, algorithmKey: string, valueKey: string): string[] {
  const digests: string[] = [];
  for (const fields of toObjects(list)) {
    const algorithm = removeAddress(fields[algorithmKey])
      .replace(/^checksumalgorithm_/, '')
      .replaceAll(/[-_\s]/g, '');
    if (Object.hasOwn(digestLengths, algorithm)) {
      digests.push(`${algorithm}:${cleanDigest(fields[valueKey])}`);
    }
  }
  return digests;
}

/** Keeps a value of another form, which then differs from every recorded digest. */
function cleanDigest(value: unknown): string {
  return typeof value === 'string' ? normaliseDigest(value.slice(0, 200)) : show(value);
}
