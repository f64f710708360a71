import { parseCpe } from '../../core/cpe.ts';
import type { PackageOwner } from '../../core/schemas/published/small-files.ts';
import type { Definition } from '../../core/schemas/definition.ts';
import { packageOfText } from '../../core/schemas/identifiers.ts';
import { packageUrlOf } from '../../record/sources/index.ts';

type Named = Pick<Definition, 'sources' | 'identifiers'>;

/** The components by package URL, from their sources and identifiers, as in `packages.json`. */
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
  for (const [component, { sources, identifiers }] of definitions) {
    for (const source of sources) {
      const purl = packageUrlOf(source);
      if (purl !== undefined) {
        add(purl, { component, extractVersion: source.extractVersion });
      }
    }
    for (const purl of identifiers?.purl ?? []) {
      add(packageOfText(purl), { component });
    }
  }
  return packages;
}

/** The components by CPE product, in the same form. */
export function productsOf(
  definitions: Iterable<readonly [component: string, Pick<Named, 'identifiers'>]>,
): Map<string, PackageOwner[]> {
  const found = Array.from(definitions).flatMap(([component, { identifiers }]) => {
    const keys = new Set((identifiers?.cpe ?? []).flatMap((cpe) => parseCpe(cpe)?.key ?? []));
    return Array.from(keys, (key) => ({ key, owner: { component } }));
  });
  const groups = Map.groupBy(found, ({ key }) => key);
  return new Map(Array.from(groups, ([key, all]) => [key, all.map(({ owner }) => owner)]));
}
