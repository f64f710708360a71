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
  const purl = isBareName ? undefined : createDockerPurl(splitAddress(path));
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
    .map(createDockerPurl)
    .filter((image) => image !== undefined);
  return [first, ...others];
}

/** An image by the host of its registry and its path there. Without a host, it is at Docker Hub. */
interface ImageAddress {
  host: string | undefined;
  repository: string;
}

/**
 * The repositories that a package URL of an image names. Its `repository_url` is the address of a repository in the type `oci`, and of
 * a registry in the type `docker`.
 */
export function listImageAddresses({ type, namespace, name, qualifiers }: Purl): ImageAddress[] {
  const path = namespace === undefined ? name : `${namespace}/${name}`;
  const urls = listQualifierValues(qualifiers, 'repository_url');
  if (urls.length === 0) {
    return [splitAddress(path)];
  }

  return urls.map((url) =>
    type === 'oci'
      ? // With a slash at its end, an address such as `ghcr.io` is read as a host.
        splitAddress(`${url}/`)
      : { host: removeScheme(url).split('/')[0] || undefined, repository: path },
  );
}

/** Undefined for an address without a name, such as `/` or `ghcr.io/`. */
function createDockerPurl({ repository }: ImageAddress): Purl | undefined {
  const parts = removeLibrary(repository).split('/');
  const name = parts.pop();
  return name ? { type: 'docker', namespace: parts.join('/') || undefined, name } : undefined;
}

/** The repository of an address, without the registry and without `library/`, the default namespace of Docker Hub, at any registry. */
export function removeRegistry(address: string): string {
  return removeLibrary(splitAddress(address).repository);
}

/**
 * The host of the registry and the repository: `ghcr.io` and `team/agent` of `https://ghcr.io/team/agent`. The host is undefined where the
 * address begins with the repository.
 */
export function splitAddress(address: string): ImageAddress {
  const parts = removeScheme(address).split('/');
  const [first = '', ...others] = parts;
  const isHost = others.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const repository = (isHost ? others : parts).filter((part) => part !== '').join('/');
  return { host: isHost ? first : undefined, repository };
}

function removeScheme(address: string): string {
  return address.replace(/^(?:https?|oci|docker):\/\//i, '');
}

/** The beginning of names of images at Docker Hub, which may lack it. */
export const hubPrefix = 'docker.io/';

/** Whether a host is Docker Hub's: also that of its API, `index.docker.io`, or of its pages, `hub.docker.com`. */
export function isHub(host: string): boolean {
  return /(?:^|\.)docker\.(?:io|com)$/i.test(host);
}

/**
 * The names of an image in files, as Renovate keeps them (`FROM library/nginx`), the shortest first. None for an address without a
 * repository.
 */
export function listImageNames({ host, repository }: ImageAddress): string[] {
  if (repository === '') {
    return [];
  }
  if (host !== undefined && !isHub(host)) {
    return [`${host}/${repository}`];
  }

  const shortest = removeLibrary(repository);
  const names = [...new Set([shortest, findNameAtHub(shortest)])];
  return [...names, ...names.map((name) => hubPrefix + name)];
}

function removeLibrary(repository: string): string {
  return repository.replace(/^library\//, '');
}

/** Official images are in the namespace "library". */
export function findNameAtHub(repository: string): string {
  return repository.includes('/') ? repository : `library/${repository}`;
}
