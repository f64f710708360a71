/** Reads lists that are JSON: bills of materials, and what package managers lock or have installed. No zod and no Node: pages load it. */
import { isDigest } from '../digest.ts';
import { readPurl, type Item, type ReadList } from '../index/item.ts';
import { isObject } from '../objects.ts';
import { formatPackage } from '../purl.ts';
import { compareVersions, parseVersion, readVersion } from '../version.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A bill of materials, or what package managers lock or have installed. */
export function readDocument(text: string): ReadList {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return { items: [], problems: [(error as Error).message] };
  }

  // pip list --format json prints a list, and GitHub wraps the bill that it exports.
  const fields = Array.isArray(document) ? { artifacts: document } : (document as Fields);
  const bill = findBill(isObject(fields['sbom']) ? fields['sbom'] : fields);
  const installed = listInstalled(fields);
  const items = [
    ...(bill?.packages.flatMap(readPackage) ?? []),
    ...(bill ? [] : installed.flatMap(readInstalled)),
  ];
  const isEmpty = items.length === 0;
  const problem = bill ? bill.newer : installed.length === 0 && 'a document of another kind';
  // Each statement once.
  const unique = new Map(items.map((item) => [JSON.stringify([item.text, item.digests]), item]));
  return { items: [...unique.values()], problems: isEmpty && problem ? [problem] : [] };
}

interface Bill {
  readonly packages: readonly Fields[];
  /** It is of a form that came after this program: then it may say what is not found. */
  readonly newer?: string | false | undefined;
}

function findBill(document: Fields): Bill | undefined {
  const { bomFormat, specFormat, specVersion, spdxVersion, packages, artifacts } = document;
  if ((bomFormat ?? specFormat) === 'CycloneDX') {
    const subject = listObjects([(document['metadata'] as Fields | undefined)?.['component']]);
    const entries = listObjects(document['components']);
    // A bill without entries says nothing of its subject.
    const stated = entries.length > 0 ? [...subject, ...entries] : [];
    const all = flatten(stated, (entry) => listObjects(entry['components']));
    return { packages: all, newer: describeNewer('CycloneDX', specVersion, '2.0') };
  }

  const context = JSON.stringify(document['@context']) ?? '';
  const [, ofGraph] = /spdx\.org\/rdf\/v?(\d[\d.]*)/.exec(context) ?? [];
  if (ofGraph ?? spdxVersion) {
    const elements = listObjects(document['@graph']);
    // Of software, of data, or of a model.
    const graph = elements.filter(({ type }) => /_\w*Package$/.test(String(type)));
    const version = ofGraph ?? String(spdxVersion).replace('SPDX-', '');
    return {
      packages: ofGraph ? graph : listObjects(packages),
      newer: describeNewer('SPDX', version, '3.1'),
    };
  }

  if (document['content-hash'] !== undefined) {
    const entries = [packages, document['packages-dev']].flatMap(listObjects);
    const purl = ({ name }: Fields) => formatPackage('composer', asText(name) ?? '');
    return { packages: entries.map((entry) => ({ ...entry, purl: purl(entry) })) };
  }
  // syft
  return artifacts ? { packages: listObjects(artifacts) } : undefined;
}

function describeNewer(name: string, stated: unknown, greatest: string) {
  const version = parseVersion(String(stated));
  const isNewer = version && compareVersions(version, readVersion(greatest)) > 0;
  return isNewer && `${name} ${version.text} is newer than ${greatest}, the newest that is read`;
}

/** Of package-lock.json, or `npm ls --json`. */
function listInstalled({ packages, dependencies }: Fields): [string, Fields][] {
  const locked = listEntries(packages).filter(([path]) => /node_modules\//.test(path));
  const installed = locked.length > 0 ? locked : listEntries(dependencies);
  return flatten(installed, ([, entry]) => listEntries(entry['dependencies']));
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

  const references = listObjects(fields['externalRefs'] ?? fields['externalIdentifier'])
    .filter(({ referenceType, externalIdentifierType }) =>
      /(?:purl|packageurl)$/i.test(String(referenceType ?? externalIdentifierType)),
    )
    .map(({ referenceLocator, identifier }) => referenceLocator ?? identifier);
  const digests = listObjects(fields['hashes'] ?? fields['checksums'] ?? fields['verifiedUsing'])
    .map(({ alg, algorithm, content, checksumValue, hashValue }) => {
      // `SHA256` and `SHA-256`.
      const name = String(algorithm ?? alg).replaceAll(/[^a-z\d]/gi, '');
      return `${name}:${String(checksumValue ?? hashValue ?? content)}`.toLowerCase();
    })
    .filter(isDigest);
  const items = [fields['purl'], fields['software_packageUrl'], ...references].flatMap((purl) =>
    readPurl(asText(purl) ?? '', version, digests),
  );
  if (items.length === 0 && name) {
    const text = version ? `${name} ${version}` : name;
    return [{ text, name, version }];
  }
  return items;
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
