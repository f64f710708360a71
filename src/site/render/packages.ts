import { packageOf } from '../../ask/scan/purl.ts';
import type { PackageOwner } from '../../core/schemas/published/small-files.ts';
import type { Source } from '../../core/schemas/source.ts';
import { adapterOf } from '../../record/sources/index.ts';

/** The components by package, as `packages.json` has them: what the sources of their definitions are called. */
export function packagesOf(
  definitions: Iterable<readonly [component: string, sources: readonly Source[]]>,
): Map<string, PackageOwner[]> {
  const packages = new Map<string, PackageOwner[]>();
  for (const [component, sources] of definitions) {
    for (const source of sources) {
      const { packageName, field, extractVersion } = source;
      const type = adapterOf(source).purlType;
      // The version of a chart is not that of the application in it.
      if (type === undefined || packageName === undefined || field === 'appVersion') continue;
      const key = packageUrlOf(type, packageName);
      const owners = packages.get(key) ?? [];
      if (owners.some((owner) => owner.component === component)) continue;
      packages.set(key, [...owners, { component, ...(extractVersion !== undefined && { extractVersion }) }]);
    }
  }
  return packages;
}

/** Without a version. */
export function packageUrlOf(type: string, packageName: string): string {
  const path = type === 'maven' ? packageName.replace(':', '/') : packageName;
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  return packageOf(slash === -1 ? { type, name } : { type, namespace: path.slice(0, slash), name });
}
