/** One text that names a package or component, and perhaps its version. No zod and no Node: pages load it. */
import { isDigest } from '../digest.ts';
import { formatPackage, formatPurl, parseImage, parsePurl, type Purl } from '../purl.ts';
import { parseVersion } from '../version.ts';
import { findName, type Names } from './owners.ts';

/** A package or component that somebody uses, with what is stated of its bytes. */
export interface Item {
  /** As it was written. */
  readonly text: string;
  readonly name?: string;
  readonly purl?: Purl;
  readonly version?: string | undefined;
  /** What is stated in place of a version: `^4.0.0`. */
  readonly range?: string | undefined;
  /** The list that states it, where several are read; and the number of the line, where it has lines. */
  readonly file?: string;
  readonly line?: number | undefined;
  /** `sha256:73f4…` */
  readonly digests?: readonly string[];
  /** What it is said to be built from. */
  readonly repositoryUrl?: string | undefined;
}

/** `svc 2025.1`, `svc@2025.1`, `svc: 2025.1`, `svc==2025.1`, `svc,2025.1`, `group:name:1.0`, a package URL, or an image. */
export function readText(text: string, names: Names): readonly Item[] | undefined {
  if (/^pkg:/i.test(text)) {
    return readPurl(text);
  }

  const [, group, artifact, version] = coordinateForm.exec(text) ?? [];
  if (group) {
    return readPurl(formatPackage('maven', `${group}:${artifact}`), version);
  }

  const name = findName(text.toLowerCase(), names);
  return name
    ? toItems(text, name, readStated(text.slice(name.length)))
    : (readImage(text) ?? readUnlisted(text));
}

/** A name and its version from two cells. */
export function readNamed(name: string, version: string): Item[] {
  return toItems(`${name} ${version}`.trim(), name, readStated(` ${version}`));
}

/** `group:name:1.0`; of Maven with a type, perhaps a classifier, and a scope with words behind it; of gradle.lockfile with configurations. */
const coordinateForm =
  /^([\w.-]+):([\w.-]+):(?:[a-z][\w-]*(?::[\w.-]+)?:)?(\d[\w.+-]*|[\w.+-]+(?==))(?::(?:compile|provided|runtime|test|system|import)\b.*|=[\w,.-]*)?$/;

/** A name that the index does not have, where a version or a range stands behind it. */
function readUnlisted(text: string): Item[] | undefined {
  const [, name = '', behind = ''] =
    // A cell of a table may have spaces.
    /^([^"',;|\t(]+?)\s*(["']?\s*[,;|\t].+)$/.exec(text) ??
    /^(@?[^\s"'@:=,;|<>!~^()[\]]+)([\s"'@:=<>!~^(].*)$/.exec(text) ??
    [];
  const stated = readStated(behind);
  const isStated = stated.range !== undefined || parseVersion(stated.versions[0] ?? '');
  // `version: 1.0` says it of something else.
  const isNamed = !/(?:^|[\W_a-z])version$/i.test(name);
  return isStated && stated.isWhole && isNamed ? toItems(text, name, stated) : undefined;
}

/** What stands behind a name. */
interface Stated {
  /** Usually one. */
  readonly versions: readonly string[];
  readonly range?: string | undefined;
  readonly digests: readonly string[];
  /** Nothing else follows, or what follows is another cell. */
  readonly isWhole: boolean;
}

/** Operators of npm, Python, Ruby and Cargo; `4.2.*`; `1.0 - 2.0`. */
const rangeForm = /^(?:[\^~<>!][=>]*\s*v?\d|[^\s"',;|()[\]=]*(?:\*|\s+(?:-|\|\|)\s+v?\d))/;

function readStated(text: string): Stated {
  const [, between = '', stated = ''] = /^([\s"'@:=,;|]*)(.*)$/s.exec(text)!;
  const open = stated.replace(/^\(\s*(?:default: )?/, '');
  const range = findRange(open);
  if (range !== undefined) {
    return { versions: [], range, digests: [], isWhole: true };
  }

  const [token = ''] = /^[^\s"',;|()[\]=]*/.exec(open)!;
  const tail = open.slice(token.length);
  const { versions, isWhole } = readFurther(tail);
  // Ruby has them in parentheses, also beside platforms.
  const isList = open !== stated || (isWhole && between.trim() === '');
  // `v1.0@sha256:0f1e…`, and the colon of a key.
  const [, version = '', digest] = /^(?:v(?=\d))?(.*?)(?:@(sha\d+:\w+))?:*$/i.exec(token)!;
  return {
    versions: version === '' ? [] : [version, ...(isList ? versions : [])],
    digests: digest === undefined ? [] : [digest],
    isWhole: isList || /^["'\s]*(?:$|[,;|)=])/.test(tail),
  };
}

/** Further versions, each with a point: 3 or 2026-01-31 may be anything. `isWhole`: nothing else is there but what asdf has in place of one. */
function readFurther(text: string) {
  const words = text.split(/[\s,)]+/).filter(Boolean);
  const versions = words.filter((word) => /^v?\d+\.\d/.test(word) && parseVersion(word));
  const isKnown = (word: string) =>
    versions.includes(word) || /^(?:system|(?:ref|path):.*)$/.test(word);
  return { versions, isWhole: words.every(isKnown) };
}

/** The range that a text begins with. */
function findRange(text: string): string | undefined {
  return rangeForm.test(text) ? text.replace(/["'):,;\s]+$/, '').slice(0, 100) : undefined;
}

function toItems(text: string, name: string, { versions, range, digests }: Stated): Item[] {
  return versions.length > 1
    ? versions.map((version) => ({ text: `${name} ${version}`, name, version }))
    : [{ text: text.replaceAll('\t', ' '), name, version: versions[0], range, digests }];
}

export function readPurl(text: string, version?: string, digests: readonly string[] = []): Item[] {
  const purl = parsePurl(text);
  if (!purl) {
    return text === '' ? [] : [{ text, version }];
  }

  const stated = purl.version ?? version;
  const allDigests = stated && isDigest(stated) ? [...digests, stated] : digests;
  // An image has its digest as version, and its tag beside it.
  const tagged = purl.qualifiers.get('tag') ?? stated;
  const versioned = { ...purl, version: tagged };
  const range = findRange(tagged ?? '');
  const read = range === undefined ? { version: tagged } : { range };
  return [{ text: formatPurl(versioned), purl: versioned, digests: allDigests, ...read }];
}

/** `registry.example.com/team/agent:1.0@sha256:0f1e…` */
function readImage(text: string): Item[] | undefined {
  const image = parseImage(text);
  if (!image) {
    return undefined;
  }

  const { name, tag, digest } = image;
  const purl = { type: 'docker', name, qualifiers: new URLSearchParams() };
  return [{ text, purl, version: tag ?? digest, digests: digest ? [digest] : [] }];
}

/** What a key says of an image, also without a tag, or with a variable in its place: it is never a component of that name. */
export function readImageValue(text: string): readonly Item[] | undefined {
  const named = text.replace(/[:@](?:\$|\{\{).*$/, '');
  return /^[\w.-]+$/.test(named) ? readPurl(`pkg:docker/${named}`) : readImage(named);
}
