import { show } from '../../core/schemas/problems.ts';
import { entryOf, type Entry, type ReadEntries } from './items.ts';

const maxLevels = 100;
/** The newest minor versions that were read when this was written. */
const known = { cyclonedx: 7, spdx: 3 };

/** The parts that a CycloneDX 1.x or SPDX 2.x document lists, in its order. */
export function readBillOfMaterials(content: unknown): ReadEntries {
  const fields = isObject(content) ? content : {};
  // GitHub exports the document of a repository as a part of another.
  const document = isObject(fields['sbom']) ? fields['sbom'] : fields;
  if (document['bomFormat'] === 'CycloneDX') {
    const version = document['specVersion'];
    const minor = minorOf(version, /^1\.(\d+)$/);
    if (minor === undefined) return rejected(`specVersion: expected CycloneDX 1.x; got ${show(version)}`);
    return { ...readComponents(document), ...noteOn(`CycloneDX 1.${minor}`, minor > known.cyclonedx) };
  }
  if ('spdxVersion' in document) {
    const version = document['spdxVersion'];
    const minor = minorOf(version, /^SPDX-2\.(\d+)$/);
    if (minor === undefined) return rejected(`spdxVersion: expected SPDX-2.x; got ${show(version)}`);
    return { ...readPackages(document), ...noteOn(`SPDX 2.${minor}`, minor > known.spdx) };
  }
  return rejected(
    'expected a CycloneDX document (bomFormat) or an SPDX document (spdxVersion); it is neither',
  );
}

function minorOf(version: unknown, form: RegExp): number | undefined {
  const minor = typeof version === 'string' ? form.exec(version)?.[1] : undefined;
  return minor === undefined ? undefined : Number(minor);
}

function noteOn(version: string, isNewer: boolean): Pick<ReadEntries, 'note'> {
  return isNewer ? { note: `${version} is newer than this program; its components were read as before` } : {};
}

/** Components lie in each other. A stack of our own, so that no document is too deep for that of the program. */
function readComponents(document: Fields): ReadEntries {
  const entries: Entry[] = [];
  const problems: string[] = [];
  const { metadata } = document;
  const subject = isObject(metadata) && metadata['component'] !== undefined ? [metadata['component']] : [];
  const open = [
    { elements: elementsOf(document, 'components', '', problems), path: 'components', next: 0 },
    { elements: subject, path: 'metadata.component', next: 0 },
  ];
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const { elements, path } = level;
    if (level.next === elements.length) {
      open.pop();
      continue;
    }
    const place = elements === subject ? path : `${path}[${level.next}]`;
    const fields = elements[level.next];
    level.next += 1;
    if (!isObject(fields)) {
      problems.push(`${place}: expected an object; got ${show(fields)}`);
      continue;
    }
    const { purl, evidence } = fields;
    const identities = isObject(evidence) ? [evidence['identity']].flat().filter(isObject) : [];
    const concluded = identities.filter(({ field }) => field === 'purl');
    const purls = [purl, ...concluded.map(({ concludedValue }) => concludedValue)];
    addEntry(fields, { place, version: 'version', purls }, entries, problems);
    const inner = elementsOf(fields, 'components', `${place}.`, problems);
    if (inner.length > 0 && open.length === maxLevels)
      return rejected(`components lie more than ${maxLevels} levels deep in each other`);
    if (inner.length > 0) open.push({ elements: inner, path: `${place}.components`, next: 0 });
  }
  return { entries, problems };
}

function readPackages(document: Fields): ReadEntries {
  const entries: Entry[] = [];
  const problems: string[] = [];
  for (const [index, fields] of elementsOf(document, 'packages', '', problems).entries()) {
    const place = `packages[${index}]`;
    if (!isObject(fields)) {
      problems.push(`${place}: expected an object; got ${show(fields)}`);
      continue;
    }
    const references = elementsOf(fields, 'externalRefs', `${place}.`, problems).filter(isObject);
    const purls = references
      .filter(({ referenceType }) => referenceType === 'purl')
      .map(({ referenceLocator }) => referenceLocator);
    addEntry(fields, { place, version: 'versionInfo', purls }, entries, problems);
  }
  return { entries, problems };
}

/** A package URL that cannot be read makes the entry unknown, and does not reject the document. */
function addEntry(
  fields: Fields,
  { place, version: key, purls: stated }: { place: string; version: string; purls: readonly unknown[] },
  entries: Entry[],
  problems: string[],
): void {
  const purls = stated.filter((purl) => purl !== undefined && purl !== '');
  const { name = purls.length > 0 ? '' : undefined, [key]: version } = fields;
  if (typeof name !== 'string' || (name === '' && purls.length === 0))
    problems.push(`${place}.name: expected a text; got ${show(name)}`);
  else if (version !== undefined && typeof version !== 'string')
    problems.push(`${place}.${key}: expected a text; got ${show(version)}`);
  else if (!purls.every((purl) => typeof purl === 'string'))
    problems.push(`${place}: expected package URLs as texts; got ${show(purls)}`);
  else entries.push(entryOf({ name, version: isStated(version) ? version : undefined, purls }));
}

/** SPDX has words for a version that nobody knows. */
function isStated(version: string | undefined): boolean {
  return !['', 'NOASSERTION', 'NONE', undefined].includes(version);
}

type Fields = Readonly<Record<string, unknown>>;

function elementsOf(fields: Fields, key: string, before: string, problems: string[]): readonly unknown[] {
  const value = fields[key];
  if (value === undefined || Array.isArray(value)) return value ?? [];
  problems.push(`${before}${key}: expected a list; got ${show(value)}`);
  return [];
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function rejected(problem: string): ReadEntries {
  return { entries: [], problems: [problem] };
}
