import type { Day } from '../../core/dates.ts';
import { digestLengths, type DigestAlgorithm } from '../../core/schemas/artifact-digests.ts';
import { repeatedKeys } from '../../core/repeated-keys.ts';
import { show } from '../../core/schemas/problems.ts';
import { defined, quote } from '../../core/text.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';
import { entryOf, readItemList, type Entry, type ReadEntries } from './items.ts';
import type { ScannedItem } from './scan-items.ts';

const maxLevels = 100;
/** The newest versions when this was written. */
const newest = { CycloneDX: '1.7', 'SPDX 2': '2.3', 'SPDX 3': '3.0' };

/** The entries of a bill of materials as JSON, or of a list. Throws where a text begins like JSON and is none. */
export function readEntries(text: string, acceptsNames = false): ReadEntries {
  if (/^\s*</.test(text)) return rejected('XML is not supported; write the document as JSON');
  if (!/^\s*[{[]/.test(text)) return readItemList(text, acceptsNames);
  const document: unknown = JSON.parse(text);
  const problems = repeatedKeys(text).map(
    ({ key, line }) => `line ${line}: has the key ${quote(key)} a second time`,
  );
  if (problems.length > 0) return { entries: [], problems };
  return { ...readBillOfMaterials(document, text), document: document as object };
}

/** The parts that a document of CycloneDX, SPDX or Syft lists, in its order. `text`: where their lines are found. */
export function readBillOfMaterials(content: unknown, text = ''): ReadEntries {
  const fields = isObject(content) ? content : {};
  // GitHub exports the document of a repository as a part of another.
  const document = isObject(fields['sbom']) ? fields['sbom'] : fields;
  const { bomFormat, specFormat, specVersion, spdxVersion, descriptor } = document;
  const read: Read = { entries: [], problems: [], lineOf: lineFinder(text) };
  // Version 2 names the format under another key.
  if (bomFormat === 'CycloneDX' || specFormat === 'CycloneDX') {
    const version = versionIn(specVersion, /^(\d+\.\d+)$/);
    if (version === undefined)
      return rejected(`specVersion: expected one such as 1.7; got ${show(specVersion)}`);
    return { ...readComponents(document, read), ...noteOn('CycloneDX', version) };
  }
  if ('spdxVersion' in document) {
    const version = versionIn(spdxVersion, /^SPDX-(2\.\d+)$/);
    if (version === undefined) return rejected(`spdxVersion: expected SPDX-2.x; got ${show(spdxVersion)}`);
    return { ...readPackages(document, read), ...noteOn('SPDX 2', version) };
  }
  const contexts = [document['@context']].flat();
  const [version] = contexts.flatMap(
    (each) => versionIn(each, /^https:\/\/spdx\.org\/rdf\/(3\.\d+)\b/) ?? [],
  );
  if (version !== undefined) return { ...readGraph(document, read), ...noteOn('SPDX 3', version) };
  if (isObject(descriptor) && descriptor['name'] === 'syft') return readSyft(document, read);
  return rejected(
    'expected a document of CycloneDX (bomFormat), SPDX (spdxVersion, @context) or Syft (descriptor); it is none of them',
  );
}

interface Read {
  readonly entries: Entry[];
  readonly problems: string[];
  /** The line from 1 where the document has a text next. */
  lineOf(text: string): number | undefined;
}

function versionIn(stated: unknown, form: RegExp): string | undefined {
  return typeof stated === 'string' ? form.exec(stated)?.[1] : undefined;
}

function noteOn(standard: keyof typeof newest, version: string): Pick<ReadEntries, 'note'> {
  const [stated, known] = [parseVersion(version), parseVersion(newest[standard])];
  if (!stated || compareVersions(stated, known!) <= 0) return {};
  const name = `${standard.replace(/ .*/, '')} ${version}`;
  return { note: `${name} is newer than this program; its components were read as before` };
}

function readComponents(document: Fields, read: Read): ReadEntries {
  const { metadata } = document;
  const subject = isObject(metadata) ? metadata['component'] : undefined;
  if (subject !== undefined) readComponent(subject, 'metadata.component', read, 1);
  const components = elementsOf(document, 'components', '', read);
  for (const [index, fields] of components.entries()) readComponent(fields, `components[${index}]`, read, 1);
  return read;
}

/** Components lie in each other. */
function readComponent(fields: unknown, place: string, read: Read, level: number): void {
  if (!isObject(fields)) {
    read.problems.push(`${place}: expected an object; got ${show(fields)}`);
    return;
  }
  const { name, version, purl, group, evidence, hashes } = fields;
  const identities = isObject(evidence) ? objectsIn(evidence['identity']) : [];
  // cdxgen concludes with the file that states the package, under the same field.
  const concluded = identities
    .map(({ concludedValue }) => concludedValue)
    .filter((value) => typeof value === 'string' && /^pkg:/i.test(value));
  const digests = objectsIn(hashes).map(({ alg, content }) => [alg, content]);
  addEntry({ place, element: fields, name, version, purls: [purl, ...concluded], group, digests }, read);
  const inner = elementsOf(fields, 'components', `${place}.`, read);
  if (inner.length > 0 && level === maxLevels)
    read.problems.push(`components lie more than ${maxLevels} levels deep in each other`);
  else
    for (const [index, one] of inner.entries())
      readComponent(one, `${place}.components[${index}]`, read, level + 1);
}

function readPackages(document: Fields, read: Read): ReadEntries {
  for (const [index, fields] of elementsOf(document, 'packages', '', read).entries()) {
    const place = `packages[${index}]`;
    if (!isObject(fields)) {
      read.problems.push(`${place}: expected an object; got ${show(fields)}`);
      continue;
    }
    const { name, versionInfo: version, checksums } = fields;
    const purls = elementsOf(fields, 'externalRefs', `${place}.`, read)
      .filter(isObject)
      .filter(({ referenceType }) => referenceType === 'purl')
      .map(({ referenceLocator }) => referenceLocator);
    const digests = objectsIn(checksums).map(({ algorithm, checksumValue }) => [algorithm, checksumValue]);
    addEntry({ place, element: fields, name, version, purls, digests }, read);
  }
  return read;
}

/** The elements of SPDX 3 stand in a list, or in each other. */
function readGraph(document: Fields, read: Read): ReadEntries {
  const open: unknown[] = [document];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value).reverse()) open.push(inner);
    const types = isObject(value) ? [value['type'], value['@type']].flat() : [];
    if (!isObject(value) || !types.some((type) => typeof type === 'string' && type.endsWith('Package')))
      continue;
    const { spdxId, name, externalIdentifier, verifiedUsing, ...rest } = value;
    const identifiers = objectsIn(externalIdentifier).filter(
      ({ externalIdentifierType }) => externalIdentifierType === 'packageUrl',
    );
    const digests = objectsIn(verifiedUsing).map(({ algorithm, hashValue }) => [algorithm, hashValue]);
    const purls = [rest['software_packageUrl'], ...identifiers.map(({ identifier }) => identifier)];
    const place = `package ${show(spdxId)}`;
    addEntry({ place, element: value, name, version: rest['software_packageVersion'], purls, digests }, read);
  }
  return read;
}

