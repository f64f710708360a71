import { isDigest, normaliseDigest } from '../../core/model/digest.ts';
import { parseImage } from '../../core/model/images.ts';
import { isObject } from '../../core/model/objects.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import { findRepeatedKeys, maskEscapes } from '../../core/text/json-keys.ts';
import { createLineCounter } from '../../core/text/line-counter.ts';
import { maxLineLength, quote, toLine } from '../../core/text/foreign-text.ts';
import {
  createProblem,
  describeUnread,
  readCycloneDx,
  readSpdx,
  type Fields,
  type Problem,
  type WrittenPackage,
} from './bill-formats.ts';
import { createPurlEntry, createVersionedItem } from './purl-entries.ts';
import {
  addDigests,
  addVersion,
  mapEntry,
  type Entry,
  type Item,
  type ReadText,
} from './text-entries.ts';

/**
 * Reads a bill of materials in JSON; undefined for a text that names no format. A bill that cannot be read is rejected with its
 * problems, as is one in XML.
 */
export function readBill(content: string): ReadText | undefined {
  // Comments and a declaration may be before the root, which may have a prefix.
  if (/^\s*(?:<[?!][^>]*>\s*)*<(?:[\w-]+:)?bom\b/.test(content.slice(0, 1000))) {
    return rejectBill('XML is not supported; write the bill of materials as JSON');
  }

  // A broken document and one of SPDX 3 are rejected as bills, too.
  const mentionsFormat = /"(?:bomFormat|spdxVersion)"|spdx\.org\/rdf\/3/.test(content);
  if (!mentionsFormat || !/^\s*\{/.test(content)) {
    return undefined;
  }

  let document: Fields;
  try {
    document = JSON.parse(content) as Fields;
  } catch (error) {
    return rejectBill((error as Error).message);
  }

  const problems = findRepeatedKeys(content).map(
    ({ key, line }) => `line ${line}: has the key ${quote(key)} a second time`,
  );
  return problems.length > 0 ? rejectBill(...problems) : readDocument(document, content);
}

/** Reads a document in its format, if it has only one. */
function readDocument(outer: Fields, content: string): ReadText {
  // GitHub wraps the exported document in another object.
  const { sbom } = outer;
  const document = isObject(sbom) ? sbom : outer;
  if (!isCycloneDx(document) && !isSpdx(document)) {
    return rejectBill('expected CycloneDX (bomFormat) or SPDX 2 (spdxVersion); it is neither');
  }

  const documents = new Set([outer, document]);
  const parts = [...documents].flatMap(listFormats);
  if (parts.length > 1) {
    return rejectBill(
      `expected one document; got ${parts.join(' and ')} in it. Scan each by itself`,
    );
  }

  const lines = findIdentityLines(content, outer);
  return isSpdx(document)
    ? readEntries(readSpdx(document), lines)
    : { ...readEntries(readCycloneDx(document), lines), notes: describeUnread(document) };
}

/** A string without escapes, which is a key if a colon is behind it, or a mark. */
const tokens = /"[^"]*"(?=(\s*:)?)|[{}[\],]/g;

/**
 * The line, from 1, of the package URL of each object in a document, or else of its name. `document`: the parsed `json`, in which no
 * object has a key twice.
 */
