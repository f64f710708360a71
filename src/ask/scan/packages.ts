import type { PackageOwner } from '../../core/schemas/published/packages-file.ts';
import type { Datasource, Source } from '../../core/schemas/source-schema.ts';
import { packageOf, type Purl } from './purl.ts';

/** The types of package URLs (https://github.com/package-url/purl-spec); what names no package has none. */
const types: Readonly<Partial<Record<Datasource, string>>> = {
  npm: 'npm',
  maven: 'maven',
  pypi: 'pypi',
  docker: 'docker',
  helm: 'helm',
  'github-releases': 'github',
  'github-tags': 'github',
  'gitlab-releases': 'gitlab',
  'gitlab-tags': 'gitlab',
  crate: 'cargo',
  go: 'golang',
  nuget: 'nuget',
  rubygems: 'gem',
};

/** The components by package, as `packages.json` has them: what the sources of their definitions are called. */
export function packagesOf(
  definitions: Iterable<readonly [component: string, sources: readonly Source[]]>,
): Map<string, PackageOwner[]> {
  const packages = new Map<string, PackageOwner[]>();
  for (const [component, sources] of definitions) {
    for (const source of sources) {
      // The version of a chart is not that of the application in it.
      if (!('packageName' in source) || ('field' in source && source.field === 'appVersion')) continue;
      const type = types[source.datasource];
      if (type === undefined) continue;
      const key = packageOf(purlOf(type, source.packageName));
      const owners = packages.get(key) ?? [];
      if (owners.some((owner) => owner.component === component)) continue;
      const { extractVersion } = source;
      packages.set(key, [...owners, { component, ...(extractVersion !== undefined && { extractVersion }) }]);
    }
  }
  return packages;
}

function purlOf(type: string, packageName: string): Purl {
  const path = type === 'maven' ? packageName.replace(':', '/') : packageName;
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  return slash === -1 ? { type, name } : { type, namespace: path.slice(0, slash), name };
}

/** The version of the index for one of a package; as it is where the owner takes nothing out of it. */
export async function extractVersion(
  { extractVersion: pattern }: PackageOwner,
  version: string,
): Promise<string> {
  if (pattern === undefined) return version;
  // Few packages need it, and every isolate of the host would have to load it.
  const { compileExpression } = await import('../../core/expression.ts');
  return compileExpression(pattern).match(version)?.['version'] ?? version;
}
