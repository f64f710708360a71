/** One text that names a package or component, and perhaps its version. No zod and no Node: pages load it. */
import { isDigest } from '../digest.ts';
import { formatPurl, parseImage, parsePurl, type Purl } from '../purl.ts';
import { parseVersion } from '../version.ts';
import type { Names } from './owners.ts';

/** A package or component that somebody uses, with what is stated of its bytes. */
export interface Item {
  /** As it was written. */
  readonly text: string;
  readonly name?: string;
  readonly purl?: Purl;
  readonly version?: string | undefined;
  /** What is stated in place of a version: `^4.0.0`. */
  readonly range?: string;
  /** `sha256:73f4…` */
  readonly digests?: readonly string[];
  readonly repositoryUrl?: string | undefined;
}

/** `svc 2025.1`, `svc@2025.1`, `svc: 2025.1`, `svc==2025.1`, `group:name:1.0`, a package URL, or an image. */
export function readText(text: string, names: Names): readonly Item[] | undefined {
  if (/^pkg:/i.test(text)) {
    return readPurl(text);
  }

  const name = findName(text.toLowerCase(), names);
  if (name) {
    // It matches any text.
    const [, version] = /^[\s@:=^~"']*(?:v(?=\d))?([^"'\s]*)/.exec(text.slice(name.length))!;
    return [{ text, name, version: version || undefined }];
  }

  const [, otherName = '', version = ''] =
    /^(\S*[^\s@:=])[\s@:=]+v?(\d[^\s@:=]*)$/.exec(text) ?? [];
  const named = parseVersion(version) && [{ text, name: otherName, version }];
  return readImage(text) ?? named;
}

/** The longest name that a text begins with. */
export function findName(text: string, names: Names): string | undefined {
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

export function readPurl(text: string, version?: string, digests: readonly string[] = []): Item[] {
  const purl = parsePurl(text);
  if (!purl) {
    return text === '' ? [] : [{ text, version }];
  }

  const stated = purl.version ?? version;
  // An image has its digest as version, and its tag beside it.
  const versions = new Set([stated, purl.qualifiers.get('tag') ?? stated]);
  const allDigests = stated && isDigest(stated) ? [...digests, stated] : digests;
  return [...versions].map((each) => {
    const versioned = { ...purl, version: each };
    return {
      text: formatPurl(versioned),
      purl: versioned,
      version: each,
      digests: allDigests,
    };
  });
}

/** `registry.example.com/team/agent:1.0@sha256:0f1e…` */
export function readImage(text: string): Item[] | undefined {
  const image = parseImage(text);
  if (!image) {
    return undefined;
  }

  const { name, tag, digest } = image;
  const purl = { type: 'docker', name, qualifiers: new URLSearchParams() };
  return [{ text, purl, version: tag ?? digest, digests: digest ? [digest] : [] }];
}
