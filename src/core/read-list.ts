/** Reads lists of versions and bills of materials. No zod and no Node: pages load it. */
import { isDigest } from './digest.ts';
import type { Names } from './index/owners.ts';
import { isObject } from './objects.ts';
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

  const { bomFormat, metadata, components, spdxVersion, packages, dependencies } = document;
  if (bomFormat === 'CycloneDX' || typeof spdxVersion === 'string') {
    const subject = listObjects([(metadata as Fields | undefined)?.['component']]);
    const entries = listObjects(components ?? packages);
    const stated = entries.length > 0 ? [...subject, ...entries] : [];
    return toList(stated, maxLines, (entry) => listObjects(entry['components']), readPackage);
  }

  const locked = listEntries(packages).filter(([path]) => /node_modules\//.test(path));
  const installed = locked.length > 0 ? locked : listEntries(dependencies);
  return installed.length > 0
    ? toList(installed, maxLines, ([, entry]) => listEntries(entry['dependencies']), readInstalled)
    : { items: [], problems: ['a document of another kind'] };
}

/** How much of a list was recognised. `others`: what is not in the index. */
export function describeRead({ items, problems }: ReadList, others: readonly string[]): string {
  const entries = items.length + problems.length;
  const unknown = others.length > 0 ? ` Not in this index: ${formatList(others, 20)}.` : '';
  const rest = entries === 0 ? 'no entry' : formatList(problems, 20);
  return `${items.length - others.length} of ${entries} recognised.${unknown}${
    rest &&
    ` Not read: ${rest}. Expected lines ("name 1.2.3"), package URLs, images (docker compose config --images), package-lock.json, npm ls --json, CycloneDX or SPDX as JSON.`
  }`;
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

/** Entries with those within them, at any depth; each statement once. */
function toList<Entry>(
  entries: Entry[],
  most: number,
  listInner: (entry: Entry) => Entry[],
  read: (entry: Entry) => Item[],
): ReadList {
  // The list grows while it is walked: a call for each level could exceed the stack.
  for (const entry of entries) {
    for (const inner of listInner(entry)) {
      entries.push(inner);
    }
  }

  const items = entries.slice(0, most).flatMap(read);
  return {
    items: [
      ...new Map(items.map((item) => [JSON.stringify([item.text, item.digests]), item])).values(),
    ],
    problems: entries.length > most ? [`what follows entry ${most}`] : [],
  };
}

/** A component of CycloneDX, or a package of SPDX. Its name where it has no package URL. */
function readPackage(fields: Fields): Item[] {
  const { externalRefs, hashes, checksums } = fields;
  const group = asText(fields['group']);
  const ownName = asText(fields['name']);
  const name = group && ownName ? `${group}/${ownName}` : ownName;
  const stated = asText(fields['version'] ?? fields['versionInfo']);
  const version = stated === 'NOASSERTION' || stated === 'NONE' ? undefined : stated;

  const references = listObjects(externalRefs)
    .filter(({ referenceType }) => String(referenceType).endsWith('purl'))
    .map(({ referenceLocator }) => referenceLocator);
  const digests = listObjects(hashes ?? checksums)
    .map(({ alg, algorithm = alg, content, checksumValue = content }) =>
      // `sha256:73f4…` for `SHA-256` and `SHA256`.
      `${String(algorithm).replaceAll(/[^a-z\d]/gi, '')}:${String(checksumValue)}`.toLowerCase(),
    )
    .filter(isDigest);
  const items = [fields['purl'], ...references].flatMap((purl) =>
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
  const [, own] = /\/((?:@[^/]+(?:\/|%2f))?[^/]+)\/-\/[^/]+$/i.exec(resolved) ?? [];
  const name = own ?? asText(fields['name']) ?? path.replace(/^.*node_modules\//s, '');
  // A link is to a folder, and what is optional may not be installed.
  const isLink = /^file:(?!.*\.tgz$)/.test(resolved);
  const version = isLink ? undefined : asText(fields['version']);
  const purl = formatPackage('npm', name.replace(/%2f/i, '/'));
  return version === undefined ? [] : readPurl(purl, version);
}

function readPurl(text: string, version?: string, digests: readonly string[] = []): Item[] {
  const purl = parsePurl(text);
  if (!purl) {
    return text === '' ? [] : [{ text, version }];
  }

  const stated = purl.version ?? version;
  // An image has its digest as version, and its tag beside it.
  const versions = new Set([stated, purl.qualifiers.get('tag') ?? stated]);
  const all = stated && isDigest(stated) ? [...digests, stated] : digests;
  return [...versions].map((each) => {
    const own = { ...purl, version: each };
    return { text: formatPurl(own), purl: own, version: each, digests: all };
  });
}

/** `registry.example.com/team/agent:1.0@sha256:0f1e…` */
function readReference(text: string): Item[] | undefined {
  const image = parseImage(text);
  if (!image) {
    return undefined;
  }

  const { name, tag, digest } = image;
  const purl = { type: 'docker', name, qualifiers: new URLSearchParams() };
  return [{ text, purl, version: tag ?? digest, digests: digest ? [digest] : [] }];
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
    const [, version] = /^[\s@:=^~"']*(?:v(?=\d))?([^"'\s]*)/.exec(text.slice(name.length))!;
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
