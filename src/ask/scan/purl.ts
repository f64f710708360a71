/** A package URL (https://github.com/package-url/purl-spec) without its qualifiers and subpath, which name no other package. */
export interface Purl {
  /** In lower case. */
  readonly type: string;
  /** With `/` between its parts; absent where there is none. */
  readonly namespace?: string;
  readonly name: string;
  readonly version?: string;
}

/** Undefined for a text that is no package URL. */
export function parsePurl(text: string): Purl | undefined {
  const [, rest] = /^pkg:\/*([^?#]*)/i.exec(text) ?? [];
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
  };
}

/** In the one spelling of the specification. */
export function formatPurl({ type, namespace, name, version }: Purl): string {
  const parts = [...(namespace?.split('/') ?? []), name];
  const end = version === undefined ? '' : `@${encode(version)}`;
  return `pkg:${type}/${parts.map(encode).join('/')}${end}`;
}

/** The same package URL for two spellings of one package, whatever its version. */
export function packageOf({ type, namespace, name }: Purl): string {
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
      // https://peps.python.org/pep-0503/#normalized-names
      return path.toLowerCase().replaceAll(/[-_.]+/g, '-');
    case 'docker':
      // Images of Docker itself lie in a namespace that nobody writes.
      return path.replace(/^library\//, '');
    default:
      return path;
  }
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':');
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
