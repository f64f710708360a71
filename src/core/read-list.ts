/** Reads lists of versions and bills of materials. No zod and no Node: pages load it. */
import { isDigest } from './digest.ts';
import type { Names } from './index/owners.ts';
import { formatPackage, parseImage, parsePurl, formatPurl, type Purl } from './purl.ts';
import { formatList } from './text.ts';
import { parseVersion } from './version.ts';

/** A package or component that somebody uses, with what is stated of its bytes. */
export interface Item {
  /** As it was written. */
  readonly text: string;
  readonly name?: string;
  readonly purl?: Purl;
  readonly version?: string | undefined;
  /** `sha256:73f4…` */
  readonly digests?: readonly string[];
  readonly repositoryUrl?: string | undefined;
}

/** What a list states, and why the rest of it was not read. */
interface ReadList {
  readonly items: readonly Item[];
  readonly problems: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads a bill of materials, what npm installed, or lines: `name version`, package URLs, images. `names`: of the index. */
export function readList(text: string, names: Names, maxLines = 5000): ReadList {
  if (!/^\s*\{/.test(text)) {
    return readLines(text.trimEnd().split('\n'), names, maxLines);
  }

  let document: Fields;
  try {
    const outer = JSON.parse(text) as Fields;
    // GitHub wraps the bill that it exports.
    document = isObject(outer['sbom']) ? outer['sbom'] : outer;
  } catch (error) {
    return { items: [], problems: [(error as Error).message] };
  }

  if (document['bomFormat'] === 'CycloneDX') {
    const subject = (document['metadata'] as Fields | undefined)?.['component'];
    const components = list(document['components']);
    return toList(components.length > 0 ? [subject, ...components] : [], maxLines, (component) =>
      readComponent(component, 0),
    );
  }
  if (typeof document['spdxVersion'] === 'string') {
    return toList(list(document['packages']), maxLines, readSpdxPackage);
  }
  const locked = listEntries(document['packages']).filter(([path]) => /node_modules\//.test(path));
  const installed = locked.length > 0 ? locked : listEntries(document['dependencies']);
  if (installed.length > 0) {
    return toList(installed, maxLines, (entry) => readInstalled(entry, 0));
  }
  return { items: [], problems: ['a document of another kind'] };
}

/** What was not found in the index, and what was not read. */
export function describeRest(others: readonly string[], problems: readonly string[]): string {
  const unknown = others.length > 0 ? ` Not in this index: ${formatList(others, 20)}.` : '';
  return problems.length > 0
    ? `${unknown} Not read: ${formatList(problems, 20)}. Expected lines ("name 1.2.3"), package URLs, images (docker compose config --images), package-lock.json, npm ls --json, CycloneDX or SPDX as JSON.`
    : unknown;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function listEntries(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 1000 ? value : undefined;
}

/** Each statement once. */
function toList<Entry>(
  entries: readonly Entry[],
  most: number,
  read: (entry: Entry) => Item[],
): ReadList {
  const items = entries.slice(0, most).flatMap(read);
  return {
    items: [
      ...new Map(items.map((item) => [JSON.stringify([item.text, item.digests]), item])).values(),
    ],
    problems: entries.length > most ? [`what follows entry ${most}`] : [],
  };
}

/** A component of CycloneDX, and those within it. */
function readComponent(component: unknown, level: number): Item[] {
  if (!isObject(component) || level > 100) {
    return [];
  }

  const group = string(component['group']);
  const name = string(component['name']);
  const digests = list(component['hashes'])
    .filter(isObject)
    .map(({ alg, content }) => toDigest(alg, content));
  const named = group && name ? `${group}/${name}` : name;
  return [
    ...toItems({
      name: named,
      version: string(component['version']),
      purls: [string(component['purl'])],
      digests,
    }),
    ...list(component['components']).flatMap((nested) => readComponent(nested, level + 1)),
  ];
}

const unknownVersions = ['NOASSERTION', 'NONE'];

function readSpdxPackage(fields: unknown): Item[] {
  if (!isObject(fields)) {
    return [];
  }

  const purls = list(fields['externalRefs'])
    .filter(isObject)
    .filter(({ referenceType }) => String(referenceType).endsWith('purl'));
  const version = string(fields['versionInfo']);
  return toItems({
    name: string(fields['name']),
    version: unknownVersions.includes(version ?? '') ? undefined : version,
    purls: purls.map(({ referenceLocator }) => string(referenceLocator)),
    digests: list(fields['checksums'])
      .filter(isObject)
      .map(({ algorithm, checksumValue }) => toDigest(algorithm, checksumValue)),
  });
}

/** An entry of package-lock.json or `npm ls --json`, and those below it: an address tells what an alias stands for. */
function readInstalled([path, fields]: [string, unknown], level: number): Item[] {
  if (!isObject(fields) || level > 100) {
    return [];
  }

  const resolved = string(fields['resolved']) ?? '';
  const [, own] = /\/((?:@[^/]+(?:\/|%2f))?[^/]+)\/-\/[^/]+$/i.exec(resolved) ?? [];
  const name = own ?? string(fields['name']) ?? path.replace(/^.*node_modules\//s, '');
  // A link is to a folder, and what is optional may not be installed.
  const isLink = /^file:(?!.*\.tgz$)/.test(resolved);
  const version = isLink ? undefined : string(fields['version']);
  const purl = formatPackage('npm', name.replace(/%2f/i, '/'));
  return [
    ...(version === undefined ? [] : readPurl(purl, version)),
    ...listEntries(fields['dependencies']).flatMap((entry) => readInstalled(entry, level + 1)),
  ];
}

/** `sha256:73f4…` for `SHA-256` and `SHA256`. */
function toDigest(algorithm: unknown, value: unknown): string {
  return `${String(algorithm)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}:${String(value).toLowerCase()}`;
}

interface Stated {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly purls: readonly (string | undefined)[];
  readonly digests: readonly string[];
}

/** The package URLs of a package; its name where it has none, or where the index may know it by that alone. */
function toItems({ name, version, purls, digests }: Stated): Item[] {
  const ofPurls = purls.flatMap((purl) =>
    purl ? readPurl(purl, version, digests.filter(isDigest)) : [],
  );
  if (ofPurls.length > 0 || name === undefined) {
    return ofPurls;
  }

  return (
    readReference(name, version) ?? [{ text: version ? `${name} ${version}` : name, name, version }]
  );
}

function readPurl(text: string, version?: string, digests: readonly string[] = []): Item[] {
  const purl = parsePurl(text);
  if (!purl) {
    return [{ text, version }];
  }

  const tag = purl.qualifiers.get('tag');
  const stated = purl.version ?? version;
  // An image has its digest as version, and its tag beside it.
  const versions = new Set([stated, tag ?? undefined].filter((each) => each !== undefined));
  const all = stated && isDigest(stated) ? [...digests, stated] : digests;
  return versions.size === 0
    ? [{ text, purl, digests: all }]
    : [...versions].map((each) => ({
        text: formatPurl({ ...purl, version: each }),
        purl: { ...purl, version: each } as Purl,
        version: each,
        digests: all,
      }));
}

/** `registry.example.com/team/agent:1.0@sha256:0f1e…` */
function readReference(text: string, version?: string): Item[] | undefined {
  const image = parseImage(text);
  if (!image) {
    return undefined;
  }

  const { name, tag, digest } = image;
  const purl = { type: 'docker', name, qualifiers: new URLSearchParams() };
  const stated = tag ?? version ?? digest;
  return [{ text, purl, version: stated, digests: digest ? [digest] : [] }];
}

const imageLine = /^\s*(?:- +)?image: *(?=\S)(?!#)/;

function readLines(lines: readonly string[], names: Names, maxLines: number): ReadList {
  const items: Item[] = [];
  const problems = lines.length > maxLines ? [`what follows line ${maxLines}`] : [];
  const hasImages = lines.some((line) => imageLine.test(line));
  for (const [position, raw] of lines.slice(0, maxLines).entries()) {
    const isImage = imageLine.test(raw);
    // Of a file of Compose or Kubernetes, only the images.
    const isOther = hasImages && !isImage && /^\s|^---|^(?:- +)?[\w.-]+:(?:\s|$)/.test(raw);
    if (isOther && !findName(raw.toLowerCase(), names)) {
      continue;
    }

    const trimmed = raw
      .slice(0, 1000)
      .replace(/(?:^|\s)(?:#|--hash=|\\\s*$).*/, '')
      // The marker and the extras of a requirement.
      .replace(/;[\s(]*[a-z_]+\s*(?:[<>=!~]|(?:not )?in ).*/, '')
      .replace(/^([\w.-]+)\s*\[[\w\s,.-]*\]/, '$1')
      .replace(imageLine, '')
      .trim()
      .replace(/^[-*]\s+/, '')
      .replaceAll(/(?<!["',;])["',;]+$|^["']/g, '');
    if (trimmed === '') {
      continue;
    }

    const read = isImage ? readImage(trimmed) : readLine(trimmed, names);
    if (read) {
      items.push(...read);
    } else {
      problems.push(`line ${position + 1}: ${trimmed.slice(0, 100)}`);
    }
  }
  return { items, problems };
}

/** Also without a tag: it is never a component of that name. */
function readImage(text: string): readonly Item[] | undefined {
  return /^[\w.-]+$/.test(text) ? readPurl(`pkg:docker/${text}`) : readReference(text);
}

/** `svc 2025.1`, `svc@2025.1`, `svc: 2025.1`, `svc==2025.1`, `group:name:1.0`, a package URL, or an image. */
function readLine(text: string, names: Names): readonly Item[] | undefined {
  if (/^pkg:/i.test(text)) {
    return readPurl(text);
  }

  const name = findName(text.toLowerCase(), names);
  if (name) {
    const version = text
      .slice(name.length)
      .replace(/^[\s@:=^~"']+/, '')
      .replace(/["'\s].*$/s, '')
      .replace(/^v(?=\d)/, '');
    return [{ text, name, version: version || undefined }];
  }

  const [, unknown = '', version = ''] = /^(\S*[^\s@:=])[\s@:=]+v?(\d[^\s@:=]*)$/.exec(text) ?? [];
  return readReference(text) ?? (parseVersion(version) && [{ text, name: unknown, version }]);
}

/** The longest name that a text begins with. */
function findName(text: string, names: Names): string | undefined {
  const end = /$|[\s@:=^~"']|(?<!\d)v?\d/y;
  // Maven separates a group from its artifact by a colon.
  const path = text.replace(':', '/');
  for (let length = Math.min(text.length, 200); length > 0; length -= 1) {
    end.lastIndex = length;
    const name = text.slice(0, length);
    if (end.test(text) && (names.has(name) || names.has(path.slice(0, length)))) {
      return name;
    }
  }
  return undefined;
}
