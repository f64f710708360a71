import { digestLengths, normaliseDigest } from '../../core/model/digest.ts';
import { isObject } from '../../core/model/objects.ts';
import { showValue } from '../../core/text/show.ts';
import { formatCount } from '../../core/text/wording.ts';

/** An object of a bill of materials. */
export type Fields = Readonly<Record<string, unknown>>;

/** A package as a document has it. `place`: such as `components[0]`. */
export interface WrittenPackage {
  readonly place: string;
  readonly fields: Fields;
  readonly name: unknown;
  readonly version: unknown;
  readonly purls: readonly unknown[];
  readonly group?: unknown;
  readonly digests: readonly string[];
  /** Whether the document is about it. */
  readonly isSubject?: true | undefined;
}

/** Why a document is rejected. */
export interface Problem {
  readonly problem: string;
}

export function createProblem(place: string, expected: string, got: unknown): Problem {
  return { problem: `${place}: expected ${expected}; got ${showValue(got)}` };
}

/** The packages of a document of CycloneDX (https://cyclonedx.org/docs/1.7/json/), its subject first, and its problems. */
export function* readCycloneDx(document: Fields): Generator<WrittenPackage | Problem> {
  const { specVersion, metadata } = document;
  if (readMinor(specVersion) === undefined) {
    yield createProblem('specVersion', '1.x, such as 1.7', specVersion);
    return;
  }

  const subject = isObject(metadata) ? (metadata['component'] ?? undefined) : undefined;
  if (subject !== undefined) {
    yield* listPackages(readObject(subject, 'metadata.component'), { level: 1, isSubject: true });
  }
  for (const component of listObjects(document, 'components')) {
    yield* listPackages(component, { level: 1 });
  }
}

const maxLevels = 100;

/** The packages of a component, one for each version that it states, and of the components within it. */
function* listPackages(
  component: PlacedObject | Problem,
  { level, isSubject }: { level: number; isSubject?: true },
): Generator<WrittenPackage | Problem> {
  if ('problem' in component) {
    yield component;
    return;
  }

  const { place, fields } = component;
  const { name, version, purl, group, evidence, hashes } = fields;
  const digests = readDigests(hashes, 'alg', 'content');

  const purls = [purl];
  const versions = new Set([version]);
  const identities = isObject(evidence) ? listIfObjects(evidence['identity']) : [];

  for (const { field, concludedValue } of identities) {
    // A conclusion on any field may be a package URL, and one on `purl`, by cdxgen, the path of the stating file.
    if (typeof concludedValue === 'string' && /^\s*pkg:/i.test(concludedValue)) {
      purls.push(concludedValue);
    }
    if (field === 'version') {
      versions.add(concludedValue);
    }
  }

  // A component without a version is a package, too.
  const statedVersions = [...versions].filter((value) => (value ?? '') !== '');
  for (const each of statedVersions.length > 0 ? statedVersions : [undefined]) {
    yield { place, fields, name, version: each, purls, group, digests, isSubject };
  }

  for (const nested of listObjects(fields, 'components', `${place}.`)) {
    if (level === maxLevels) {
      yield { problem: `components are nested more than ${maxLevels} levels deep` };
      return;
    }

    yield* listPackages(nested, { level: level + 1 });
  }
}

/** The newest known version of CycloneDX is 1.7. */
const newestMinor = 7;

/** Notes on a version of CycloneDX that is newer than the program knows, and on the parts of a document that are not packages in use. */
export function describeUnread({ specVersion, services, metadata }: Fields): string[] {
  const notes: string[] = [];

  const minor = readMinor(specVersion) ?? 0;
  if (minor > newestMinor) {
    notes.push(
      `CycloneDX 1.${minor} is newer than this program; its components were read as before`,
    );
  }

  const tools = isObject(metadata) ? metadata['tools'] : undefined;
  const toolLists = isObject(tools) ? [tools['components'], tools['services']] : [tools];

  const words = [...describeItems([services], 'service'), ...describeItems(toolLists, 'tool')];
  if (words.length > 0) {
    notes.push(`not judged: ${words.join(', ')}`);
  }

  return notes;
}

