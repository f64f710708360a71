/** Which component a name or a package belongs to. No zod and no Node: pages load it. */
import { formatPackage, namePackage, parsePurl, type Purl } from '../purl.ts';
import { findNearest } from '../text.ts';
import type { Status } from '../schema/documents.ts';
import type { Extraction } from './extract.ts';

/** A component that has a name or a package, and how to find its version in one of the package. */
export interface Owner extends Extraction {
  readonly component: string;
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
    for (const { purl, ...extraction } of packages) {
      const owner = { component, ...extraction };
      add(purl, owner);
      // The name in its registry.
      const name = decodeURIComponent(purl.slice(purl.indexOf('/') + 1));
      add(name.toLowerCase(), owner);
    }
  }
  return names;
}

/** The components that a misspelt name perhaps means. */
export function suggestOwners(text: string | undefined, names: Names): readonly Owner[] {
  const nearest = findNearest(text ?? '', names.keys()) ?? '';
  return names.get(nearest) ?? [];
}

/** The alias of all artifacts of a group: `pkg:maven/com.example/*`. It is no package, so only who reads lists finds it. */
function nameGroup({ type, name }: Purl): string {
  return type === 'maven' ? `pkg:maven/${name.replace(/\/[^/]*$/, '/*')}`.toLowerCase() : '';
}

/** The components of a name, title, alias, package URL, or name of a package in its registry. */
export function findOwners(text: string | Purl, names: Names): readonly Owner[] {
  const purl = typeof text === 'string' ? parsePurl(text) : text;
  if (purl) {
    const isComponent = purl.type === 'generic' && !purl.name.includes('/');
    const owners = isComponent ? names.get(purl.name.toLowerCase()) : undefined;
    return owners ?? names.get(namePackage(purl)) ?? names.get(nameGroup(purl)) ?? [];
  }

  // What is no text has a package URL.
  const name = String(text).toLowerCase();
  // Maven separates by a colon, and an image may begin with the host of its registry.
  return (
    names.get(name) ??
    names.get(name.replace(':', '/')) ??
    names.get(formatPackage('docker', name)) ??
    []
  );
}
