import { digestLengths, normaliseDigest } from '../../core/model/digest.ts';
import { isObject } from '../../core/model/objects.ts';
import { show } from '../../core/text/show.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { createLineCounter, findRepeatedKeys } from '../../core/text/document-text.ts';
import { formatCount } from '../../core/text/wording.ts';
import {
  createStatedEntry,
  mapEntry,
  maxTextLength,
  type StatedEntry,
  type Entry,
  type Item,
  type ReadText,
} from './text-entries.ts';

const maxLevels = 100;
/** The newest known version of CycloneDX is 1.7. */
const newestMinor = 7;

type Format = 'CycloneDX' | 'SPDX';
const formats: readonly Format[] = ['CycloneDX', 'SPDX'];

/** The key of the list of packages of a format. No other format has it. */
const listKeys = { CycloneDX: 'components', SPDX: 'packages' } as const;

function declaresFormat(document: Fields, format: Format): boolean {
  return format === 'SPDX' ? 'spdxVersion' in document : document['bomFormat'] === format;
}

/** Whether a document declares a format or has its list. */
function isMarkedBill(document: Fields): boolean {
  const isMarked = formats.some(
    (format) => declaresFormat(document, format) || Array.isArray(document[listKeys[format]]),
  );
  return isMarked || isObject(document['sbom']);
}

/** The statements of a bill of materials; undefined for another text. */
export function readBill(content: string): ReadText | undefined {
  if (/^\s*(?:<\?xml[^>]{0,200}>\s*)?<bom\b/.test(content.slice(0, 500))) {
    return rejectText('XML is not supported; write the bill of materials as JSON');
  }
  if (!/^\s*\{/.test(content)) {
    return undefined;
  }

  const document = parseJson(content);
  const isNamedBill = /"(?:bomFormat|spdxVersion)"|spdx\.org\/rdf\/3/.test(content);
  if (document instanceof Error) {
    return isNamedBill ? rejectText(document.message) : undefined;
  }
  if (!isNamedBill && !isMarkedBill(document)) {
    return undefined;
  }

  const problems = findRepeatedKeys(content).map(
    ({ key, line }) => `line ${line}: has the key ${quote(key)} a second time`,
  );
  return problems.length > 0
    ? { entries: [], problems }
    : readBillOfMaterials(document, createLineFinder(content));
}

function parseJson(text: string): Fields | Error {
  try {
    return JSON.parse(text) as Fields;
  } catch (error) {
    return error as Error;
  }
}

/** The entries of a CycloneDX or SPDX document: its subject first, then the others in its order. */
function readBillOfMaterials(outer: Fields, findLine: FindLine): ReadText {
  // GitHub wraps the exported document in another object.
  const inner = isObject(outer['sbom']) ? outer['sbom'] : undefined;
  const document = inner ?? outer;
  const format = formats.find((each) => declaresFormat(document, each));
  if (!format) {
    return rejectText('expected CycloneDX (bomFormat) or SPDX 2 (spdxVersion); it is neither');
  }

  const wrapperFormats = inner ? listFormats(outer) : [];
  const ownFormats = listFormats(document);
  if (ownFormats.length > 1 || wrapperFormats.length > 0) {
    const names = [...new Set([...ownFormats, ...wrapperFormats])].sort().join(' and ');
    return rejectText(`expected one format; got ${names} in one document. Scan each by itself`);
  }

  return format === 'SPDX' ? readSpdx(document, findLine) : readCycloneDx(document, findLine);
}

function listFormats(document: Fields): Format[] {
  return formats.filter(
    (format) => declaresFormat(document, format) || listKeys[format] in document,
  );
}

function readCycloneDx(document: Fields, findLine: FindLine): ReadText {
  const { specVersion } = document;
  const [, minor] = (typeof specVersion === 'string' && /^1\.(\d+)$/.exec(specVersion)) || [];
  if (minor === undefined) {
    return rejectText(`specVersion: expected 1.x, such as 1.7; got ${show(specVersion)}`);
  }

  const notes = describeUnread(document);
  if (Number(minor) > newestMinor) {
    notes.unshift(
      `CycloneDX 1.${minor} is newer than this program; its components were read as before`,
    );
  }

  return { ...readEntries(listComponents(document), findLine), notes };
}

function readSpdx(document: Fields, findLine: FindLine): ReadText {
  const { spdxVersion } = document;
  return spdxVersion === 'SPDX-2.2' || spdxVersion === 'SPDX-2.3'
    ? readEntries(listPackages(document), findLine)
    : rejectText(`spdxVersion: expected SPDX-2.2 or SPDX-2.3; got ${show(spdxVersion)}`);
}

/** Parts of a CycloneDX document that are not packages in use. */
function describeUnread({ services, formulation, metadata }: Fields): string[] {
  const tools = isObject(metadata) ? metadata['tools'] : undefined;
  const toolLists = isObject(tools) ? [tools['components'], tools['services']] : [tools];
  const counts = [
    [countItems([services]), 'service'],
    [countItems(toolLists), 'tool'],
    [countItems([formulation]), 'formula'],
  ] as const;
  const words = counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => formatCount(count, noun));
  return words.length === 0 ? [] : [`not judged: ${words.join(', ')}`];
}

