import { removeInvisible } from '../text/foreign-text.ts';
import { isDigest } from './digest.ts';

/**
 * A package URL (https://github.com/package-url/purl-spec) without its subpath. Qualifiers are kept for `oci` only, where they
 * name repositories and tags.
 */
export interface Purl {
  /** In lower case. */
  readonly type: string;
  /** With `/` between its parts. */
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly version?: string | undefined;
  readonly qualifiers?: string | undefined;
}

/** `pkg:npm/%40example/kit@1.0?arch=amd64#src`. An npm scope may be written as @scope, which is not a version. */
const purlForm = /^pkg:\/*([^?#]*?)(?:@([^@/?#]*))?(?:\?([^#]*))?(?:#.*)?$/i;

/** Undefined for a text that is no package URL. */
export function parsePurl(purlText: string): Purl | undefined {
  const text = removeInvisible(purlText).trim();
  if (!text.isWellFormed() || /[\s\p{Cc}]/u.test(text)) {
    return undefined;
  }

  const [, path = '', encodedVersion = '', qualifiers] = purlForm.exec(text) ?? [];
  const [type = '', ...encodedParts] = path.split('/').filter((part) => part !== '');
  const parts = encodedParts.map(decode);
  const name = parts.pop();
  const version = decode(encodedVersion);
  if (
    !/^[a-z][a-z\d.-]*$/i.test(type) ||
    version === undefined ||
    name === undefined ||
    parts.some((part) => part === undefined || part.includes('/'))
  ) {
    return undefined;
  }

  return {
    type: type.toLowerCase(),
    namespace: parts.join('/') || undefined,
    name,
    version: version || undefined,
    qualifiers: (type.toLowerCase() === 'oci' && qualifiers) || undefined,
  };
}

/** In the canonical spelling of the specification. */
export function formatPurl({ type, namespace, name, version, qualifiers }: Purl): string {
  const parts = [...(namespace?.split('/') ?? []), name];
  const suffix = version === undefined ? '' : `@${encode(version)}`;
  const query = qualifiers === undefined ? '' : `?${qualifiers}`;
  return `pkg:${type}/${parts.map(encode).join('/')}${suffix}${query}`;
}

function encode(text: string): string {
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

/** All values of a qualifier in the text of a package URL, in its order. The keys of qualifiers have no case. */
export function listQualifierValues(text: string, name: string): string[] {
  const pairs = [...new URLSearchParams(/\?([^#]*)/.exec(text)?.[1])];
  return pairs
    .filter(([key, value]) => key.toLowerCase() === name && value !== '')
    .map(([, value]) => value);
}

/**
 * The types of package URLs (github.com/package-url/purl-spec) by datasource, which has Renovate's name. A datasource without a type
 * lists no releases of packages.
 */
export const purlTypes: Readonly<Record<string, string>> = {
  npm: 'npm',
  maven: 'maven',
  pypi: 'pypi',
  docker: 'docker',
  helm: 'helm',
  'github-releases': 'github',
  'github-tags': 'github',
  'gitlab-releases': 'gitlab',
  'gitlab-tags': 'gitlab',
  nuget: 'nuget',
  crate: 'cargo',
  rubygems: 'gem',
  go: 'golang',
};

/** The packages that a package URL names, normalised. */
export function listPackagesOfPurl(purl: Purl): string[] {
  const images = listImages(purl);
  return (images.length > 0 ? images : [purl]).map(joinPackage);
}

/** A normalised package URL without a version: equal for all spellings of one package. */
export function joinPackage(purl: Purl): string {
  const { type, namespace, name } = listImages(purl)[0] ?? purl;
  const path = namespace === undefined ? name : `${namespace}/${name}`;
  const parts = normalise(type, removeInvisible(path)).split('/');
  return `pkg:${type}/${parts.map(encode).join('/')}`;
}

function normalise(type: string, path: string): string {
  switch (type) {
    case 'npm':
    case 'github':
    case 'gitlab':
    case 'golang':
    case 'nuget':
      return path.toLowerCase();
    case 'pypi':
      return normalisePypi(path);
    case 'docker':
      return removeRegistry(path);
    default:
      return path;
  }
}

/** The normalised form of a package URL; any other text unchanged. */
export function normalisePackage(text: string): string {
  const purl = parsePurl(text);
  return purl ? joinPackage(purl) : text;
}

/** The package URL, without a version, for a package name of a registry. */
export function createPackagePurl(type: string, packageName: string): string {
  const path = type === 'maven' ? packageName.replace(':', '/') : packageName;
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  return joinPackage(
    slash === -1 ? { type, name } : { type, namespace: path.slice(0, slash), name },
  );
}

/** packaging.python.org, "Name normalization" (PEP 503): `Agent_X` and `agent-x` are one project. */
export function normalisePypi(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/**
 * Reads an image reference, `registry.example.com/team/agent:1.0@sha256:0f1e…`, as a package of Docker without a version. Undefined
 * for another text: a bare name, without a path, a tag and a digest, may be of anything.
 */
export function parseImage(text: string) {
  const [, name = text, digest] = /^(.[^@]*)@(.*)$/s.exec(text) ?? [];
  const slash = name.lastIndexOf('/');
  const colon = name.indexOf(':', slash + 1);
  const tag = colon === -1 ? undefined : name.slice(colon + 1);
  const path = colon === -1 ? name : name.slice(0, colon);
  const isReference = slash !== -1 || colon !== -1 || isDigest(digest ?? '');
  if (!isReference || /[\s@=]/.test(path) || (tag !== undefined && !/^\w[\w.-]*$/.test(tag))) {
    return undefined;
  }

  const purl = createDockerPurl(path);
  return purl && { purl, tag, digest };
}

/** The Docker packages, without a version, of an OCI package URL, which may name several repositories. */
export function listImages(purl: Purl): Purl[] {
  const { type, namespace, name } = purl;
  if (type !== 'oci') {
    return [];
  }

  const urls = listQualifierValues(formatPurl(purl), 'repository_url');
  const paths = urls.length > 0 ? urls : [[namespace, name].join('/')];
  return paths.map(createDockerPurl).filter((value) => value !== undefined);
}

function createDockerPurl(path: string): Purl | undefined {
  const parts = removeRegistry(path)
    .split('/')
    .filter((part) => part !== '');
  const name = parts.pop();
  return name === undefined
    ? undefined
    : { type: 'docker', namespace: parts.join('/') || undefined, name };
}

/** Without `https://` and the host of the registry, and without `library/`, the default namespace of Docker Hub. */
function removeRegistry(address: string): string {
  const path = address.replace(/^https?:\/\//, '');
  const [, host = '', repository = ''] = /^([^/]*)\/+(.*)$/s.exec(path) ?? [];
  const isHost = /[.:]/.test(host) || host === 'localhost';
  return (isHost ? repository : path).replace(/^library\//, '');
}
