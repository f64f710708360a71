/** Reads lists of versions and bills of materials. No zod and no Node: pages load it. */
import { isDigest } from './digest.ts';
import { findName, readImage, readPurl, readText, type Item } from './index/item.ts';
import type { Names } from './index/owners.ts';
import { isObject } from './objects.ts';
import { formatPackage } from './purl.ts';
import { formatList } from './text.ts';

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
    // A bill without entries says nothing of its subject.
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
  const notRead = entries === 0 ? 'no entry' : formatList(problems, 20);
  const sentences = [`${items.length - others.length} of ${entries} recognised.`];
  if (others.length > 0) {
    sentences.push(`Not in this index: ${formatList(others, 20)}.`);
  }
  if (notRead !== '') {
    sentences.push(
      `Not read: ${notRead}. Expected lines ("name 1.2.3"), package URLs, images (docker compose config --images), package-lock.json, npm ls --json, CycloneDX or SPDX as JSON.`,
    );
  }
  return sentences.join(' ');
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
  entries: readonly Entry[],
  maxEntries: number,
  listInner: (entry: Entry) => Entry[],
  read: (entry: Entry) => Item[],
): ReadList {
  // The list grows while it is walked: a call for each level could exceed the stack.
  const all = [...entries];
  for (const entry of all) {
    for (const inner of listInner(entry)) {
      all.push(inner);
    }
  }

  const items = all.slice(0, maxEntries).flatMap(read);
  return {
    items: [
      ...new Map(items.map((item) => [JSON.stringify([item.text, item.digests]), item])).values(),
    ],
    problems: all.length > maxEntries ? [`what follows entry ${maxEntries}`] : [],
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
    .map(({ alg, algorithm, content, checksumValue }) => {
      // `SHA256` and `SHA-256`.
      const name = String(algorithm ?? alg).replaceAll(/[^a-z\d]/gi, '');
      return `${name}:${String(checksumValue ?? content)}`.toLowerCase();
    })
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
  const [, realName] = /\/((?:@[^/]+(?:\/|%2f))?[^/]+)\/-\/[^/]+$/i.exec(resolved) ?? [];
  const name = realName ?? asText(fields['name']) ?? path.replace(/^.*node_modules\//s, '');
  // A link is to a folder, and what is optional may not be installed.
  const isLink = /^file:(?!.*\.tgz$)/.test(resolved);
  const version = isLink ? undefined : asText(fields['version']);
  const purl = formatPackage('npm', name.replace(/%2f/i, '/'));
  return version === undefined ? [] : readPurl(purl, version);
}

const imageLine = /^\s*(?:- +)?image: *(?=\S)(?!#)/;

function readLines(lines: readonly string[], names: Names, maxLines: number): ReadList {
  const items: Item[] = [];
  const problems = lines.length > maxLines ? [`what follows line ${maxLines}`] : [];
  const hasImages = lines.some((line) => imageLine.test(line));
  for (const [position, raw] of lines.slice(0, maxLines).entries()) {
    const isImage = imageLine.test(raw);
    // Of a file of Compose or Kubernetes, only images: indented lines, separators and keys are not read.
    const isOtherKey = hasImages && !isImage && /^\s|^---|^(?:- +)?[\w.-]+:(?:\s|$)/.test(raw);
    if (isOtherKey && !findName(raw.toLowerCase(), names)) {
      continue;
    }

    const line = cleanLine(raw);
    if (line === '') {
      continue;
    }

    const read = isImage ? readImageLine(line) : readText(line, names);
    if (read) {
      items.push(...read);
    } else {
      problems.push(`line ${position + 1}: ${line.slice(0, 100)}`);
    }
  }
  return { items, problems };
}

function cleanLine(raw: string): string {
  return (
    raw
      .slice(0, 1000)
      // A comment, a hash, and the sign that a line goes on.
      .replace(/(?:^|\s)(?:#|--hash=|\\\s*$).*/, '')
      // The marker and the extras of a requirement.
      .replace(/;[\s(]*[a-z_]+\s*(?:[<>=!~]|(?:not )?in ).*/, '')
      .replace(/^([\w.-]+)\s*\[[\w\s,.-]*\]/, '$1')
      .replace(imageLine, '')
      .trim()
      // The mark of a list, then quotes and commas.
      .replace(/^[-*]\s+/, '')
      .replaceAll(/(?<!["',;])["',;]+$|^["']/g, '')
  );
}

/** Also without a tag: it is never a component of that name. */
function readImageLine(text: string): readonly Item[] | undefined {
  return /^[\w.-]+$/.test(text) ? readPurl(`pkg:docker/${text}`) : readImage(text);
}