/** `2 tools`; nothing without items. */
function describeItems(lists: readonly unknown[], noun: string): string[] {
  const { length } = lists.filter(Array.isArray).flat();
  return length === 0 ? [] : [formatCount(length, noun)];
}

/** The number behind the point of `1.7`; undefined for other versions. */
function readMinor(specVersion: unknown): number | undefined {
  const [, minor] = (typeof specVersion === 'string' && /^1\.(\d{1,9})$/.exec(specVersion)) || [];
  return minor === undefined ? undefined : Number(minor);
}

/** The packages of a document of SPDX 2 (https://spdx.github.io/spdx-spec/v2.3/), in its order, and its problems. */
export function* readSpdx(document: Fields): Generator<WrittenPackage | Problem> {
  const { spdxVersion } = document;
  if (spdxVersion !== 'SPDX-2.2' && spdxVersion !== 'SPDX-2.3') {
    yield createProblem('spdxVersion', 'SPDX-2.2 or SPDX-2.3', spdxVersion);
    return;
  }

  for (const part of listObjects(document, 'packages')) {
    if ('problem' in part) {
      yield part;
      continue;
    }

    const { place, fields } = part;
    const { name, versionInfo: version, checksums, externalRefs } = fields;
    const references = externalRefs ?? [];
    if (!Array.isArray(references)) {
      yield createProblem(`${place}.externalRefs`, 'a list', references);
    }

    const purls = listIfObjects(references)
      .filter(({ referenceType }) => readType(referenceType) === 'purl')
      .map(({ referenceLocator }) => referenceLocator);
    const digests = readDigests(checksums, 'algorithm', 'checksumValue');
    yield { place, fields, name, version, purls, digests };
  }
}

/** An object at a place such as `components[0]`. */
interface PlacedObject {
  readonly place: string;
  readonly fields: Fields;
}

/** The objects in the list of a key, which may be absent or null, and a problem in place of each other value. */
function listObjects(fields: Fields, key: string, prefix = ''): (PlacedObject | Problem)[] {
  const list = fields[key] ?? [];
  const place = `${prefix}${key}`;
  return Array.isArray(list)
    ? list.map((element, index) => readObject(element, `${place}[${index}]`))
    : [createProblem(place, 'a list', list)];
}

function readObject(value: unknown, place: string): PlacedObject | Problem {
  return isObject(value) ? { place, fields: value } : createProblem(place, 'an object', value);
}

/** The objects in a value or a list of values. Ignores all others. */
function listIfObjects(value: unknown): Fields[] {
  return [value].flat().filter(isObject);
}

/** A type without the address of its vocabulary, in lower case; empty if it is no text. */
function readType(type: unknown): string {
  const text = typeof type === 'string' ? type : '';
  return text
    .replace(/^.*[/#:]/s, '')
    .trim()
    .toLowerCase();
}

/** The digests in a list of objects, by their keys for the algorithm and the value. Ignores algorithms that are not accepted. */
function readDigests(list: unknown, algorithmKey: string, valueKey: string): string[] {
  const digests: string[] = [];
  for (const fields of listIfObjects(list)) {
    // `SHA-256`, `SHA256` and `checksumAlgorithm_sha256`.
    const algorithm = readType(fields[algorithmKey])
      .replace(/^checksumalgorithm_/, '')
      .replaceAll(/[-_\s]/g, '');
    if (Object.hasOwn(digestLengths, algorithm)) {
      // A value of another form differs from every recorded digest.
      const value = fields[valueKey];
      const text = typeof value === 'string' ? value.slice(0, 200) : showValue(value);
      digests.push(`${algorithm}:${normaliseDigest(text)}`);
    }
  }
  return digests;
}