function findIdentityLines(json: string, document: object): ReadonlyMap<unknown, number> {
  const lineAt = createLineCounter(json);
  const lines = new Map<unknown, number>();
  // The open objects and lists, each with the key or the position of its next value.
  const open: { value: unknown; next: string | number }[] = [{ value: [document], next: 0 }];

  for (const { 0: token, 1: colon, index } of maskEscapes(json).matchAll(tokens)) {
    const around = open.at(-1)!;
    if (token === '{' || token === '[') {
      open.push({ value: (around.value as Fields)[around.next], next: 0 });
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (colon !== undefined) {
      const key = JSON.parse(json.slice(index, index + token.length)) as string;
      around.next = key;
      if (key === 'purl' || (key === 'name' && !lines.has(around.value))) {
        lines.set(around.value, lineAt(index));
      }
    } else if (token === ',' && typeof around.next === 'number') {
      around.next += 1;
    }
  }

  return lines;
}

/** The formats of which an object has the declaration, or the list of packages, which the other format does not have. */
function listFormats(fields: Fields): string[] {
  const formats: string[] = [];
  if (isCycloneDx(fields) || 'components' in fields) {
    formats.push('CycloneDX');
  }
  if (isSpdx(fields) || 'packages' in fields) {
    formats.push('SPDX');
  }
  return formats;
}

function isCycloneDx({ bomFormat }: Fields): boolean {
  return bomFormat === 'CycloneDX';
}

function isSpdx(fields: Fields): boolean {
  return 'spdxVersion' in fields;
}

function rejectBill(...problems: readonly string[]): ReadText {
  return { entries: [], problems };
}

/** Reads the packages of a document. An unreadable package URL makes an entry unknown, but does not reject the document. */
function readEntries(
  packages: Iterable<WrittenPackage | Problem>,
  lines: ReadonlyMap<unknown, number>,
): ReadText {
  const entries: Entry[] = [];
  const problems: string[] = [];
  for (const written of packages) {
    const statedPackage = 'problem' in written ? written : readPackage(written);
    if ('problem' in statedPackage) {
      problems.push(statedPackage.problem);
      continue;
    }

    const { fields, isSubject } = statedPackage;
    const line = lines.get(fields);
    entries.push(mapEntry(createEntry(statedPackage), (item) => ({ ...item, line, isSubject })));
  }

  return { entries, problems, isDocument: true };
}

type StatedPackage = Exclude<ReturnType<typeof readPackage>, Problem>;

/** A package whose values are texts, or why it is rejected. */
function readPackage(written: WrittenPackage) {
  const { place } = written;
  // Empty if there are only package URLs.
  const name = written.name ?? '';
  // Empty if it is unknown.
  const version = written.version ?? '';
  // The namespace of the name, if a document states it separately.
  const group = typeof written.group === 'string' ? written.group : '';
  const purls = written.purls.filter((purl) => (purl ?? '') !== '');

  if (typeof name !== 'string' || (name === '' && purls.length === 0)) {
    return createProblem(`${place}.name`, 'a text', written.name);
  }
  if (typeof version !== 'string') {
    return createProblem(place, 'the version as a text', version);
  }
  if (!purls.every((purl) => typeof purl === 'string')) {
    return createProblem(place, 'package URLs as texts', purls);
  }
  const longText = [name, version, group, ...purls].find((text) => text.length > maxLineLength);
  if (longText !== undefined) {
    return createProblem(place, `texts of at most ${maxLineLength} characters`, longText);
  }

  return { ...written, name, version, purls, group };
}

/** SPDX has words for an unknown version. */
const unknownVersions = new Set(['', 'NOASSERTION', 'NONE']);

/** The items of a package: of each package URL, and of the name if it says more than they do. */
function createEntry({ digests, purls, ...values }: StatedPackage): Entry {
  const name = toLine(values.name);
  const group = toLine(values.group);
  const statedVersion = toLine(values.version);
  const version = unknownVersions.has(statedVersion) ? undefined : statedVersion;
  const text = version === undefined ? name : `${name}@${version}`;
  const named = { text, name, version };
  // A text that is no package URL stays as an unreadable item.
  const purlEntries = purls.map(
    (purl): Entry => createPurlEntry(purl, version) ?? [{ text: purl }],
  );

  // Nothing has a name with a lone surrogate, which is half of a character.
  const isReadable = [values.name, values.group, values.version].join(' ').isWellFormed();
  const [first = named, ...further] = isReadable
    ? listItems(purlEntries, named, group)
    : [...purlEntries.flat(), { text }];
  return mapEntry([first, ...further], (item) => addDigests(item, digests));
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