function countItems(lists: readonly unknown[]): number {
  return lists.filter(Array.isArray).flat().length;
}

/** An entry as a document has it, at a place such as `components[0]`. */
interface WrittenEntry {
  readonly place: string;
  readonly name: unknown;
  readonly version: unknown;
  readonly purls: readonly unknown[];
  readonly group?: unknown;
  readonly digests: readonly string[];
  /** Whether the document is about it. */
  readonly isSubject?: true | undefined;
}

/** A problem that rejects the document. */
type Problem = string;

function* listComponents(document: Fields): Generator<WrittenEntry | Problem> {
  const { metadata } = document;
  if (isObject(metadata) && metadata['component'] !== undefined) {
    const subject = readObject(metadata['component'], 'metadata.component');
    yield* listWithin(subject, 1, true);
  }
  for (const component of listObjects(document, 'components')) {
    yield* listWithin(component, 1);
  }
}

/** The entries of a component, one for each version that it states, and of the components within it. */
function* listWithin(
  component: PlacedObject | Problem,
  level: number,
  isSubject?: true,
): Generator<WrittenEntry | Problem> {
  if (typeof component === 'string') {
    yield component;
    return;
  }

  const { place, fields } = component;
  const { name, version, purl, group, evidence, hashes } = fields;
  const digests = readDigests(hashes, 'alg', 'content');
  const purls = [purl];
  const versions = new Set([version]);
  for (const { field, concludedValue } of isObject(evidence)
    ? toObjects(evidence['identity'])
    : []) {
    // cdxgen may conclude the path of the stating file for the field `purl`, so check the form.
    if (typeof concludedValue === 'string' && /^\s*pkg:/i.test(concludedValue)) {
      purls.push(concludedValue);
    }
    if (field === 'version') {
      versions.add(concludedValue);
    }
  }

  for (const eachVersion of versions) {
    yield { place, name, version: eachVersion, purls, group, digests, isSubject };
  }
  for (const nested of listObjects(fields, 'components', `${place}.`)) {
    if (level === maxLevels) {
      yield `components lie more than ${maxLevels} levels deep in each other`;
      return;
    }

    yield* listWithin(nested, level + 1);
  }
}

