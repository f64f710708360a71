import { isDigest } from './digest.ts';
import type { NonEmpty } from './objects.ts';
import { listQualifierValues, type Purl } from './purl.ts';

/**
 * Reads an image reference, `registry.example.com/team/agent:1.0@sha256:0f1e…`, as a package of Docker without a version, a tag and a
 * digest. Undefined for another text, such as the address `http://localhost:8080`, and for a bare name: without a path, tag or digest it
 * may name anything.
 */
export function parseImage(text: string) {
  const { path, tag, digest } = splitReference(text);
  const isHost = /^https?:\/\/[^/]*$/i.test(path);
  if (isHost || /[\s@="']/.test(path) || (tag !== undefined && !/^\w[\w.-]*$/.test(tag))) {
    return undefined;
  }

  const isBareName = !path.includes('/') && tag === undefined && !isDigest(digest ?? '');
  const purl = isBareName ? undefined : parseDockerAddress(path);
  return purl && { purl, tag, digest };
}

/** The parts of a reference: the tag is behind a colon of the last part of the path. The digest may have any form. */
export function splitReference(text: string) {
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
  if (purl.type !== 'oci') {
    return [purl];
  }

  const [first = purl, ...others] = listImageAddresses(purl)
    .map(parseDockerAddress)
    .filter((image) => image !== undefined);
  return [first, ...others];
}

/**
 * The addresses of the repositories that a package URL of an image names. Its `repository_url` is the address of a repository in the
 * type `oci`, and of a registry in the type `docker`.
 */
export function listImageAddresses({ type, namespace, name, qualifiers }: Purl): string[] {
  const path = `${namespace ?? ''}/${name}`;
  // With a slash at its end, an address such as `ghcr.io` is read as a host.
  const urls = listQualifierValues(qualifiers, 'repository_url').map((url) => `${url}/`);
  if (urls.length === 0) {
    return [path];
  }

  return type === 'oci' ? urls : urls.map((url) => `${splitAddress(url).host ?? url}/${path}`);
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

/**
 * The host of the registry and the repository: `ghcr.io` and `team/agent` of `https://ghcr.io/team/agent`. The host is undefined where the
 * address begins with the repository.
 */
export function splitAddress(address: string) {
  const path = address.replace(/^(?:https?|oci|docker):\/\//i, '');
  const [, host = '', repository = ''] = /^([^/]*)\/+(.*)$/s.exec(path) ?? [];
  const isHost = /[.:]/.test(host) || host === 'localhost';
  return isHost ? { host, repository } : { host: undefined, repository: path };
}
