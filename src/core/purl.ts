import { normalisePypi } from './text.ts';

/**
 * A package URL (https://github.com/package-url/purl-spec) without its subpath, and without its qualifiers where they name no
 * other package.
 */
export interface Purl {
  /** In lower case. */
  readonly type: string;
  /** With `/` between its parts; absent where there is none. */
  readonly namespace?: string;
  readonly name: string;
  readonly version?: string | undefined;
  /** Of `oci`, where they hold the name and the tag. */
  readonly qualifiers?: string;
}

/** Undefined for a text that is no package URL. */
export function parsePurl(text: string): Purl | undefined {
  const [, rest, qualifiers] = /^pkg:\/*([^?#]*)(?:\?([^#]+))?/i.exec(text) ?? [];
  if (rest === undefined || !text.isWellFormed() || /[\s\p{Cc}]/u.test(text)) return undefined;
  // The scope of an npm package may stand there as @scope, and is no version.
  const [, path = '', encoded] = /^(.*?)(?:@([^@/]*))?$/s.exec(rest) ?? [];
  const [type = '', ...encodedParts] = path.replace(/\/+$/, '').split('/');
  const parts = encodedParts.filter((part) => part !== '').map(decode);
  const version = encoded === undefined ? '' : decode(encoded);
  const name = parts.pop();
  if (!/^[a-z][a-z\d.-]*$/i.test(type) || version === undefined || name === undefined) return undefined;
  if (name === '' || parts.some((part) => part === undefined || part === '' || part.includes('/')))
    return undefined;
  return {
    type: type.toLowerCase(),
    ...(parts.length > 0 && { namespace: parts.join('/') }),
    name,
    ...(version !== '' && { version }),
    ...(type.toLowerCase() === 'oci' && qualifiers !== undefined && { qualifiers }),
  };
}

/** In the one spelling of the specification. */
export function formatPurl({ type, namespace, name, version, qualifiers }: Purl): string {
  const parts = [...(namespace?.split('/') ?? []), name];
  const end = version === undefined ? '' : `@${encode(version)}`;
  return `pkg:${type}/${parts.map(encode).join('/')}${end}${qualifiers === undefined ? '' : `?${qualifiers}`}`;
}

/**
 * The image of an OCI package URL, or of a reference such as `registry.example.com/team/agent:1.0@sha256:0f1e…`, as a package of
 * Docker. Undefined for a name without a path and a tag.
 */
export function imageOf(image: Purl | string): Purl | undefined {
  if (typeof image !== 'string') {
    if (image.type !== 'oci') return undefined;
    const qualifiers = new URLSearchParams(image.qualifiers);
    const path = qualifiers.get('repository_url') ?? [image.namespace, image.name].filter(Boolean).join('/');
    const tag = qualifiers.get('tag') ?? undefined;
    return dockerPurl(path, tag ?? image.version);
  }
  const [, path = '', tag] = /^([^\s@=]+?)(?::(\w[\w.-]*))?(?:@\S*)?$/.exec(image) ?? [];
  return path.includes('/') || tag !== undefined ? dockerPurl(path, tag) : undefined;
}

function dockerPurl(path: string, version: string | undefined): Purl | undefined {
  const parts = withoutRegistry(path)
    .split('/')
    .filter((part) => part !== '');
  const name = parts.pop();
  return name === undefined
    ? undefined
    : { type: 'docker', ...(parts.length > 0 && { namespace: parts.join('/') }), name, version };
}

/** Of the registry of Docker itself, nobody writes the host and the first namespace. */
function withoutRegistry(path: string): string {
  return path.replace(/^(?:[^/]*[.:][^/]*|localhost)\/+(?=.)/, '').replace(/^library\//, '');
}

/** The same package URL for two spellings of one package, whatever its version. */
export function packageOf(purl: Purl): string {
  const { type, namespace, name } = imageOf(purl) ?? purl;
  const path = namespace === undefined ? name : `${namespace}/${name}`;
  return `pkg:${type}/${normalise(type, path).split('/').map(encode).join('/')}`;
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
      return withoutRegistry(path);
    default:
      return path;
  }
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%3A', ':');
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The package URL without a version of a package as its registry calls it. */
export function purlOfPackage(type: string, packageName: string): string {
  const path = type === 'maven' ? packageName.replace(':', '/') : packageName;
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  return packageOf(slash === -1 ? { type, name } : { type, namespace: path.slice(0, slash), name });
}
