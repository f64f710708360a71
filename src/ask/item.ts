/** Reads a text that names a package or component and its version. Pages run this file, so it imports neither zod nor Node. */
import { isDigest } from '../core/digest.ts';
import { formatPackage, formatPurl, parseImage, parsePurl, type Purl } from '../core/purl.ts';
import { findOwners, type Names } from './owners.ts';

/** A package or component that somebody uses, with its version and digests. It is an entry of a list or a request. */
export interface Item {
  /** The text as it was written. */
  readonly text: string;
  readonly name?: string;
  readonly purl?: Purl;
  readonly version?: string | undefined;
  /** Whether the version has several words, so only the name of a release line can be meant: `Core 3.1` in `.NET Core 3.1`. */
  readonly isInWords?: true;
  /** Whether the version is an image tag, which may also contain a variant: `20-alpine`. */
  readonly isTag?: boolean;
  /** The file that lists the item. */
  readonly file?: string;
  /** The number of the line with the item. Absent for an SBOM. */
  readonly line?: number | undefined;
  /** `sha256:73f4…` */
  readonly digests?: readonly string[];
  /** The repository from which the package was built, according to the request. */
  readonly repositoryUrl?: string | undefined;
}

/** The greatest length of an item. Longer texts are rejected before the regular expressions below read them. */
const maxLength = 1000;

/**
 * Reads a text that names a package or component, and its version:
 * - `svc 2025.1`, `svc@2025.1`, `svc==2025.1`, `svc:2025.1` or `svc: 2025.1`
 * - `group:artifact:1.0` (Maven)
 * - a package URL or an image
 * - the name of a release line in words, after a name of the index: `.NET Core 3.1`
 *
 * Undefined for any other text, such as `left pad 1.0 (old)`.
 */
export function readText(text: string, names: Names): Item | undefined {
  if (text.length > maxLength) {
    return undefined;
  }
  if (/^pkg:/i.test(text)) {
    return readPurlText(text);
  }

  const [, coordinate, release] = /^([\w.-]+:[a-z][\w.-]*):(\d[\w.+-]*)$/i.exec(text) ?? [];
  if (coordinate) {
    return readPurl(formatPackage('maven', coordinate), release);
  }

  const [tagged = '', digest] = text.split(/@(?=sha\d+:\w+$)/);
  const { name, version = digest } = splitVersion(tagged);
  if (version === undefined) {
    return undefined;
  }

  // `svc:2025.1` is an image, unless the index has a component `svc`.
  const image = readImage(text);
  const isImage = image !== undefined && !isKnown(name, names);
  const item = isImage ? image : (readNamed(name, version, names) ?? readWords(text, names));
  const isTag = image?.isTag ?? false;
  return item && { digests: digest ? [digest] : [], ...item, isTag, text };
}

/**
 * Splits a text into name and version, at the last space, `==`, `@` or `:`. The `:` after the epoch of a distribution's version is not
 * used: `redis 7:7.0` → `redis`, `7:7.0`.
 */
function splitVersion(text: string): { name: string; version?: string | undefined } {
  const parts = text.split(/(:?\s+|==|[@:])/);
  const isEpoch = parts.length > 3 && parts.at(-2) === ':' && /^\d+$/.test(parts.at(-3)!);
  const place = parts.length - (isEpoch ? 3 : 1);
  const name = parts.slice(0, Math.max(0, place - 1)).join('');
  return name.trim() === ''
    ? { name: text }
    : { name: name.trim(), version: parts.slice(place).join('') };
}

