import type { PackageOwner } from '../../../core/schemas/published/small-files.ts';
import type { Definition } from '../../../core/schemas/definition/definition.ts';
import { packageOf, parsePurl } from '../../../core/model/purl.ts';
import { packageUrlOf } from '../../../record/sources/index.ts';

type Named = Pick<Definition, 'sources' | 'aliases'>;

/** The components by package URL, from their sources and aliases, as in `packages.json`. */
export function packagesOf(
  definitions: Iterable<readonly [component: string, Named]>,
): Map<string, PackageOwner[]> {
  const packages = new Map<string, PackageOwner[]>();

  const add = (purl: string, owner: PackageOwner) => {
    const owners = packages.get(purl) ?? [];
    if (!owners.some(({ component }) => component === owner.component)) {
      packages.set(purl, [...owners, owner]);
    }
  };

  for (const [component, { sources, aliases = [] }] of definitions) {
    for (const source of sources) {
      const purl = packageUrlOf(source);
      if (purl !== undefined) {
        add(purl, { component, extractVersion: source.extractVersion });
      }
    }

    for (const alias of aliases) {
      const purl = parsePurl(alias);
      if (purl) {
        add(packageOf(purl), { component });
      }
    }
  }

  return packages;
}