function readSyft(document: Fields, read: Read): ReadEntries {
  const { source } = document;
  if (isObject(source) && source['type'] === 'image') {
    const metadata = [source['metadata'], source['target']].find(isObject) ?? {};
    const { userInput, tags = [] } = metadata;
    const references = new Set([source['name'] ?? userInput, userInput, ...[tags].flat()]);
    // One image, whatever it is called.
    const image: Read = { ...read, entries: [] };
    for (const name of references) {
      const version = name === source['name'] ? source['version'] : undefined;
      if (name !== undefined) addEntry({ place: 'source', name, version, purls: [] }, image);
    }
    if (image.entries.length > 0) read.entries.push(image.entries.flat());
  }
  for (const [index, fields] of elementsOf(document, 'artifacts', '', read).entries()) {
    const { name, version, purl } = isObject(fields) ? fields : {};
    addEntry({ place: `artifacts[${index}]`, name, version, purls: [purl] }, read);
  }
  return read;
}

interface Written {
  readonly place: string;
  readonly name: unknown;
  readonly version: unknown;
  readonly purls: readonly unknown[];
  readonly group?: unknown;
  /** Algorithms with their values. */
  readonly digests?: readonly (readonly unknown[])[];
  readonly element?: Fields;
}

/** A package URL that cannot be read makes the entry unknown, and does not reject the document. */
function addEntry({ place, version, purls: stated, ...written }: Written, read: Read): void {
  const { group, digests = [], element } = written;
  const purls = stated.filter((purl) => purl !== undefined && purl !== '');
  const name = written.name ?? (purls.length > 0 ? '' : undefined);
  if (typeof name !== 'string' || (name === '' && purls.length === 0))
    read.problems.push(`${place}.name: expected a text; got ${show(written.name)}`);
  else if (version !== undefined && typeof version !== 'string')
    read.problems.push(`${place}: expected the version as a text; got ${show(version)}`);
  else if (!purls.every((purl) => typeof purl === 'string'))
    read.problems.push(`${place}: expected package URLs as texts; got ${show(purls)}`);
  else {
    const entry = entryOf({
      ...{ name, purls, version: isStated(version) ? version : undefined },
      group: typeof group === 'string' ? group : undefined,
      digests: digests.flatMap(([algorithm, value]) => digestOf(algorithm, value) ?? []),
    });
    const where = defined({ line: read.lineOf(purls[0] ?? name), element });
    read.entries.push(entry.map((item) => ({ ...item, ...where })));
  }
}

