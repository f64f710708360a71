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
/** The newest known versions of the formats. */
const newest = { CycloneDX: '1.7', 'SPDX 2': '2.3', 'SPDX 3': '3.0' };

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
  readonly name: keyof typeof newest | 'Syft';
  /** Whether a document declares this format. */
  isOf(document: Fields): boolean;
  /** The key of its list, unique among the formats. */
  readonly list: string;
  read(document: Fields, read: Read): ReadEntries;
}

const formats: readonly Format[] = [
  {
    name: 'CycloneDX',
    // Version 2 names the format under another key.
    isOf: ({ bomFormat, specFormat }) => bomFormat === 'CycloneDX' || specFormat === 'CycloneDX',
    list: 'components',
    read(document, read) {
      const { specVersion } = document;
      const version = versionIn(specVersion, /^(\d+\.\d+)$/);
      if (version === undefined) {
        return rejected(`specVersion: expected one such as 1.7; got ${show(specVersion)}`);
      }
      return withNotes(
        readComponents(document, read),
        noteOn('CycloneDX', version),
        unread(document),
      );
    },
  },
  {
    name: 'SPDX 2',
    isOf: (document) => 'spdxVersion' in document,
    list: 'packages',
    read(document, read) {
      const version = versionIn(document['spdxVersion'], /^SPDX-(2\.\d+)$/);
      if (version === undefined) {
        return rejected(`spdxVersion: expected SPDX-2.x; got ${show(document['spdxVersion'])}`);
      }
      return withNotes(readPackages(document, read), noteOn('SPDX 2', version));
    },
  },
  {
    name: 'SPDX 3',
    isOf: (document) => '@context' in document,
    list: '@graph',
    read(document, read) {
      const contexts = [document['@context']].flat();
      const versions = contexts.map((each) =>
        versionIn(each, /^https:\/\/spdx\.org\/rdf\/(3\.\d+)\b/),
      );
      // Another context may rename the types of packages.
      const [version] = versions;
      if (version === undefined || versions.includes(undefined)) {
        return rejected(
          `@context: expected https://spdx.org/rdf/3.x/spdx-context.jsonld and no other; got ${show(document['@context'])}`,
        );
      }
      return withNotes(readGraph(document, read), noteOn('SPDX 3', version));
    },
  },
  {
    name: 'Syft',
    isOf: ({ descriptor }) => isObject(descriptor) && descriptor['name'] === 'syft',
    list: 'artifacts',
    read: readSyft,
  },
];

/** The parts of a CycloneDX, SPDX or Syft document, in its order. `text`: the document, to find their lines. */
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
      'expected a document of CycloneDX (bomFormat), SPDX (spdxVersion, @context) or Syft (descriptor); it is none of them',
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

function noteOn(standard: keyof typeof newest, version: string): string | undefined {
  const [stated, known] = [parseVersion(version), parseVersion(newest[standard])];
  if (!stated || !known || compareVersions(stated, known) <= 0) {
    return undefined;
  }
  const name = `${standard.replace(/ .*/, '')} ${version}`;
  return `${name} is newer than this program; its components were read as before`;
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
  const { name, version, purl, group, evidence, hashes, cpe } = fields;
  const identities = isObject(evidence) ? objectsIn(evidence['identity']) : [];
  const concluded = (form: RegExp) =>
    identities
      .map(({ concludedValue }) => concludedValue)
      .filter((value) => typeof value === 'string' && form.test(value));
  const digests = objectsIn(hashes).map(({ alg, content }) => [alg, content]);
  // cdxgen may conclude the path of the stating file for the field `purl`, so check the form.
  const purls = [purl, ...concluded(/^\s*pkg:/i)];
  const cpes = [cpe, ...concluded(/^\s*cpe:/i)];
  const versions = identities.flatMap(({ field, concludedValue }) =>
    field === 'version' ? [concludedValue] : [],
  );
  for (const stated of new Set([version, ...versions])) {
    addEntry({ place, name, version: stated, purls, group, digests, cpes }, read);
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
    const [purls, cpes] = [locators(/^purl$/), locators(/^cpe2[23]type$/)];
    const digests = objectsIn(checksums).map(({ algorithm, checksumValue }) => [
      algorithm,
      checksumValue,
    ]);
    addEntry({ place, name, version, purls, cpes, digests }, read);
  }
  return read;
}

/** The elements of SPDX 3 are in a list, or nested. */
function readGraph(document: Fields, read: Read): ReadEntries {
  const open: unknown[] = [document];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) {
      continue;
    }
    for (const inner of Object.values(value).reverse()) {
      open.push(inner);
    }
    const types = isObject(value) ? [value['type'], value['@type']].flat() : [];
    if (!isObject(value) || !types.some((type) => lastPart(type).endsWith('package'))) {
      continue;
    }
    const { spdxId, name, externalIdentifier, verifiedUsing, ...rest } = value;
    const identifiers = (form: RegExp) =>
      objectsIn(externalIdentifier)
        .filter(({ externalIdentifierType }) => form.test(lastPart(externalIdentifierType)))
        .map(({ identifier }) => identifier);
    const digests = objectsIn(verifiedUsing).map(({ algorithm, hashValue }) => [
      algorithm,
      hashValue,
    ]);
    const purls = [rest['software_packageUrl'], ...identifiers(/^packageurl$/)];
    const cpes = identifiers(/^cpe2[23]$/);
    const place = `package ${show(spdxId)}`;
    addEntry({ place, name, version: rest['software_packageVersion'], purls, cpes, digests }, read);
  }
  return read;
}

function readSyft(document: Fields, read: Read): ReadEntries {
  const { source } = document;
  if (isObject(source) && source['type'] === 'image') {
    const metadata = [source['metadata'], source['target']].find(isObject) ?? {};
    const { userInput, tags = [], repoDigests = [] } = metadata;
    const references = new Set([
      source['name'] ?? userInput,
      userInput,
      ...[tags, repoDigests].flat(),
    ]);
    // All names are of one image.
    const image: Read = { ...read, entries: [] };
    for (const name of references) {
      const version = name === source['name'] ? source['version'] : undefined;
      if (name !== undefined) {
        addEntry({ place: 'source', name, version, purls: [] }, image);
      }
    }
    if (image.entries.length > 0) {
      read.entries.push(image.entries.flat());
    }
  }
  for (const [index, fields] of elementsOf(document, 'artifacts', '', read).entries()) {
    const { name, version, purl, cpes } = isObject(fields) ? fields : {};
    const stated = [cpes].flat().map((cpe) => (isObject(cpe) ? cpe['cpe'] : cpe));
    addEntry({ place: `artifacts[${index}]`, name, version, purls: [purl], cpes: stated }, read);
  }
  return read;
}

function rejected(problem: string): ReadEntries {
  return { entries: [], problems: [problem] };
}
