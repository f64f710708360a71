import { removeInvisible } from '../text/foreign-text.ts';

/** A package URL (https://github.com/package-url/purl-spec) without its subpath. */
export interface Purl {
  /** In lower case. */
  readonly type: string;
  /** With `/` between its parts. */
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly version?: string | undefined;
  readonly qualifiers?: string | undefined;
}

/**
 * `pkg:npm/%40example/kit@1.0?arch=amd64#src`. A version may have a slash, as in `pkg:github/example/kit@releases/v1`, but an npm scope
 * may be written as `pkg:npm/@example/kit`, which has no version.
 */
const purlForm = /^pkg:\/*([^?#]*?)(?:@((?<!\/@)[^@?#]*|[^@/?#]*))?(?:\?([^#]*))?(?:#.*)?$/i;

function splitPurl(text: string) {
  const [, path = '', encodedVersion = '', qualifiers] = purlForm.exec(text) ?? [];
  return { path, encodedVersion, qualifiers };
}

/** Whether a text is meant as a package URL; it may be malformed. */
export function isPurl(text: string): boolean {
  return /^pkg:/i.test(text);
}

/**
 * Undefined for a text that is no package URL. Keeps qualifiers for `oci` only, where they name repositories and tags;
 * `findQualifiers` has those of any type.
 */
export function parsePurl(purlText: string): Purl | undefined {
  const text = removeInvisible(purlText).trim();
  if (!text.isWellFormed() || /[\s\p{Cc}]/u.test(text)) {
    return undefined;
  }

  const { path, encodedVersion, qualifiers } = splitPurl(text);
  const [typeText = '', ...encodedParts] = path.split('/').filter((part) => part !== '');
  const type = typeText.toLowerCase();
  const name = decode(encodedParts.pop() ?? '');
  const namespace = encodedParts.map(decode);
  const version = decode(encodedVersion);
  if (
    !/^[a-z][a-z\d.-]*$/.test(type) ||
    version === undefined ||
    !name ||
    // Only a name may have an encoded slash: some tools write an npm scope as a part of it.
    namespace.some((part) => part === undefined || part.includes('/'))
  ) {
    return undefined;
  }

  return {
    type,
    namespace: namespace.join('/') || undefined,
    name,
    version: version || undefined,
    qualifiers: (type === 'oci' && qualifiers) || undefined,
  };
}

/** Percent-encodes the parts; does not normalise names. */
export function formatPurl({ type, namespace, name, version, qualifiers }: Purl): string {
  const parts = [...(namespace?.split('/') ?? []), name];
  const suffix = version === undefined ? '' : `@${encodePart(version)}`;
  const query = qualifiers === undefined ? '' : `?${qualifiers}`;
  return `pkg:${type}/${parts.map(encodePart).join('/')}${suffix}${query}`;
}

export function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%3A', ':');
}

function decode(text: string): string | undefined {
  try {
    return removeInvisible(decodeURIComponent(text));
  } catch {
    // A percent sign without the digits of a character in UTF-8.
    return undefined;
  }
}

/** The qualifiers in the text of a package URL of any type, also of a malformed one. */
export function findQualifiers(text: string): string | undefined {
  return splitPurl(removeInvisible(text).trim()).qualifiers;
}

/** All values of a qualifier, in their order. `name`: in lower case, as the keys of qualifiers have no case. */
export function listQualifierValues(qualifiers: string | undefined, name: string): string[] {
  return [...new URLSearchParams(qualifiers)]
    .filter(([key, value]) => key.toLowerCase() === name && value !== '')
    .map(([, value]) => value);
}