/** SPDX has words for a version that nobody knows. */
function isStated(version: string | undefined): boolean {
  return !['', 'NOASSERTION', 'NONE', undefined].includes(version);
}

/** `sha256:0f1e…` for SHA-256, SHA256 or sha256; undefined for an algorithm that no source states. */
export function digestOf(algorithm: unknown, value: unknown): string | undefined {
  const name = typeof algorithm === 'string' ? algorithm.toLowerCase().replace('-', '') : '';
  const length = digestLengths[name as DigestAlgorithm] as number | undefined;
  const isOfForm = typeof value === 'string' && value.length === length && /^[\da-f]+$/i.test(value);
  return isOfForm ? `${name}:${value.toLowerCase()}` : undefined;
}

/** As many texts are searched for in vain before a document counts as written in another way. */
const mostMissed = 100;

/** Each text is searched for behind the one before, as they come in the order of the document. */
function lineFinder(text: string): Read['lineOf'] {
  let [at, line, missed] = [0, 1, 0];
  return (wanted) => {
    if (missed === mostMissed) return undefined;
    const found = text.indexOf(JSON.stringify(wanted), at);
    if (found < 0) {
      missed += 1;
      return undefined;
    }
    for (let end = text.indexOf('\n', at); end >= 0 && end < found; end = text.indexOf('\n', end + 1))
      line += 1;
    at = found;
    return line;
  };
}

type Fields = Readonly<Record<string, unknown>>;

function elementsOf(fields: Fields, key: string, before: string, { problems }: Read): readonly unknown[] {
  const value = fields[key];
  if (value === undefined || Array.isArray(value)) return value ?? [];
  problems.push(`${before}${key}: expected a list; got ${show(value)}`);
  return [];
}

function objectsIn(value: unknown): Fields[] {
  return [value].flat().filter(isObject);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function rejected(problem: string): ReadEntries {
  return { entries: [], problems: [problem] };
}

/**
 * Writes the end of support into the elements of a bill of materials, in the fields of its own standard: a property of
 * CycloneDX's taxonomy (https://cyclonedx.github.io/cyclonedx-property-taxonomy/cdx/lifecycle.html), `validUntilDate` of
 * SPDX 2.3, or `validUntilTime` and `supportLevel` of SPDX 3.
 */
export function annotate(scanned: readonly ScannedItem[], day: Day): void {
  for (const { item, scan } of scanned) {
    const { supportedUntil } = scan.details;
    const element = item.element as Record<string, unknown> | undefined;
    if (!element || supportedUntil === undefined) continue;
    const time = `${supportedUntil}T00:00:00Z`;
    if ('SPDXID' in element || 'versionInfo' in element) element['validUntilDate'] = time;
    else if ('spdxId' in element || '@id' in element)
      Object.assign(element, {
        validUntilTime: time,
        supportLevel: [supportedUntil <= day ? 'endOfSupport' : 'support'],
      });
    else {
      const name = 'cdx:lifecycle:milestone:endOfSupport';
      const others = ([element['properties']].flat() as { name?: unknown }[]).filter(
        (property) => property !== undefined && property.name !== name,
      );
      element['properties'] = [...others, { name, value: supportedUntil }];
    }
  }
}
