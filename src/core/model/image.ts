import { isDigest } from './digest.ts';
import type { NonEmpty } from './objects.ts';
import { listQualifierValues, type Purl } from './purl.ts';

interface Image {
  /** A package of Docker without a version. */
  readonly purl: Purl;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

/**
 * Reads an image reference, `registry.example.com/team/agent:1.0@sha256:0f1e…`. Undefined for another text, and for a bare name:
 * without a path, tag or digest it may name anything.
 */
export function parseImage(text: string): Image | undefined {
  const [, name = text, digest] = /^(.[^@]*)@(.*)$/s.exec(text) ?? [];
  const slash = name.lastIndexOf('/');
  const colon = name.indexOf(':', slash + 1);
  const tag = colon === -1 ? undefined : name.slice(colon + 1);
  const path = colon === -1 ? name : name.slice(0, colon);
  const isReference = slash !== -1 || colon !== -1 || isDigest(digest ?? '');
  if (!isReference || /[\s@=]/.test(path) || (tag !== undefined && !/^\w[\w.-]*$/.test(tag))) {
    return undefined;
  }

  const purl = parseDockerPath(path);
  return purl && { purl, tag, digest };
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
  const paths = urls.length > 0 ? urls : [[namespace, name].join('/')];
  const [first = purl, ...others] = paths
    .map(parseDockerPath)
    .filter((image) => image !== undefined);
  return [first, ...others];
}

/** Undefined for a path without a name, such as `/` or only a host. */
function parseDockerPath(path: string): Purl | undefined {
  const parts = removeRegistry(path)
    .split('/')
    .filter((part) => part !== '');
  const name = parts.pop();
  return name === undefined
    ? undefined
    : { type: 'docker', namespace: parts.join('/') || undefined, name };
}

/** The repository of an address, without the registry and without `library/`, the default namespace of Docker Hub. */
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