/** The greatest number of words in a component's name. */
const maxWords = 8;
/** Matches two to five words that may name a release line, but do not begin with a version: `Core 3.1`, `2016 SP3`, `Jammy Jellyfish`. */
const wordsForm = /^(?!v?\d+\.)[\p{L}\d](?:[\p{L}\d.'’-]* [\p{L}\d]){1,4}[\p{L}\d.'’-]*$/u;

/** Reads a text that begins with a name of the index, and may continue with the name of a release line: `.NET Core 3.1`. */
function readWords(text: string, names: Names): Item | undefined {
  const words = text.split(/\s+/);
  for (let count = Math.min(words.length - 2, maxWords); count > 0; count -= 1) {
    const name = words.slice(0, count).join(' ');
    const version = words.slice(count, count + maxWords).join(' ');
    if (names.has(name.toLowerCase())) {
      const isLine = wordsForm.test(version);
      return isLine ? { text, name, version, isInWords: true } : undefined;
    }
  }
  return undefined;
}

/** Reads an item from two texts. Undefined if they are probably not a name and a version, such as `team` and `3 hosts`. */
export function readNamed(name: string, version: string, names: Names): Item | undefined {
  const isPlain = /^(?:\d+:)?v?\d[\w.+~^!-]*$/i.test(version) && isName(name);
  const isTag = /^[\w.+~^*!:-]+$/.test(version) || isDigest(version);
  if (!isPlain && !(isTag && isKnown(name, names))) {
    return undefined;
  }

  return { text: `${name} ${version}`, name, version };
}

/**
 * Tells whether the index contains a component or package with this name or title. A package is also found by another spelling of its name.
 */
function isKnown(name: string, names: Names): boolean {
  // Matches the form of a package name: `host:5000/team/agent`, `group:artifact`. A title may contain any characters.
  const isSpelling = /^@?(?:[\w.-]+:(?=\d+\/|[a-z]))?[\w./+~!-]+$/i.test(name);
  return names.has(name.toLowerCase()) || (isSpelling && findOwners({ name }, names).length > 0);
}

/** Tells whether a text may be a name. `NGINX_VERSION: 1.24.0` is about a variable, so `NGINX_VERSION` is not a name. */
function isName(text: string): boolean {
  return /^(?:@|\.(?=[a-z]))?\w[\w./+~-]*$/i.test(text) && !/version$/i.test(text);
}

/** Reads a text that is a package URL and nothing else. `version`: the version in another cell of the row. */
export function readPurlText(text: string, version?: string): Item | undefined {
  const isWhole = text.length <= maxLength && purlForm.test(text);
  return isWhole ? readPurl(text, version || undefined) : undefined;
}

/** Matches a single package URL. `pkg:npm/left-pad@1.3.0,nginx@1.24.0` does not match, because this text may be two items. */
const purlForm =
  /^pkg:\/*[\w.+-]+\/+(?:@?[\w.%~+:!-]+\/)*[\w.%~+:!-]+(?:@[\w.%~+^!:-]+)?(?:\?[\w.%~+:=&,/-]*)?(?:#[\w.%~+/-]*)?$/i;

/** Reads a package URL. `version`, `digests`: values from outside the URL, such as other fields of an SBOM. */
export function readPurl(text: string, version?: string, digests: readonly string[] = []): Item {
  const purl = parsePurl(text);
  if (!purl) {
    return { text, version };
  }

  const stated = purl.version ?? version;
  const allDigests = stated && isDigest(stated) ? [...digests, stated] : digests;
  // In the package URL of an image, the version is a digest, and a qualifier has the tag.
  const tagged = purl.qualifiers.get('tag') ?? stated;
  const versioned = { ...purl, version: tagged };
  const isTag = purl.type === 'docker' || purl.type === 'oci';
  return {
    text: formatPurl(versioned),
    purl: versioned,
    digests: allDigests,
    version: tagged,
    isTag,
  };
}

/**
 * Reads an image: `registry.example.com/team/agent:1.0@sha256:0f1e…`. The result is a package, even if a component has the same name.
 * `version`: the tag or digest, if it is in another cell.
 */
export function readImage(text: string, version = ''): Item | undefined {
  const own = text.length > maxLength ? undefined : parseImage(text);
  const isWhole = own?.tag !== undefined || version === '';
  const image = isWhole ? own : parseImage(`${text}${isDigest(version) ? '@' : ':'}${version}`);
  if (!image) {
    return undefined;
  }

  const { name, tag, digest } = image;
  const purl = { type: 'docker', name, qualifiers: new URLSearchParams() };
  const isTag = tag !== undefined;
  return { text, purl, version: tag ?? digest, isTag, digests: digest ? [digest] : [] };
}
