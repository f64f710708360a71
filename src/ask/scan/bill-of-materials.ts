import { repeatedKeys } from '../../core/repeated-keys.ts';
import { show } from '../../core/schemas/problems.ts';
import { counted, quote } from '../../core/text.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';
import {
  addEntry,
  elementsOf,
  isObject,
  lastPart,
  lineFinder,
  objectsIn,
  type Fields,
  type Read,
} from './document-entries.ts';
import { readItemList, type ReadEntries } from './items.ts';

const maxLevels = 100;
/** The newest known version of the format. */
const newestCycloneDx = '1.7';

/** The entries of a bill of materials as JSON, or of a list. Throws if a text begins like JSON and is invalid. */
export function readEntries(text: string, acceptsNames = false): ReadEntries {
  if (/^\s*</.test(text)) {
    return rejected('XML is not supported; write the document as JSON');
  }
  if (!/^\s*[{[]/.test(text)) {
    return readItemList(text, acceptsNames);
  }
  const document: unknown = JSON.parse(text);
  const problems = repeatedKeys(text).map(
    ({ key, line }) => `line ${line}: has the key ${quote(key)} a second time`,
  );
  if (problems.length > 0) {
    return { entries: [], problems };
  }
  return { ...readBillOfMaterials(document, text), isDocument: true };
}

interface Format {
  readonly name: string;
  /** Whether a document declares this format. */
  isOf(document: Fields): boolean;
  /** The key of its list, unique among the formats. */
  readonly list: string;
  read(document: Fields, read: Read): ReadEntries;
}

const formats: readonly Format[] = [
  {
    name: 'CycloneDX',
    isOf: ({ bomFormat }) => bomFormat === 'CycloneDX',
    list: 'components',
    read(document, read) {
      const { specVersion } = document;
      const version = versionIn(specVersion, /^(1\.\d+)$/);
      if (version === undefined) {
        return rejected(`specVersion: expected 1.x, such as 1.7; got ${show(specVersion)}`);
      }
      return withNotes(readComponents(document, read), noteOn(version), unread(document));
    },
  },
  {
    name: 'SPDX',
    isOf: (document) => 'spdxVersion' in document,
    list: 'packages',
    read(document, read) {
      const version = versionIn(document['spdxVersion'], /^SPDX-(2\.[23])$/);
      if (version === undefined) {
        return rejected(
          `spdxVersion: expected SPDX-2.2 or SPDX-2.3; got ${show(document['spdxVersion'])}`,
        );
      }
      return readPackages(document, read);
    },
  },
];

/** The parts of a CycloneDX or SPDX document, in its order. `text`: the document, to find their lines. */
export function readBillOfMaterials(content: unknown, text = ''): ReadEntries {
  const outer = isObject(content) ? content : {};
  // GitHub wraps the exported document in another object.
  const inner = isObject(outer['sbom']) ? outer['sbom'] : undefined;
  const document = inner ?? outer;
  const isMarked = (fields: Fields) => (format: Format) =>
    format.isOf(fields) || format.list in fields;
  const found = formats.filter(
    (format) => isMarked(document)(format) || (inner !== undefined && isMarked(outer)(format)),
  );
  const format = formats.find((each) => each.isOf(document));
  if (!format) {
    return rejected(
      'expected a document of CycloneDX (bomFormat) or SPDX 2 (spdxVersion); it is neither',
    );
  }
  if (found.length > 1 || (inner && formats.some(isMarked(outer)))) {
    return rejected(
      `expected one format; got ${found.map(({ name }) => name).join(' and ')} in one document. Scan each by itself`,
    );
  }
  return format.read(document, { entries: [], problems: [], lineOf: lineFinder(text) });
}

function versionIn(stated: unknown, form: RegExp): string | undefined {
  return typeof stated === 'string' ? form.exec(stated)?.[1] : undefined;
}

function withNotes(read: ReadEntries, ...notes: (string | undefined)[]): ReadEntries {
  return { ...read, notes: notes.filter((note) => note !== undefined) };
}

function noteOn(version: string): string | undefined {
  const [stated, known] = [parseVersion(version), parseVersion(newestCycloneDx)];
  if (!stated || !known || compareVersions(stated, known) <= 0) {
    return undefined;
  }
  return `CycloneDX ${version} is newer than this program; its components were read as before`;
}

/** Parts of a CycloneDX document that are not packages in use. */
function unread({ services, formulation, metadata }: Fields): string | undefined {
  const tools = isObject(metadata) ? metadata['tools'] : undefined;
  const ofTools = isObject(tools) ? [tools['components'], tools['services']] : [tools];
  const size = (...lists: unknown[]) =>
    lists.flatMap((list) => (Array.isArray(list) ? list : [])).length;
  const counts = [
    [size(services), 'service'],
    [size(...ofTools), 'tool'],
    [size(formulation), 'formula'],
  ] as const;
  const words = counts.flatMap(([count, noun]) => (count > 0 ? [counted(count, noun)] : []));
  return words.length === 0 ? undefined : `not judged: ${words.join(', ')}`;
}

function readComponents(document: Fields, read: Read): ReadEntries {
  const { metadata } = document;
  const subject = isObject(metadata) ? metadata['component'] : undefined;
  if (subject !== undefined) {
    readComponent(subject, 'metadata.component', read, 1);
    const [first, ...others] = read.entries;
    if (first) {
      read.entries.splice(
        0,
        Infinity,
        first.map((item) => ({ ...item, isSubject: true })),
        ...others,
      );
    }
  }
  const components = elementsOf(document, 'components', '', read);
  for (const [index, fields] of components.entries()) {
    readComponent(fields, `components[${index}]`, read, 1);
  }
  return read;
}

/** Components may be nested. */
function readComponent(fields: unknown, place: string, read: Read, level: number): void {
  if (!isObject(fields)) {
    read.problems.push(`${place}: expected an object; got ${show(fields)}`);
    return;
  }
  const { name, version, purl, group, evidence, hashes } = fields;
  const identities = isObject(evidence) ? objectsIn(evidence['identity']) : [];
  const concluded = (form: RegExp) =>
    identities
      .map(({ concludedValue }) => concludedValue)
      .filter((value) => typeof value === 'string' && form.test(value));
  const digests = objectsIn(hashes).map(({ alg, content }) => [alg, content]);
  // cdxgen may conclude the path of the stating file for the field `purl`, so check the form.
  const purls = [purl, ...concluded(/^\s*pkg:/i)];
  const versions = identities.flatMap(({ field, concludedValue }) =>
    field === 'version' ? [concludedValue] : [],
  );
  for (const stated of new Set([version, ...versions])) {
    addEntry({ place, name, version: stated, purls, group, digests }, read);
  }
  const inner = elementsOf(fields, 'components', `${place}.`, read);
  if (inner.length > 0 && level === maxLevels) {
    read.problems.push(`components lie more than ${maxLevels} levels deep in each other`);
  } else {
    for (const [index, one] of inner.entries()) {
      readComponent(one, `${place}.components[${index}]`, read, level + 1);
    }
  }
}

function readPackages(document: Fields, read: Read): ReadEntries {
  for (const [index, fields] of elementsOf(document, 'packages', '', read).entries()) {
    const place = `packages[${index}]`;
    if (!isObject(fields)) {
      read.problems.push(`${place}: expected an object; got ${show(fields)}`);
      continue;
    }
    const { name, versionInfo: version, checksums } = fields;
    const references = elementsOf(fields, 'externalRefs', `${place}.`, read).filter(isObject);
    const locators = (form: RegExp) =>
      references
        .filter(({ referenceType }) => form.test(lastPart(referenceType)))
        .map(({ referenceLocator }) => referenceLocator);
    const purls = locators(/^purl$/);
    const digests = objectsIn(checksums).map(({ algorithm, checksumValue }) => [
      algorithm,
      checksumValue,
    ]);
    addEntry({ place, name, version, purls, digests }, read);
  }
  return read;
}

function rejected(problem: string): ReadEntries {
  return { entries: [], problems: [problem] };
}
