import { show } from '../../core/schemas/problems.ts';
import { counted } from '../../core/text/text.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import {
  addEntry,
  arrayElements,
  isObject,
  lastPart,
  objectsIn,
  type Fields,
  type Read,
} from './document-entries.ts';
import type { ReadText } from './items.ts';

const maxLevels = 100;
/** The newest known version of the format. */
const newestCycloneDx = '1.7';

interface Format {
  readonly name: string;
  /** Whether a document declares this format. */
  isOf(document: Fields): boolean;
  /** The key of its list, unique among the formats. */
  readonly list: string;
  read(document: Fields, read: Read): ReadText;
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

/** Whether a document has the mark or the list of a format. */
export function isMarkedBill(document: Fields): boolean {
  const isMarked = formats.some(
    (format) => format.isOf(document) || Array.isArray(document[format.list]),
  );
  return isMarked || isObject(document['sbom']);
}

/** The parts of a CycloneDX or SPDX document, in its order. */
export function readBillOfMaterials(content: unknown, lineOf: Read['lineOf']): ReadText {
  const outer = isObject(content) ? content : {};

  // GitHub wraps the exported document in another object.
  const inner = isObject(outer['sbom']) ? outer['sbom'] : undefined;
  const document = inner ?? outer;
  const isMarked = (fields: Fields) => (format: Format) =>
    format.isOf(fields) || format.list in fields;
  const matching = formats.filter(
    (format) => isMarked(document)(format) || (inner !== undefined && isMarked(outer)(format)),
  );
  const format = formats.find((each) => each.isOf(document));

  if (!format) {
    return rejected(
      'expected CycloneDX (bomFormat), SPDX 2 (spdxVersion), a package.json, a package-lock.json or a list; it is none of them',
    );
  }

  if (matching.length > 1 || (inner && formats.some(isMarked(outer)))) {
    return rejected(
      `expected one format; got ${matching.map(({ name }) => name).join(' and ')} in one document. Scan each by itself`,
    );
  }

  return { ...format.read(document, { entries: [], problems: [], lineOf }), isDocument: true };
}

function versionIn(text: unknown, form: RegExp): string | undefined {
  return typeof text === 'string' ? form.exec(text)?.[1] : undefined;
}

function withNotes(read: ReadText, ...notes: (string | undefined)[]): ReadText {
  return { ...read, notes: notes.filter((note) => note !== undefined) };
}

function noteOn(version: string): string | undefined {
  const [specVersion, newest] = [parseVersion(version), parseVersion(newestCycloneDx)];
  if (!specVersion || !newest || compareVersions(specVersion, newest) <= 0) {
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

  const words = counts.filter(([count]) => count > 0).map(([count, noun]) => counted(count, noun));

  return words.length === 0 ? undefined : `not judged: ${words.join(', ')}`;
}

function readComponents(document: Fields, read: Read): ReadText {
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

  const components = arrayElements(document, 'components', '', read);

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
  const versions = identities
    .filter(({ field }) => field === 'version')
    .map(({ concludedValue }) => concludedValue);

  for (const eachVersion of new Set([version, ...versions])) {
    addEntry({ place, name, version: eachVersion, purls, group, digests }, read);
  }

  const inner = arrayElements(fields, 'components', `${place}.`, read);

  if (inner.length > 0 && level === maxLevels) {
    read.problems.push(`components lie more than ${maxLevels} levels deep in each other`);
  } else {
    for (const [index, one] of inner.entries()) {
      readComponent(one, `${place}.components[${index}]`, read, level + 1);
    }
  }
}

function readPackages(document: Fields, read: Read): ReadText {
  for (const [index, fields] of arrayElements(document, 'packages', '', read).entries()) {
    const place = `packages[${index}]`;

    if (!isObject(fields)) {
      read.problems.push(`${place}: expected an object; got ${show(fields)}`);
      continue;
    }

    const { name, versionInfo: version, checksums } = fields;
    const references = arrayElements(fields, 'externalRefs', `${place}.`, read).filter(isObject);

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

function rejected(problem: string): ReadText {
  return { entries: [], problems: [problem] };
}
