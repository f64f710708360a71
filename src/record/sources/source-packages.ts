/** The packages of sources, as package URLs and OSV name them. */
import { formatPackage, formatRegistryPackage, purlTypes } from '../../core/model/package-names.ts';
import { parsePurl } from '../../core/model/purl.ts';
import type { Definition } from '../../core/schemas/definition/definition.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import type { PublishedPackage } from '../../core/schemas/published/status-file.ts';
import type { OsvPackage } from './datasource.ts';
import { findAdapter } from './index.ts';
import { normaliseOsvName } from './osv.ts';

/** The package URL of a source, without a version; undefined if it does not list a package's releases. */
export function renderPackageUrl(source: Source): string | undefined {
  const { datasource, packageName, field } = source;
  const purlType = purlTypes[datasource];

  // The application in a chart has other versions than the chart.
  if (purlType === undefined || packageName === undefined || field === 'appVersion') {
    return undefined;
  }

  return formatRegistryPackage(purlType, packageName);
}

/** The packages of a component, from its sources and aliases. Of equal ones, the first stays, with its `extractVersion`. */
export function listComponentPackages({
  sources,
  aliases = [],
}: Pick<Definition, 'sources' | 'aliases'>): PublishedPackage[] {
  const packages: PublishedPackage[] = [];
  for (const source of sources) {
    const purl = renderPackageUrl(source);
    if (purl !== undefined) {
      packages.push({ purl, extractVersion: source.extractVersion });
    }
  }

  for (const alias of aliases) {
    const purl = parsePurl(alias);
    if (purl) {
      packages.push({ purl: formatPackage(purl) });
    }
  }

  const byPurl = Map.groupBy(packages, ({ purl }) => purl);
  return Array.from(byPurl.values(), ([first]) => first);
}

/** The packages of sources as OSV names them, of those sources on whose versions OSV has advisories. */
export function listOsvPackages(sources: readonly Source[]): OsvPackage[] {
  const packages: OsvPackage[] = [];
  for (const source of sources) {
    const { packageName, extractVersion } = source;
    const { osvEcosystem: ecosystem } = findAdapter(source);

    // OSV uses the registry's versions, before `extractVersion`.
    if (ecosystem !== undefined && packageName !== undefined && extractVersion === undefined) {
      packages.push({ ecosystem, name: normaliseOsvName(ecosystem, packageName) });
    }
  }

  return packages;
}
