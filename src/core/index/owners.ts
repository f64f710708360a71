/** Which component a name or a package belongs to. No zod and no Node: pages load it. */
import { keyPackage, parsePurl, type Purl } from '../purl.ts';
import { findNearest } from '../text.ts';
import type { Status } from '../schema/documents.ts';
import type { Extraction } from './extract.ts';

/** A component that has a name or a package. Of a package, with the pattern that finds its version in one of the package. */
export interface Owner extends Extraction {
  readonly component: string;
  readonly isPackage?: true;
}

/** The components by name, title, alias and package, in lower case. */
export type Names = ReadonlyMap<string, readonly Owner[]>;

export function listOwners({ components }: Pick<Status, 'components'>): Names {
  const names = new Map<string, Owner[]>();
  const add = (text: string, owner: Owner) => {
    const owners = names.get(text) ?? [];
    if (!owners.some(({ component }) => component === owner.component)) {
      names.set(text, [...owners, owner]);
    }
  };

  for (const [component, { title, aliases = [], packages = [] }] of Object.entries(components)) {
    for (const name of [component, title, ...aliases]) {
      add(name.toLowerCase(), { component });
    }
    for (const { purl: text, ...extraction } of packages) {
      const purl = parsePurl(text);
      if (purl) {
        const owner: Owner = { component, isPackage: true, ...extraction };
        add(keyPackage(purl), owner);
        add(purl.name.toLowerCase(), owner);
      }
    }
  }
  return names;
}

/** The components that a misspelt name perhaps means. */
export function suggestOwners(text: string | undefined, names: Names): readonly Owner[] {
  const nearest = findNearest(text ?? '', names.keys()) ?? '';
  return names.get(nearest) ?? [];
}

/** The components of a name, title, alias, package URL, or name of a package in its registry. */
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
    // The alias of all artifacts of a group. It is no package, so only who reads lists finds it.
    keys.push(`pkg:maven/${name.replace(/\/[^/]*$/, '/*')}`.toLowerCase());
  }
  keys.push(...keys.flatMap(listMirrored));
  return findFirst(keys, names);
}

/**
 * What an image may be a mirror of, from the key of its package on: `dockerhub/library/agent` of `library/agent`, `cache/team/agent` of
 * `team/agent`. The last part alone is nobody's: `other/agent` is another image than `agent`.
 */
function listMirrored(key: string): string[] {
  const [, path = ''] = /^pkg:docker\/(.+)/.exec(key) ?? [];
  const parts = path.split('/');
  return parts.slice(1, -1).map((_, index) => {
    const original = parts.slice(index + 1).join('/');
    return `pkg:docker/${original.replace(/^library\//, '')}`;
  });
}

/** The types whose names have spellings besides upper and lower case: `Agent_X`, `group:artifact`, `docker.io/library/agent`, `!agent`. */
const spelledTypes = ['pypi', 'maven', 'docker', 'golang', 'cargo'];
const qualifiers = new URLSearchParams();

/** The components of a name without a type, in any spelling. */
function findNamed(text: string, names: Names) {
  const name = text.toLowerCase().toWellFormed();
  const keys = spelledTypes.flatMap((type) => listKeys({ type, name, qualifiers }));
  // Not of `repository:https://host/team/agent`, which is of a query.
  const isPath = /^[\w.-]+(?::\d+)?(?:\/[\w.-]+)+$/.test(name);
  return findFirst([name, ...keys, ...(isPath ? keys.flatMap(listMirrored) : [])], names);
}

/** Of a package. A repository at GitHub is a module of Go, of which a new major version has a path of its own. */
function listKeys(purl: Purl): string[] {
  const [, repository] = /^github\.com\/([^/]+\/[^/]+?)(?:\/v\d+)?$/.exec(purl.name) ?? [];
  return purl.type === 'golang' && repository !== undefined
    ? [keyPackage(purl), keyPackage({ ...purl, type: 'github', name: repository })]
    : [keyPackage(purl)];
}

/** The component that has the name of a package and not the package. */
export function findNamesake({ purl }: { readonly purl?: Purl }, names: Names): Owner | undefined {
  const isOurs = purl === undefined || findPackaged(purl, names) !== undefined;
  return isOurs
    ? undefined
    : names.get(purl.name.toLowerCase())?.find(({ isPackage }) => !isPackage);
}

function findFirst(keys: readonly string[], names: Names): readonly Owner[] | undefined {
  return keys.map((key) => names.get(key)).find((owners) => owners !== undefined);
}

/** The longest name that a text begins with. `svc2025.1` is the version of `svc`, but `svc2 2025.1` and `svc2.1-dev 2025.1` have names of their own. */
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