function* listPackages(document: Fields): Generator<WrittenEntry | Problem> {
  for (const part of listObjects(document, 'packages')) {
    if (typeof part === 'string') {
      yield part;
      continue;
    }

    const { place, fields } = part;
    const { name, versionInfo: version, checksums } = fields;
    const references = readList(fields, 'externalRefs', `${place}.`);
    if (typeof references === 'string') {
      yield references;
    }

    const purls = toObjects(typeof references === 'string' ? [] : references)
      .filter(({ referenceType }) => removeAddress(referenceType) === 'purl')
      .map(({ referenceLocator }) => referenceLocator);
    const digests = readDigests(checksums, 'algorithm', 'checksumValue');
    yield { place, name, version, purls, digests };
  }
}

function rejectText(problem: Problem): ReadText {
  return { entries: [], problems: [problem] };
}

/** Finds the line (from 1) of a text in the document. */
type FindLine = (text: string) => number | undefined;

/** An unreadable package URL makes an entry unknown, but does not reject the document. */
function readEntries(parts: Iterable<WrittenEntry | Problem>, findLine: FindLine): ReadText {
  const entries: Entry[] = [];
  const problems: Problem[] = [];
  for (const part of parts) {
    const entry = typeof part === 'string' ? part : readEntry(part);
    if (typeof entry === 'string') {
      problems.push(entry);
      continue;
    }

    const line = findLine(entry.purls[0] ?? entry.name);
    const { isSubject } = entry;
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
    return `${place}.name: expected a text; got ${show(written.name)}`;
  }
  if (version !== undefined && typeof version !== 'string') {
    return `${place}: expected the version as a text; got ${show(version)}`;
  }
  if (!purls.every((purl) => typeof purl === 'string')) {
    return `${place}: expected package URLs as texts; got ${show(purls)}`;
  }
  for (const text of [name, version, group, ...purls]) {
    if (typeof text === 'string' && text.length > maxTextLength) {
      return `${place}: expected texts of at most ${maxTextLength} characters; got ${show(text)}`;
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

/** The digests in a list of objects, by their keys for the algorithm and the value. Ignores algorithms that no source states. */
function readDigests(list: unknown, algorithmKey: string, valueKey: string): string[] {
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

/** Stops looking for lines after this many failed searches: the document spells or orders its texts differently. */
const maxMissed = 100;

/** Searches for each text behind the previous one. The subject, which is read first, may be behind all others. */
function createLineFinder(text: string): FindLine {
  const lineAt = createLineCounter(text);
  let start = 0;
  let missed = 0;

  return (sought) => {
    if (missed === maxMissed) {
      return undefined;
    }

    const written = JSON.stringify(sought);
    let position = text.indexOf(written, start);
    if (position < 0) {
      missed += 1;
      position = text.indexOf(written);
    }
    if (position < 0) {
      return undefined;
    }

    start = position;
    return lineAt(position);
  };
}

type Fields = Readonly<Record<string, unknown>>;

interface PlacedObject {
  readonly place: string;
  readonly fields: Fields;
}

/** The objects in the list of a key, each with its place, and the problems of what is no list and no object. */
function listObjects(fields: Fields, key: string, prefix = ''): (PlacedObject | Problem)[] {
  const list = readList(fields, key, prefix);
  return typeof list === 'string'
    ? [list]
    : list.map((element, index) => readObject(element, `${prefix}${key}[${index}]`));
}

/** The list of a key, empty where it is absent, or why it is none. */
function readList(fields: Fields, key: string, prefix: string): readonly unknown[] | Problem {
  const { [key]: list = [] } = fields;
  return Array.isArray(list) ? list : `${prefix}${key}: expected a list; got ${show(list)}`;
}

function readObject(value: unknown, place: string): PlacedObject | Problem {
  return isObject(value)
    ? { place, fields: value }
    : `${place}: expected an object; got ${show(value)}`;
}

/** The objects in a value or a list of values. */
function toObjects(value: unknown): Fields[] {
  return [value].flat().filter(isObject);
}

/** A type with or without the address of its vocabulary, in lower case. */
function removeAddress(type: unknown): string {
  return typeof type === 'string'
    ? type
        .replace(/^.*[/#:]/s, '')
        .trim()
        .toLowerCase()
    : '';
}
