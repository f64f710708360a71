/** Reads lists that are JSON: bills of materials, and what package managers lock or have installed. No zod and no Node: pages load it. */
import { isDigest } from '../digest.ts';
import { readPurl, type Item } from '../index/item.ts';
import { isObject } from '../objects.ts';
import { formatPackage } from '../purl.ts';
import { compareVersions, parseVersion, readVersion } from '../version.ts';
import type { ReadList } from './list.ts';

type Fields = Readonly<Record<string, unknown>>;

export function readDocument(text: string): ReadList {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return { items: [], problems: [{ message: (error as Error).message }] };
  }

  // pip list --format json prints a list, and GitHub wraps the bill that it exports.
  const fields = Array.isArray(document) ? { packages: document } : (document as Fields);
  const bill = isObject(fields['sbom']) ? fields['sbom'] : fields;
  const items = [
    ...listPackages(bill).flatMap(readPackage),
    ...listInstalled(bill).flatMap(readInstalled),
  ];
  // Each statement once.
  const unique = new Map(items.map((item) => [JSON.stringify([item.text, item.digests]), item]));
  const messages = items.length === 0 ? explainEmpty(bill) : [];
  return { items: [...unique.values()], problems: messages.map((message) => ({ message })) };
}

/** Under these keys, CycloneDX, SPDX 2, composer.lock and syft have their packages. */
const packageKeys = ['components', 'packages', 'packages-dev', 'artifacts'];

function listPackages(bill: Fields): Fields[] {
  const listed = packageKeys.flatMap((key) => listObjects(bill[key]));
  // Of SPDX 3, packages of software, of data, or of a model.
  const elements = listObjects(bill['@graph']).filter(({ type }) =>
    /_\w*Package$/.test(String(type)),
  );
  // A bill of CycloneDX without entries says nothing of its subject.
  const subject = listed.length > 0 ? (bill['metadata'] as Fields | undefined)?.['component'] : [];
  const packages = [...listObjects([subject]), ...listed, ...elements];
  const all = flatten(packages, (entry) => listObjects(entry['components']));
  return bill['content-hash'] === undefined
    ? all
    : all.map((entry) => ({ ...entry, purl: formatPackage('composer', String(entry['name'])) }));
}

/** Of package-lock.json, or `npm ls --json`. */
function listInstalled({ packages, dependencies }: Fields): [string, Fields][] {
  const locked = listEntries(packages).filter(([path]) => /node_modules\//.test(path));
  const installed = locked.length > 0 ? locked : listEntries(dependencies);
  return flatten(installed, ([, entry]) => listEntries(entry['dependencies']));
}

/** Why nothing is read of a document, unless it is a list that is empty, or that has folders alone. */
function explainEmpty(document: Fields): string[] {
  const { bomFormat, specFormat, specVersion, spdxVersion } = document;
  const context = JSON.stringify(document['@context']) ?? '';
  const [, ofGraph] = /spdx\.org\/rdf\/v?(\d[\d.]*)/.exec(context) ?? [];
  const { name, stated, newest } =
    (bomFormat ?? specFormat) === 'CycloneDX'
      ? { name: 'CycloneDX', stated: specVersion, newest: '2.0' }
      : { name: 'SPDX', stated: ofGraph ?? spdxVersion, newest: '3.1' };
  const version = parseVersion(String(stated).replace('SPDX-', ''));
  if (version && compareVersions(version, readVersion(newest)) > 0) {
    return [`${name} ${version.text} is newer than ${newest}, the newest that is read`];
  }

  const isList = packageKeys.some((key) => Array.isArray(document[key]));
  const isKnown = isList || version !== undefined || listInstalled(document).length > 0;
  return isKnown ? [] : ['a document of another kind'];
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

function listEntries(value: unknown): [string, Fields][] {
  const entries = isObject(value) ? Object.entries(value) : [];
  return entries.filter((entry): entry is [string, Fields] => isObject(entry[1]));
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 1000 ? value : undefined;
}

/** A component of CycloneDX, or a package of SPDX 2 or 3. Its name where it has no package URL. */
function readPackage(fields: Fields): Item[] {
  const group = asText(fields['group']);
  const ownName = asText(fields['name']);
  const name = group && ownName ? `${group}/${ownName}` : ownName;
  const stated = fields['version'] ?? fields['versionInfo'] ?? fields['software_packageVersion'];
  const version = /^(?:NOASSERTION|NONE)$/.test(String(stated)) ? undefined : asText(stated);

  const digests = listDigests(fields);
  const items = listPurls(fields).flatMap((purl) => readPurl(asText(purl) ?? '', version, digests));
  if (items.length > 0 || !name) {
    return items;
  }

  return [{ text: version ? `${name} ${version}` : name, name, version }];
}

function listPurls(fields: Fields): unknown[] {
  const references = listObjects(fields['externalRefs'] ?? fields['externalIdentifier'])
    .filter(({ referenceType, externalIdentifierType }) =>
      /(?:purl|packageurl)$/i.test(String(referenceType ?? externalIdentifierType)),
    )
    .map(({ referenceLocator, identifier }) => referenceLocator ?? identifier);
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
function readInstalled([path, fields]: [string, Fields]): Item[] {
  const resolved = asText(fields['resolved']) ?? '';
  const [, realName] = /\/((?:@[^/]+(?:\/|%2f))?[^/]+)\/-\/[^/]+$/i.exec(resolved) ?? [];
  const name = realName ?? asText(fields['name']) ?? path.replace(/^.*node_modules\//s, '');
  // A link is to a folder, and what is optional may not be installed.
  const isLink = /^file:(?!.*\.tgz$)/.test(resolved);
  const version = isLink ? undefined : asText(fields['version']);
  const purl = formatPackage('npm', name.replace(/%2f/i, '/'));
  return version === undefined ? [] : readPurl(purl, version);
}
