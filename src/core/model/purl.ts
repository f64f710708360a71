import { removeInvisible } from '../text/foreign-text.ts';
import { isDigest } from './digest.ts';
import type { NonEmpty } from './objects.ts';

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

  const [, path = '', encodedVersion = '', qualifiers] = purlForm.exec(text) ?? [];
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

/** The qualifiers in the text of a package URL of any type. */
export function findQualifiers(text: string): string | undefined {
  return /\?([^#]*)/.exec(text)?.[1];
}

/** All values of a qualifier, in their order. `name`: in lower case, as the keys of qualifiers have no case. */
export function listQualifierValues(qualifiers: string | undefined, name: string): string[] {
  return [...new URLSearchParams(qualifiers)]
    .filter(([key, value]) => key.toLowerCase() === name && value !== '')
    .map(([, value]) => value);
}

interface Image {
  /** A package of Docker without a version. */
  readonly purl: Purl;
  readonly tag: string | undefined;
  /** As written behind the `@`, of any form. */
  readonly digest: string | undefined;
}

/**
 * Reads an image reference, `registry.example.com/team/agent:1.0@sha256:0f1e…`. Undefined for another text, and for a bare name:
 * without a path, tag or digest it may name anything.
 */
export function parseImage(text: string): Image | undefined {
  const { path, tag, digest } = splitReference(text);
  if (/[\s@=]/.test(path) || (tag !== undefined && !/^\w[\w.-]*$/.test(tag))) {
    return undefined;
  }

  const isBareName = !path.includes('/') && tag === undefined && !isDigest(digest ?? '');
  const purl = isBareName ? undefined : parseDockerAddress(path);
  return purl && { purl, tag, digest };
}

/** The parts of a reference: the tag is behind a colon of the last part of the path. */
function splitReference(text: string) {
  const at = text.indexOf('@', 1);
  const name = at === -1 ? text : text.slice(0, at);
  const digest = at === -1 ? undefined : text.slice(at + 1);

  const colon = name.indexOf(':', name.lastIndexOf('/') + 1);
  return colon === -1
    ? { path: name, tag: undefined, digest }
    : { path: name.slice(0, colon), tag: name.slice(colon + 1), digest };
}

/**
 * The packages of Docker, without a version, for an OCI package URL, which may name several repositories. Any other package URL, or
 * one whose repositories have no name, stays as it is.
 */
export function resolveOci(purl: Purl): NonEmpty<Purl> {
  const { type, namespace, name, qualifiers } = purl;
  if (type !== 'oci') {
    return [purl];
  }

  const urls = listQualifierValues(qualifiers, 'repository_url');
  // With a slash at its end, an address such as `ghcr.io` is read as a host.
  const addresses = urls.length > 0 ? urls.map((url) => `${url}/`) : [`${namespace ?? ''}/${name}`];
  const [first = purl, ...others] = addresses
    .map(parseDockerAddress)
    .filter((image) => image !== undefined);
  return [first, ...others];
}

/** Undefined for an address without a name, such as `/` or `ghcr.io/`. */
function parseDockerAddress(address: string): Purl | undefined {
  const parts = removeRegistry(address)
    .split('/')
    .filter((part) => part !== '');
  const name = parts.pop();
  return name === undefined
    ? undefined
    : { type: 'docker', namespace: parts.join('/') || undefined, name };
}

/** The repository of an address, without the registry and without `library/`, the default namespace of Docker Hub, at any registry. */
export function removeRegistry(address: string): string {
  return splitAddress(address).repository.replace(/^library\//, '');
}

interface ImageAddress {
  /** Undefined where the address begins with the repository. */
  readonly host: string | undefined;
  readonly repository: string;
}

/** The host of the registry and the repository: `ghcr.io` and `team/agent` of `https://ghcr.io/team/agent`. */
export function splitAddress(address: string): ImageAddress {
  const path = address.replace(/^https?:\/\//, '');
  const [, host = '', repository = ''] = /^([^/]*)\/+(.*)$/s.exec(path) ?? [];
  const isHost = /[.:]/.test(host) || host === 'localhost';
  return isHost ? { host, repository } : { host: undefined, repository: path };
}
