import { parseCpe } from '../../core/cpe.ts';
import { packageOf } from '../../core/purl.ts';
import type { PackageOwner } from '../../core/schemas/published/small-files.ts';
import type { Definition } from '../../core/schemas/definition.ts';
import { packageOfText } from '../../core/schemas/identifiers.ts';
import { adapterOf } from '../../record/sources/index.ts';

type Named = Pick<Definition, 'sources' | 'identifiers'>;

/** The components by package, as `packages.json` has them: what their sources and their identifiers are called. */
export function packagesOf(
  definitions: Iterable<readonly [component: string, Named]>,
): Map<string, PackageOwner[]> {
  const packages = new Map<string, PackageOwner[]>();
  const add = (purl: string, owner: PackageOwner) => {
    const owners = packages.get(purl) ?? [];
    if (!owners.some(({ component }) => component === owner.component))
      packages.set(purl, [...owners, owner]);
  };
  for (const [component, { sources, identifiers }] of definitions) {
    for (const source of sources) {
      const { packageName, field, extractVersion } = source;
      const type = adapterOf(source).purlType;
      // The version of a chart is not that of the application in it.
      if (type === undefined || packageName === undefined || field === 'appVersion') continue;
      const owner = { component, ...(extractVersion !== undefined && { extractVersion }) };
      add(packageUrlOf(type, packageName), owner);
    }
    for (const purl of identifiers?.purl ?? []) add(packageOfText(purl), { component });
  }
  return packages;
}

/** The components by the products of their CPEs, in the same form. */
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

/** Without a version. */
export function packageUrlOf(type: string, packageName: string): string {
  const path = type === 'maven' ? packageName.replace(':', '/') : packageName;
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  return packageOf(slash === -1 ? { type, name } : { type, namespace: path.slice(0, slash), name });
}
