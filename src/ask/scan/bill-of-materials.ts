import { show } from '../../core/schemas/problems.ts';
import { namedItem, packageItem, type ReadItems, type Item } from './items.ts';

const maxLevels = 100;

/** The parts that a CycloneDX 1.4 to 1.6 or SPDX 2.3 document lists, in its order. */
export function readBillOfMaterials(document: unknown): ReadItems {
  if (isObject(document) && document['bomFormat'] === 'CycloneDX') {
    const version = document['specVersion'];
    if (!['1.4', '1.5', '1.6'].includes(String(version)))
      return refused(`specVersion: expected CycloneDX 1.4, 1.5 or 1.6; got ${show(version)}`);
    return readComponents(document);
  }
  if (isObject(document) && 'spdxVersion' in document) {
    const version = document['spdxVersion'];
    if (version !== 'SPDX-2.3') return refused(`spdxVersion: expected SPDX-2.3; got ${show(version)}`);
    return readPackages(document);
  }
  return refused(
    'expected a CycloneDX document (bomFormat) or an SPDX document (spdxVersion); it is neither',
  );
}

/** Components lie in each other. A stack of our own, so that no document is too deep for that of the program. */
function readComponents(document: Entry): ReadItems {
  const items: Item[] = [];
  const problems: string[] = [];
  const open = [{ entries: elementsOf(document, 'components', '', problems), path: 'components', next: 0 }];
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const { entries, path } = level;
    if (level.next === entries.length) {
      open.pop();
      continue;
    }
    const place = `${path}[${level.next}]`;
    const entry = entries[level.next];
    level.next += 1;
    if (!isObject(entry)) {
      problems.push(`${place}: expected an object; got ${show(entry)}`);
      continue;
    }
    addItem(entry, { place, version: 'version', purl: entry['purl'] }, items, problems);
    const inner = elementsOf(entry, 'components', `${place}.`, problems);
    if (inner.length > 0 && open.length === maxLevels)
      return refused(`components lie more than ${maxLevels} levels deep in each other`);
    if (inner.length > 0) open.push({ entries: inner, path: `${place}.components`, next: 0 });
  }
  return { items, problems };
}

function readPackages(document: Entry): ReadItems {
  const used: Item[] = [];
  const problems: string[] = [];
  const subjects = subjectsOf(document, problems);
  const described: Item[] = [];
  for (const [index, entry] of elementsOf(document, 'packages', '', problems).entries()) {
    const place = `packages[${index}]`;
    if (!isObject(entry)) {
      problems.push(`${place}: expected an object; got ${show(entry)}`);
      continue;
    }
    const references = elementsOf(entry, 'externalRefs', `${place}.`, problems).filter(isObject);
    const purl = references.find(({ referenceType }) => referenceType === 'purl')?.['referenceLocator'];
    const items = subjects.has(entry['SPDXID']) ? described : used;
    addItem(entry, { place, version: 'versionInfo', purl }, items, problems);
  }
  return { items: used.length > 0 ? used : described, problems };
}

/** What an SPDX document is about, which is what its packages are used for. CycloneDX has it apart from its components. */
function subjectsOf(document: Entry, problems: string[]): ReadonlySet<unknown> {
  const relationships = elementsOf(document, 'relationships', '', problems).filter(isObject);
  const described = relationships.filter(({ relationshipType }) => relationshipType === 'DESCRIBES');
  return new Set([
    ...elementsOf(document, 'documentDescribes', '', problems),
    ...described.map(({ relatedSpdxElement }) => relatedSpdxElement),
  ]);
}

/** Its package URL says best what it is. One that cannot be read makes it unknown, and does not refuse the document. */
function addItem(
  entry: Entry,
  { place, version: key, purl }: { place: string; version: string; purl: unknown },
  items: Item[],
  problems: string[],
): void {
  if (typeof purl === 'string' && purl !== '') {
    items.push(packageItem(purl) ?? { text: purl });
    return;
  }
  const { name, [key]: version } = entry;
  if (typeof name !== 'string' || name === '')
    problems.push(`${place}.name: expected a text; got ${show(name)}`);
  else if (version !== undefined && typeof version !== 'string')
    problems.push(`${place}.${key}: expected a text; got ${show(version)}`);
  else items.push(namedItem(name, version === '' ? undefined : version));
}

type Entry = Readonly<Record<string, unknown>>;

function elementsOf(entry: Entry, key: string, before: string, problems: string[]): readonly unknown[] {
  const value = entry[key];
  if (value === undefined || Array.isArray(value)) return value ?? [];
  problems.push(`${before}${key}: expected a list; got ${show(value)}`);
  return [];
}

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(problem: string): ReadItems {
  return { items: [], problems: [problem] };
}
