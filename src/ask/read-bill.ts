/** Reads SBOMs as JSON (CycloneDX, SPDX, syft's own form) and package-lock.json. Pages run this file, so it imports neither zod nor Node. */
import { isDigest } from '../core/digest.ts';
import { isObject } from '../core/objects.ts';
import { formatPackage } from '../core/purl.ts';
import { readImage, readPurl, type Item } from './item.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The JSON keys by which an SBOM is recognised, each with a pattern for the key's value. */
const marks: readonly (readonly [key: string, form: RegExp])[] = [
  ['bomFormat', /^"CycloneDX"$/],
  // CycloneDX 2.
  ['specFormat', /^"CycloneDX"$/],
  ['spdxVersion', /^"SPDX-2/],
  // SPDX 3.
  ['@context', /spdx\.org/],
  ['schema', /\bsyft\b/],
];

/** Reads the items of an SBOM, each once. Undefined for a text that is not an SBOM. */
export function readBill(text: string): Item[] | undefined {
  const items = listItems(text);
  return (
    items && [
      ...new Map(items.map((item) => [JSON.stringify([item.text, item.digests]), item])).values(),
    ]
  );
}

function listItems(text: string): Item[] | undefined {
  const document = parseObject(text);
  if (!document) {
    return undefined;
  }

  const { lockfileVersion, packages } = document;
  // This is a package-lock.json of npm 7 or later.
  if ((lockfileVersion === 2 || lockfileVersion === 3) && isObject(packages)) {
    return Object.entries(packages).flatMap(readLocked);
  }

  // GitHub wraps exported SBOMs in an object.
  const bill = isObject(document['sbom']) ? document['sbom'] : document;
  const isMarked = marks.some(([key, form]) => form.test(JSON.stringify(bill[key]) ?? ''));
  return isMarked ? listPackages(bill).flatMap(readPackage) : undefined;
}

function parseObject(text: string): Fields | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return isObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Lists the packages of an SBOM. If the subject of the SBOM is an image or an operating system, lists the subject, too. Any other subject
 * is the user's own software.
 */
export function listPackages(bill: Fields): Fields[] {
  const { metadata, source } = bill as Readonly<Record<string, Fields | undefined>>;
  const graph = listObjects(bill['@graph']);
  const subjects = listSubjects(bill, graph);
  const packages = [
    ...['components', 'packages', 'artifacts'].flatMap((key) => listObjects(bill[key])),
    // In SPDX 3, the types end in `Package`: packages of software, of data, or of an AI model.
    ...graph.filter(({ type }) => asText(type)?.endsWith('Package')),
  ];
  const all = [
    ...listObjects([metadata?.['component']]).filter(isDeployed),
    // In syft's form, `source` is the subject: an image or a folder.
    ...(source?.['type'] === 'image' ? [{ ...source, type: 'container' }] : []),
    ...packages.filter(
      (each) => isDeployed(each) || !subjects.has(each['SPDXID'] ?? each['spdxId'] ?? ''),
    ),
  ];
  // The loop appends nested components to the list that it reads. Recursion could exceed the stack.
  for (const entry of all) {
    for (const inner of listObjects(entry['components'])) {
      all.push(inner);
    }
  }
  return all;
}

/** Lists the ids of the subjects of an SPDX SBOM (version 2 or 3). */
function listSubjects(bill: Fields, graph: readonly Fields[]): Set<unknown> {
  const described = listObjects(bill['relationships']).filter(
    (relation) => relation['relationshipType'] === 'DESCRIBES',
  );
  return new Set([
    ...described.map((relation) => relation['relatedSpdxElement']),
    ...graph.flatMap((element) => element['rootElement']),
  ]);
}

function isDeployed(fields: Fields): boolean {
  return /^(?:container|operating-?system)$/i.test(findType(fields));
}

/** Finds the type of a package in an SPDX 2, SPDX 3 or CycloneDX SBOM. */
function findType(fields: Fields): string {
  const { primaryPackagePurpose, software_primaryPurpose, type } = fields;
  return asText(primaryPackagePurpose ?? software_primaryPurpose ?? type) ?? '';
}

function listObjects(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 1000 ? value : undefined;
}

/**
 * Reads the items of a package:
 * - For an image with a tag, such as `caddy:1.24.0`, reads the name, because its package URL may have only a digest.
 * - For any other package, reads its package URLs. Without package URLs, reads its name.
 */
export function readPackage(fields: Fields): Item[] {
  const group = asText(fields['group']);
  const ownName = asText(fields['name']);
  const name = group && ownName ? `${group}/${ownName}` : ownName;
  const version = asText(
    fields['version'] ?? fields['versionInfo'] ?? fields['software_packageVersion'],
  );

  const image = /^container$/i.test(findType(fields)) ? readImage(name ?? '', version) : undefined;
  if (image?.version && !isDigest(image.version)) {
    return [image];
  }

  const digests = listDigests(fields);
  const purls = listPurls(fields);
  if (purls.length > 0) {
    return purls.map((purl) => readPurl(purl, version, digests));
  }
  return name
    ? [{ text: version ? `${name} ${version}` : name, name, version }]
    : [{ text: Object.keys(fields).join().slice(0, 100) }];
}

function listPurls(fields: Fields): string[] {
  const references = listObjects(fields['externalRefs'] ?? fields['externalIdentifier']).flatMap(
    (reference) => listTexts(Object.values(reference)).filter((text) => /^pkg:/i.test(text)),
  );
  return [...listTexts([fields['purl'], fields['software_packageUrl']]), ...references];
}

function listTexts(values: readonly unknown[]): string[] {
  return values.flatMap((value) => asText(value) ?? []);
}

function listDigests(fields: Fields): string[] {
  return listObjects(fields['hashes'] ?? fields['checksums'] ?? fields['verifiedUsing'])
    .map(({ alg, algorithm, content, checksumValue, hashValue }) => {
      // Some SBOMs write `SHA256`, others `SHA-256`.
      const name = asText(algorithm ?? alg)?.replaceAll(/[^a-z\d]/gi, '');
      return `${name}:${asText(checksumValue ?? hashValue ?? content)}`.toLowerCase();
    })
    .filter(isDigest);
}

/**
 * Reads an entry of package-lock.json. Only the packages in `node_modules/` come from a registry. Other paths, and the targets of links,
 * are folders of the project.
 */
function readLocked([path, fields]: [string, unknown]): Item[] {
  const [, ...folders] = `/${path}`.split('/node_modules/');
  const { link, name, version } = Object(fields) as Fields;
  if (folders.length === 0 || link === true) {
    return [];
  }

  // The entry of an alias has the name of the real package.
  const ownName = asText(name) ?? folders.at(-1)!;
  return [readPurl(formatPackage('npm', ownName), asText(version))];
}
