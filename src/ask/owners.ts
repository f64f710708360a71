/** Finds the component to which a name or a package belongs. Pages run this file, so it imports neither zod nor Node. */
import { isDigest } from '../core/digest.ts';
import { keyPackage, parsePurl, type Purl } from '../core/purl.ts';
import type { Status } from '../core/schema/documents.ts';
import { findNearest, quote } from '../core/text.ts';
import { findsVersion, type Extraction } from './extract.ts';

/**
 * The component to which a name or a package belongs. For a package, `extractVersion` finds the component's version in the package's
 * version.
 */
export interface Owner extends Extraction {
  readonly component: string;
  readonly isPackage?: true;
  /** Whether the package belongs to a Linux distribution, which may patch it longer than the component's vendor. */
  readonly isOfDistribution?: true;
}

/** Maps names, titles, aliases and packages, in lower case, to their components. */
export type Names = ReadonlyMap<string, readonly Owner[]>;

export function listOwners({ components }: Pick<Status, 'components'>): Names {
  const names = new Map<string, Owner[]>();
  const distributed = new Map<string, Owner[]>();
  const add = (text: string, owner: Owner) => {
    const owners = names.get(text) ?? [];
    if (!owners.some(({ component }) => component === owner.component)) {
      names.set(text, [...owners, owner]);
    }
  };

  for (const [component, { title, aliases = [], packages = [] }] of Object.entries(components)) {
    // `Microsoft .NET` is also called `.NET`. Other words of a title, such as `Server`, are not used, because packages may have these
    // names.
    const [dotted = title] = /(?<=\s)\.\w.*/.exec(title) ?? [];
    for (const name of [component, title, dotted, ...aliases]) {
      add(name.toLowerCase(), { component });
    }
    for (const { purl: text, ...extraction } of packages) {
      const purl = parsePurl(text);
      if (purl) {
        const owner: Owner = { component, isPackage: true, ...extraction };
        add(keyPackage(purl), owner);
        add(purl.name.toLowerCase(), owner);
        if (isOfDistribution(purl)) {
          // Package managers print `firefox-esr`, without the namespace of `pkg:deb/debian/firefox-esr`.
          const name = purl.name.replace(/^.*\//, '').toLowerCase();
          distributed.set(name, [...(distributed.get(name) ?? []), owner]);
        }
      }
    }
  }
  // The bare name of a distribution package is used only if nothing else has this name.
  for (const [name, owners] of distributed) {
    if (new Set(owners.map(({ component }) => component)).size === 1) {
      names.set(name, names.get(name) ?? [{ ...owners[0]!, isOfDistribution: true }]);
    }
  }
  return names;
}

/** Tells whether a package belongs to a Linux distribution. */
export function isOfDistribution({ type }: Purl): boolean {
  return ['deb', 'rpm', 'apk', 'alpm'].includes(type);
}

/**
 * Ranks the components that have an item's package, because several components may have one image, each with its own tags. The component with
 * the highest rank owns the item:
 *
 * - 4: it has the name that the item gives, if the version is plain: `svc 1.2`
 * - 3: its `extractVersion` finds a version: `^(?<version>.+)-alpine$` in the tag `1.2-alpine`
 * - 2: it has the name that the item gives: `svc 1.2-alpine`
 * - 1: it takes all versions of the package, or the item has only a digest
 * - 0: its `extractVersion` finds nothing, so it is about other tags
 */
export function rankOwner(owner: Owner, version = ''): number {
  if (owner.isPackage === undefined) {
    return isPlain(version) ? 4 : 2;
  }
  if (owner.extractVersion === undefined || isDigest(version)) {
    return 1;
  }
  return findsVersion(version, owner) ? 3 : 0;
}

/** Tells whether a version has only numbers: `1.2`, `v1.2`. */
export function isPlain(version: string): boolean {
  return /^v?[\d.]*$/i.test(version);
}

/** Says that a text does not tell which of several components it means. Commands, pages and tools use the same sentence. */
export function describeCandidates(text: string, components: readonly string[]): string {
  return `${quote(text)} can mean ${components.join(' and ')}. Name one.`;
}

/** Lists the components that a misspelt name may mean. */
export function suggestOwners(text: string | undefined, names: Names): readonly Owner[] {
  const nearest = findNearest(text ?? '', names.keys()) ?? '';
  // In a short text, a wrong letter is a quarter of the name: `nope` is not a misspelt `node`.
  const isShort = nearest.length < 5 && nearest.length === text?.length;
  const isNear = !isShort || sortLetters(nearest) === sortLetters(text);
  return isNear ? (names.get(nearest) ?? []) : [];
}

function sortLetters(text: string): string {
  return [...text.toLowerCase()].sort().join('');
}

/** Lists the components that have a given name, title, alias, package URL, or package name in a registry. */
export function findOwners(
  { purl, name = '' }: { readonly purl?: Purl; readonly name?: string },
  names: Names,
): readonly Owner[] {
  const named = purl ?? parsePurl(name);
  return (named ? findPackaged(named, names) : findNamed(name, names)) ?? [];
}

function findPackaged(purl: Purl, names: Names) {
  const { type, name } = purl;
  const keys = listKeys(purl);
  if (type === 'generic' && !name.includes('/')) {
    keys.unshift(name.toLowerCase());
  }
  if (type === 'maven') {
    // An alias may name all artifacts of a group: `pkg:maven/org.example/*`.
    keys.push(`pkg:maven/${name.replace(/\/[^/]*$/, '/*')}`.toLowerCase());
  }
  keys.push(...keys.flatMap(listMirrored));
  return findFirst(keys, names);
}

/**
 * Lists the images that an image may mirror, as package keys (see `keyPackage`):
 * - `cache/team/agent` → `team/agent`
 * - `dockerhub/library/agent` → `library/agent`, which is the same image as `agent`
 * - `other/agent` → none, because the last part alone could be any image
 */
function listMirrored(key: string): string[] {
  const [, path = ''] = /^pkg:docker\/(.+)/.exec(key) ?? [];
  const parts = path.split('/');
  // Removes one part after another from the beginning of the path: `a/b/c/d` → `b/c/d`, `c/d`. No mirror adds more than ten parts.
  return parts
    .slice(1, -1)
    .slice(0, 10)
    .map((_, index) => {
      const original = parts.slice(index + 1).join('/');
      return `pkg:docker/${original.replace(/^library\//, '')}`;
    });
}

/**
 * Types of package URLs in which a package name has several spellings:
 * - pypi, cargo: `agent-x`, `agent_x`
 * - maven: `group/artifact`, `group:artifact`
 * - docker: `agent`, `docker.io/library/agent`
 * - golang: `agent`, `!agent`
 */
const spelledTypes = ['pypi', 'maven', 'docker', 'golang', 'cargo'];
const qualifiers = new URLSearchParams();

/** Finds the components that a name without a package type may mean. The name may have any spelling. */
function findNamed(text: string, names: Names) {
  const name = text.toLowerCase().toWellFormed();
  const keys = spelledTypes.flatMap((type) => listKeys({ type, name, qualifiers }));
  // `repository:https://host/team/agent` is a part of a query, and not the path of an image.
  const isPath = /^[\w.-]+(?::\d+)?(?:\/[\w.-]+)+$/.test(name);
  return findFirst([name, ...keys, ...(isPath ? keys.flatMap(listMirrored) : [])], names);
}

/**
 * Lists the keys under which `names` may contain a package. A Go module at GitHub is also looked up as its repository:
 * `pkg:golang/github.com/team/agent/v2` → `pkg:github/team/agent`.
 */
function listKeys(purl: Purl): string[] {
  const [, repository] = /^github\.com\/([^/]+\/[^/]+?)(?:\/v\d+)?$/.exec(purl.name) ?? [];
  return purl.type === 'golang' && repository !== undefined
    ? [keyPackage(purl), keyPackage({ ...purl, type: 'github', name: repository })]
    : [keyPackage(purl)];
}

/** Finds a component that has the same name as a package, but is about another package. */
export function findNamesake({ purl }: { readonly purl?: Purl }, names: Names): Owner | undefined {
  const isOurs = purl === undefined || findPackaged(purl, names) !== undefined;
  return isOurs
    ? undefined
    : names.get(purl.name.toLowerCase())?.find(({ isPackage }) => !isPackage);
}

function findFirst(keys: readonly string[], names: Names): readonly Owner[] | undefined {
  return keys.map((key) => names.get(key)).find((owners) => owners !== undefined);
}

/**
 * Finds the longest name with which a text begins: `svc` in `svc2025.1`, `svc2` in `svc2 2025.1`, and `svc2.1-dev` in `svc2.1-dev 2025.1`.
 */
export function findName(text: string, names: Names): string | undefined {
  const end = /$|[\s@:=^~"'<>!,;|([]|(?<!\d)v?\d+\.\d[\w.+~-]*$/y;
  for (let length = Math.min(text.length, 200); length > 0; length -= 1) {
    end.lastIndex = length;
    const name = text.slice(0, length);
    if (end.test(text) && findNamed(name, names)) {
      return name;
    }
  }
  return undefined;
}
