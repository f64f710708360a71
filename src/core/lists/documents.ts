/** Reads lists that are JSON: bills of materials, and what package managers lock or have installed. No zod and no Node: pages load it. */
import { isDigest } from '../digest.ts';
import { readPurl, type Item } from '../index/item.ts';
import { isObject } from '../objects.ts';
import { formatPackage } from '../purl.ts';
import { joinEntries, type ListEntry, type ReadList } from './list.ts';

type Fields = Readonly<Record<string, unknown>>;

export function readDocument(text: string): ReadList {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return { items: [], problems: [{ message: (error as Error).message }] };
  }

  const { items, problems } = joinEntries(
    Array.isArray(document)
      ? listObjects(document).flatMap(readElement)
      : listEntries(document as Fields),
  );
  // Each statement once.
  const unique = new Map(items.map((item) => [JSON.stringify([item.text, item.digests]), item]));
  return { items: [...unique.values()], problems };
}

/** Of `pip list --format json`, or a project of `pnpm ls --json`, which is no entry itself. */
function readElement(fields: Fields): ListEntry[] {
  const entries = listEntries(fields);
  const isProject = 'path' in fields;
  const { text, items } = readEntry(fields);
  const isWhole = asText(fields['version']) !== undefined;
  return entries.length > 0 || isProject ? entries : [{ text, items: isWhole ? items : undefined }];
}

function listEntries(document: Fields): ListEntry[] {
  // GitHub wraps the bill that it exports.
  const bill = isObject(document['sbom']) ? document['sbom'] : document;
  return [...listPackages(bill).map(readEntry), ...listInstalled(bill).map(readInstalled)];
}

/** An entry of a bill, by its name or by what it has. */
function readEntry(fields: Fields): ListEntry {
  return {
    text: asText(fields['name']) ?? Object.keys(fields).join(),
    items: readPackage(fields),
  };
}

/** Under these keys, CycloneDX, SPDX 2, composer.lock and syft have their packages. */
const packageKeys = ['components', 'packages', 'packages-dev', 'artifacts'];

export function listPackages(bill: Fields): Fields[] {
  // Of SPDX 3, packages of software, of data, or of a model.
  const elements = listObjects(bill['@graph']).filter(({ type }) =>
    /_\w*Package$/.test(String(type)),
  );
  const packages = [...packageKeys.flatMap((key) => listObjects(bill[key])), ...elements];
  // What SPDX 2 describes is the subject of the bill, and no entry.
  const subjects = listObjects(bill['relationships']).flatMap((relation) =>
    relation['relationshipType'] === 'DESCRIBES' ? relation['relatedSpdxElement'] : [],
  );
  const listed = packages.filter(({ SPDXID }) => !subjects.includes(SPDXID));
  const all = flatten(listed, (entry) => listObjects(entry['components']));
  return bill['content-hash'] === undefined
    ? all
    : all.map((entry) => ({ ...entry, purl: formatPackage('composer', String(entry['name'])) }));
}

/** Of package-lock.json, or `npm ls --json`. */
function listInstalled(fields: Fields) {
  const locked = listMembers(fields['packages']).filter(([path]) => /node_modules\//.test(path));
  const installed = locked.length > 0 ? locked : listDependencies(fields);
  return flatten(installed, ([, entry]) => listDependencies(entry));
}

/** Under any key such as `devDependencies`. */
function listDependencies(fields: Fields) {
  return Object.entries(fields).flatMap(([key, value]) =>
    /dependencies$/i.test(key) ? listMembers(value) : [],
  );
}

/** Entries with those within them, at any depth. */
function flatten<Entry>(entries: readonly Entry[], listInner: (entry: Entry) => Entry[]): Entry[] {
  // The list grows while it is walked: a call for each level could exceed the stack.
  const all = [...entries];
  for (const entry of all) {
    for (const inner of listInner(entry)) {
      all.push(inner);
    }
  }
  return all;
}

function listObjects(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function listMembers(value: unknown): [string, Fields][] {
  const entries = isObject(value) ? Object.entries(value) : [];
  return entries.filter((entry): entry is [string, Fields] => isObject(entry[1]));
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 1000 ? value : undefined;
}

/** A component of CycloneDX, or a package of SPDX 2 or 3. Its name where it has no package URL. */
export function readPackage(fields: Fields): Item[] | undefined {
  const group = asText(fields['group']);
  const ownName = asText(fields['name']);
  const name = group && ownName ? `${group}/${ownName}` : ownName;
  const version = asText(
    fields['version'] ?? fields['versionInfo'] ?? fields['software_packageVersion'],
  );

  const digests = listDigests(fields);
  const items = listPurls(fields).flatMap((purl) => readPurl(asText(purl) ?? '', version, digests));
  if (items.length > 0) {
    return items;
  }

  return name ? [{ text: version ? `${name} ${version}` : name, name, version }] : undefined;
}

function listPurls(fields: Fields): unknown[] {
  const references = listObjects(fields['externalRefs'] ?? fields['externalIdentifier'])
    .flatMap(Object.values)
    .filter((value) => /^pkg:/i.test(String(value)));
  return [fields['purl'], fields['software_packageUrl'], ...references];
}

function listDigests(fields: Fields): string[] {
  return listObjects(fields['hashes'] ?? fields['checksums'] ?? fields['verifiedUsing'])
    .map(({ alg, algorithm, content, checksumValue, hashValue }) => {
      // `SHA256` and `SHA-256`.
      const name = String(algorithm ?? alg).replaceAll(/[^a-z\d]/gi, '');
      return `${name}:${String(checksumValue ?? hashValue ?? content)}`.toLowerCase();
    })
    .filter(isDigest);
}

/** An entry of package-lock.json or `npm ls --json`: an address tells what an alias stands for. */
function readInstalled([path, fields]: [string, Fields]): ListEntry {
  const resolved = asText(fields['resolved']) ?? '';
  const [, realName] = /\/((?:@[^/]+\/)?[^/]+)\/-\/[^/]+$/i.exec(resolved) ?? [];
  const name = realName ?? asText(fields['name']) ?? path.replace(/^.*node_modules\//s, '');
  const purl = formatPackage('npm', name.replace(/%2f/i, '/'));
  const version = asText(fields['version']);
  // A link is to a folder, and what is optional may not be installed.
  const isAbsent = Object.keys(fields).length === 0 || fields['missing'] || fields['link'];
  const isLink = /^(?:file|link):(?!.*\.tgz$)/.test(resolved || (version ?? ''));
  const items = version === undefined ? undefined : readPurl(purl, version);
  return { text: name, items: isAbsent || isLink ? [] : items };
}
